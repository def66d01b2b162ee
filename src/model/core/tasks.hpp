#pragma once

#include "isa/control.hpp"
#include "model/core/group.hpp"
#include "model/core/halt.hpp"
#include "model/core/task_bits.hpp"
#include "model/lanes/lane_halves.hpp"
#include "model/ramp/ramp_queue.hpp"

/// Tasks: which one an idle core takes next.
namespace weft::model {

/// Lanes of `lanes` in which the head of input queue q may start a task.
WEFT_INLINE Mask offers(const CoreState& core, int q, Mask lanes) {
  return lanes & core.in[q].seen[0] & ~core.queue_blocked[q] & ~core.input_claimed[q];
}

/// A runnable task of one lane. Order: high priority first, then data, local, control tasks, each
/// by number; the order within a priority is not published.
struct Choice {
  int rank = 1 << 20;       ///< lowest is taken
  std::int32_t entry = -1;  ///< first instruction; -1: unbound
  int queue = -1;           ///< its wavelet is at the head of this queue
  int local = -1;
  bool silent = false;  ///< a control wavelet without entry point: only taken off the queue
};

WEFT_INLINE void consider(Choice& best, Choice next) {
  if (next.rank < best.rank) best = next;
}

WEFT_INLINE Choice choose(const View& v, const CoreState& core, int lane) {
  constexpr int kLow = 1024, kLocal = 64, kControl = 128;
  const TaskTable& tasks = v.programs[core.program[lane]];
  Choice best;
  for (std::uint32_t rest = core.local_any; rest != 0; rest &= rest - 1) {
    const int id = lowest(rest);
    if (!has(core.local_active[id] & ~core.local_blocked[id], lane)) continue;
    const int priority = (tasks.high_local >> id & 1U) != 0 ? 0 : kLow;
    consider(best, {priority + kLocal + id, tasks.local[id], -1, id, false});
  }
  for (std::uint32_t rest = core.inputs_held; rest != 0; rest &= rest - 1) {
    const int q = lowest(rest);
    if (!has(offers(core, q, kAllLanes), lane)) continue;
    if (has(core.in[q].control[0], lane)) {
      const int id = static_cast<int>(isa::entry(core.in[q].payload[0].at[lane]));
      if (id == kNoEntry) {
        consider(best, {-1, -1, q, -1, true});
      } else {
        const int priority = (tasks.high_control >> id & 1U) != 0 ? 0 : kLow;
        consider(best, {priority + kControl + id, tasks.control[id], q, -1, false});
      }
    } else {
      const int color = core.queue_color[q][lane];
      const int priority = (tasks.high_data >> color & 1U) != 0 ? 0 : kLow;
      consider(best, {priority + color, tasks.data[color], q, -1, false});
    }
  }
  return best;
}

/// Lanes, of these, that choose as the first of them does.
static WEFT_INLINE Mask choose_alike(const CoreState& core, Mask lanes) {
  const int lead = lowest(lanes);
  const auto keep = [&](Mask with) { lanes &= has(with, lead) ? with : ~with; };
  for (std::uint32_t rest = core.local_any; rest != 0; rest &= rest - 1)
    keep(core.local_active[lowest(rest)] & ~core.local_blocked[lowest(rest)]);
  for (std::uint32_t rest = core.inputs_held; rest != 0; rest &= rest - 1) {
    const int q = lowest(rest);
    const RampQueue& in = core.in[q];
    keep(offers(core, q, kAllLanes));
    if (!has(offers(core, q, kAllLanes), lead)) continue;
    keep(in.control[0]);
    if (has(in.control[0], lead))
      lanes = equal(lanes, in.payload[0].at, in.payload[0].at[lead]);
    else
      lanes = equal(lanes, core.queue_color[q], core.queue_color[q][lead]);
  }
  return equal(lanes, core.program, core.program[lead]);
}

/// Lanes that have a task to take, idle or not; local tasks that no lane waits for any more are
/// forgotten.
WEFT_INLINE Mask offered_tasks(CoreState& core) {
  Mask offered = 0;
  for (std::uint32_t rest = core.local_any; rest != 0; rest &= rest - 1) {
    const int id = lowest(rest);
    if (core.local_active[id] == 0) core.local_any &= ~(1U << id);
    offered |= core.local_active[id] & ~core.local_blocked[id];
  }
  for (std::uint32_t rest = core.inputs_held; rest != 0; rest &= rest - 1)
    offered |= offers(core, lowest(rest), kAllLanes);
  return offered & core.placed;
}

/// The task that a lane would take has no entry point.
template <class L>
WEFT_INLINE void halt_unbound(const View& v, Place at, CoreState& core, int lane,
                              std::uint64_t now) {
  const Choice task = choose(v, core, lane);
  const bool local = task.local >= 0;
  const int color = local ? -1 : core.queue_color[task.queue][lane];
  const bool control = !local && has(core.in[task.queue].control[0], lane);
  const int id = local     ? task.local
                 : control ? static_cast<int>(isa::entry(core.in[task.queue].payload[0].at[lane]))
                           : color;
  halt<L>(v, at, core, lane, FaultKind::unbound_task, now, color, id, kNoInstruction);
}

/// All these lanes choose this task, and take it.
template <class L>
WEFT_INLINE void take_task(const View& v, const Place& at, CoreState& core, const Choice& task,
                           Mask lanes, std::uint64_t now) {
  if (task.queue >= 0) {
    RampQueue& in = core.in[task.queue];
    if (!task.silent) {
      std::uint32_t* const word = core.reg[0].at;
      const std::uint32_t* const payload = in.payload[0].at;
      const bool control = has(in.control[0], lowest(lanes));
      const std::uint32_t bits = control ? 0xffffU : v.data ? ~0U : 0U;
      put_in(lanes, word, [=](int lane) { return payload[lane] & bits; });
    }
    L::Hooks::template takes_wavelet<L>(v, at, task.queue, lanes, now);
    pop(v, in, lanes);
    L::Hooks::took_input(core, now);
  }
  if (task.silent) return;
  if (task.local >= 0) core.local_active[task.local] &= ~lanes;
  L::Hooks::template takes_task<L>(v, at, lanes, static_cast<std::uint32_t>(task.entry), now);
  constexpr int kOfRank = 1024, kLocal = 64, kControl = 128;  // as choose() ranks them
  const int order = task.rank % kOfRank;
  L::Hooks::template starts_task<L>(v, at, core, lanes,
                                    order < kLocal     ? order
                                    : order < kControl ? order - kLocal + 32
                                                       : order - kControl + 64,
                                    static_cast<std::uint32_t>(task.entry), now);
  fill(lanes, core.wake, now + v.timing.task_start);
  schedule_issue<L>(v, core, lanes, static_cast<std::uint32_t>(task.entry), 0);
  core.running |= lanes;
}

/// Step 3.2. Idle cores take their next task, those that choose alike together. Returns the lanes
/// that had one.
template <class L>
WEFT_INLINE Mask pick_tasks(const View& v, Place at, CoreState& core, std::uint64_t now) {
  const Mask offered = offered_tasks(core) & ~core.running;
  if (offered == 0) return 0;
  L::Hooks::cores_act(v, now);
  Mask unbound = 0;
  for (Mask rest = offered; rest != 0;) {
    const Choice task = choose(v, core, lowest(rest));
    const Mask lanes = choose_alike(core, rest);
    rest &= ~lanes;
    if (task.silent || task.entry >= 0)
      take_task<L>(v, at, core, task, lanes, now);
    else
      unbound |= lanes;
  }
  for_each(unbound, [&](int lane) { halt_unbound<L>(v, at, core, lane, now); });
  return offered;
}

}  // namespace weft::model
