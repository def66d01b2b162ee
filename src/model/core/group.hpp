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

/// The lanes' next instruction is at `pc`, each `elapsed` cycles after its `wake`. While nobody can
/// notice, it may be executed later, together with other lanes that come to it (their descriptors
/// are mostly alike).
template <class L>
WEFT_INLINE void schedule_issue(const View& v, CoreState& core, Mask lanes, std::uint32_t pc,
                                std::uint64_t elapsed) {
  if (lanes == 0) return;
  const std::uint64_t alone = v.private_cycles[pc];
  const Mask may_wait =
      alone > 1 && L::Hooks::may_wait(v, core, lanes, pc) ? lanes & ~with_microthreads(core) : 0;
  fill(lanes, core.pc.at, pc);
  if (elapsed != 0) put_later(lanes, core.wake, core.wake, elapsed);
  put_later(lanes, core.deadline, core.wake, 0);
  if (may_wait == 0) return;
  const std::uint64_t last = v.horizon - 1;
  const auto at_last = [&](int lane) {
    const std::uint64_t first = core.wake[lane], end = first + alone - 1;
    const std::uint64_t most = first < last ? last : first;
    return end < most ? end : most;
  };
  if (few(may_wait))
    for_each(may_wait, [&](int lane) { core.deadline[lane] = at_last(lane); });
  else
    for (int lane = 0; lane < kLanes; ++lane)
      core.deadline[lane] = has(may_wait, lane) ? at_last(lane) : core.deadline[lane];
}

}  // namespace weft::model
