#pragma once

#include "model/lanes/lane_vectors.hpp"
#include "model/state/view.hpp"

namespace weft::model {

/// Lanes at the same instruction, executing together: each at its own time, which is told apart by
/// CoreState::wake, the cycle in which the lane's first instruction here is issued.
struct Group {
  const View& v;
  Place at;
  CoreState& core;
  Mask lanes;             ///< an executor that leaves some lanes elsewhere takes them out
  std::uint32_t pc;       ///< of the instruction being executed
  std::uint32_t next;     ///< of the one after it
  std::uint32_t cost;     ///< cycles until the next issue
  std::uint64_t now;      ///< the cycle being stepped
  std::uint64_t elapsed;  ///< cycles from the first issue to this one
  std::uint64_t latest;   ///< no lane's first issue is later

  /// Cycle of issue.
  WEFT_INLINE std::uint64_t time(int lane) const { return core.wake[lane] + elapsed; }
};

/// Lanes with an instruction to execute, at some time.
WEFT_INLINE Mask in_code(const CoreState& core) {
  return core.running & ~core.waiting & ~core.ending;
}

/// Lanes with a microthread under way.
WEFT_INLINE Mask with_microthreads(const CoreState& core) {
  Mask lanes = 0;
  for (std::uint32_t rest = core.live; rest != 0; rest &= rest - 1)
    lanes |= core.microthread[lowest(rest)].live;
  return lanes;
}

/// The lane's next instruction is at `pc`, issued in `cycle`. While nobody can notice, it may be
/// executed later, together with other lanes that come to it (their descriptors are mostly alike).
/// `busy`: lanes with a microthread under way.
WEFT_INLINE void schedule_issue(const View& v, CoreState& core, int lane, std::uint32_t pc,
                                std::uint64_t cycle, Mask busy) {
  std::uint64_t deadline = cycle;
  if (const std::uint32_t alone = v.private_cycles[pc]; alone > 1 && !has(busy, lane)) {
    deadline += alone - 1;
    if (deadline >= v.horizon) deadline = cycle + 1 < v.horizon ? v.horizon - 1 : cycle;
  }
  core.pc.at[lane] = pc;
  core.wake[lane] = cycle;
  core.deadline[lane] = deadline;
}

WEFT_INLINE void schedule_issue(const View& v, CoreState& core, int lane, std::uint32_t pc,
                                std::uint64_t cycle) {
  schedule_issue(v, core, lane, pc, cycle, with_microthreads(core));
}

/// The same of a core that may come from anywhere.
template <class L>
WEFT_INLINE void schedule_jump(const Group& g, int lane, std::uint32_t pc, std::uint64_t cycle) {
  const bool waits = L::Hooks::may_wait(g.v, g.core, lane_bit(lane), pc);
  schedule_issue(g.v, g.core, lane, pc, cycle, waits ? with_microthreads(g.core) : kAllLanes);
}

/// As schedule_issue, of these lanes, each `elapsed` cycles after its `wake`.
template <class L>
WEFT_INLINE void schedule_issue_all(const View& v, CoreState& core, Mask lanes, std::uint32_t pc,
                                    std::uint64_t elapsed) {
  const Mask busy = v.private_cycles[pc] > 1 && !L::Hooks::may_wait(v, core, lanes, pc)
                        ? lanes
                        : with_microthreads(core);
  if (!L::kLanesAlike || (lanes & (lanes - 1)) == 0)
    return for_each(lanes, [&](int lane) {
      schedule_issue(v, core, lane, pc, core.wake[lane] + elapsed, busy);
    });
  const std::uint64_t alone = v.private_cycles[pc];
  const Mask may_wait = alone > 1 ? lanes & ~busy : 0;
  fill(lanes, core.pc.at, pc);
  for (int lane = 0; lane < kLanes; ++lane) {
    const std::uint64_t cycle = core.wake[lane] + elapsed;
    std::uint64_t deadline = has(may_wait, lane) ? cycle + alone - 1 : cycle;
    if (has(may_wait, lane) && deadline >= v.horizon)
      deadline = cycle + 1 < v.horizon ? v.horizon - 1 : cycle;
    core.wake[lane] = has(lanes, lane) ? cycle : core.wake[lane];
    core.deadline[lane] = has(lanes, lane) ? deadline : core.deadline[lane];
  }
}

}  // namespace weft::model
