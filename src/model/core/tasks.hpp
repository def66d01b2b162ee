#pragma once

#include "isa/control.hpp"
#include "model/core/group.hpp"
#include "model/core/halt.hpp"
#include "model/core/task_bits.hpp"
#include "model/lanes/lane_vectors.hpp"
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

/// Things that one lane asks of pick_tasks, a bit each.
enum class Picked : std::uint8_t { from_queue, local = kInputQueues, started, unbound, count };

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
  halt<L>(v, at, core, lane, FaultKind::unbound_task, now, color, id);
}

/// Step 3.2. Idle cores take their next task. Returns the lanes that had one.
template <class L>
WEFT_INLINE Mask pick_tasks(const View& v, Place at, CoreState& core, std::uint64_t now) {
  Mask offered = offered_tasks(core) & ~core.running;
  if (offered == 0) return 0;
  L::Hooks::cores_act(v, now);
  const Mask taken = L::Hooks::template pick_tasks<L>(v, core, offered, now);
  offered &= ~taken;
  if (offered == 0) return taken;
  const auto flag = [](Picked what, int n = 0) { return 1U << (static_cast<int>(what) + n); };
  const std::uint64_t start = now + v.timing.task_start;
  Vector local;
  const auto did = flags<static_cast<int>(Picked::count)>(offered, [&](int lane) {
    const Choice task = choose(v, core, lane);
    const std::uint32_t took = task.queue >= 0 ? flag(Picked::from_queue, task.queue) : 0;
    if (task.silent) return took;
    if (task.entry < 0) return took | flag(Picked::unbound);
    if (task.queue >= 0) {
      const std::uint32_t payload = core.in[task.queue].payload[0].at[lane];
      const bool control = has(core.in[task.queue].control[0], lane);
      core.reg[0].at[lane] = control || v.data ? payload & (control ? 0xffffU : ~0U) : 0;
    }
    schedule_issue(v, core, lane, static_cast<std::uint32_t>(task.entry), start);
    local.at[lane] = static_cast<std::uint32_t>(task.local);
    return took | flag(Picked::started) | (task.local >= 0 ? flag(Picked::local) : 0);
  });
  const auto of = [&](Picked what) { return did.of(static_cast<int>(what)); };
  for_each(of(Picked::unbound), [&](int lane) { halt_unbound<L>(v, at, core, lane, now); });
  const Mask locals = of(Picked::local), started = of(Picked::started);
  for (std::uint32_t rest = locals != 0 ? core.local_any : 0; rest != 0; rest &= rest - 1) {
    const auto id = static_cast<std::uint32_t>(lowest(rest));
    core.local_active[id] &= ~equal(locals, local.at, id);
  }
  core.running |= started;
  earlier(core.next_issue, least(started, core.deadline));
  for (std::uint32_t rest = core.inputs_held; rest != 0; rest &= rest - 1) {
    const int q = lowest(rest);
    if (const Mask took = did.of(q))
      pop(v, core.in[q], took, static_cast<int>(v.timing.input_depth[q]));
  }
  return offered | taken;
}

}  // namespace weft::model
