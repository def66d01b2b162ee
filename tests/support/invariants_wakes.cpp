#include <algorithm>

#include "fast/stuck.hpp"
#include "model/core/microthreads.hpp"
#include "model/lanes/neighbours.hpp"
#include "model/ramp/to_core.hpp"
#include "model/router/room.hpp"
#include "support/invariants.hpp"

namespace weft::test {
namespace {

using model::CoreState;
using model::has;
using model::Mask;
using model::Microthread;

/// What room_beyond has to know of a lane policy.
struct InBlocks {
  using Shape = model::Block;
};

/// The first cycle after `now` in which an entry of one of the queues comes into sight.
std::uint64_t next_arrival(const model::RampQueue* queues, int count, const StripCheck& check) {
  for (std::uint64_t k = 1; k <= check.view.timing.ramp; ++k)
    for (int q = 0; q < count; ++q)
      if (queues[q].arriving[model::delay_slot(check.now + k)] != 0) return check.now + k;
  return model::kNever;
}

void check_route_wake(StripCheck& check) {
  const std::uint64_t wake = check.view.route_wake[check.strip];
  for (int color = 0; color < kColors; ++color) {
    const std::int32_t index = check.router().color_state[color];
    if (index < 0) continue;
    const model::ColorState& c = check.view.colors[index];
    for (int port = 0; port < kPorts; ++port)
      if (c.queue[port] >= 0 &&
          (check.view.port_queues[c.queue[port]].valid[0] & c.rx[port] & ~c.torn_down) != 0)
        check.by(wake, check.now + 1, "route_wake, for an open head of color", color);
  }
}

void check_stuck(StripCheck& check) {
  if (!check.router().stuck || looks_again(check.view, check.strip, check.now)) return;
  for (int color = 0; color < kColors; ++color)
    check.same(could_leave(check.view, check.strip, color), 0, "StripState::stuck, of color",
               color);
}

void check_deliver_wake(StripCheck& check) {
  const CoreState& core = check.core();
  const std::uint64_t wake = check.view.deliver_wake[check.strip];
  check.by(wake, next_arrival(core.out, kOutputQueues, check), "deliver_wake, for the ramp");
  for (int q = 0; q < kOutputQueues; ++q)
    for (Mask rest = core.out[q].seen[0]; rest != 0; rest &= rest - 1) {
      const int lane = model::lowest(rest);
      const std::int32_t index = check.router().color_state[core.out[q].color[lane]];
      if (index >= 0 && has(check.view.colors[index].room[static_cast<int>(Port::ramp)], lane))
        check.by(wake, check.now + 1, "deliver_wake, for output queue", q);
    }
}

/// Lanes whose core has a task that it could take, if it is idle.
Mask with_tasks(const CoreState& core) {
  Mask lanes = 0;
  for (int id = 0; id < kLocalTasks; ++id) lanes |= core.local_active[id] & ~core.local_blocked[id];
  for (int q = 0; q < kInputQueues; ++q)
    lanes |= core.in[q].seen[0] & ~core.queue_blocked[q] & ~core.input_claimed[q];
  return lanes & core.placed;
}

void check_task_wake(StripCheck& check, std::uint64_t wake) {
  const CoreState& core = check.core();
  const Mask tasks = with_tasks(core);
  if ((tasks & ~core.running) != 0) check.by(wake, check.now + 1, "core_wake, for a task");
  for (Mask rest = tasks & core.ending; rest != 0; rest &= rest - 1)
    check.by(wake, std::max(core.wake[model::lowest(rest)], check.now) + 1,
             "core_wake, for the task after one that ends");
  for (Mask rest = model::in_code(core); rest != 0; rest &= rest - 1) {
    const std::uint64_t deadline = core.deadline[model::lowest(rest)];
    if (deadline <= check.now)
      check.by(deadline, deadline - 1, "an instruction was not executed: its deadline");
    check.by(wake, deadline, "core_wake, for an instruction");
  }
}

void check_microthread_wake(StripCheck& check, std::uint64_t wake) {
  const CoreState& core = check.core();
  for (int u = 0; u < model::kMicrothreads; ++u) {
    const Microthread& t = core.microthread[u];
    for (Mask rest = t.live; rest != 0; rest &= rest - 1) {
      const int lane = model::lowest(rest);
      if (!model::all_ready(check.view, core, model::work_in(t, lane), lane)) continue;
      const std::uint64_t first = has(t.starting, lane) ? t.first[lane] : 0;
      check.by(wake, std::max(first, check.now + 1), "core_wake, for microthread", u);
    }
  }
}

}  // namespace

Mask could_leave(const model::View& view, std::size_t strip, int color) {
  const std::int32_t index = view.strip[strip].color_state[color];
  if (index < 0) return 0;
  const model::ColorState& c = view.colors[index];
  Mask free = 0;
  for (int port = 0; port < kPorts; ++port)
    if (c.queue[port] >= 0) {
      const model::PortQueue& q = view.port_queues[c.queue[port]];
      free |= q.valid[0] & ~q.control[0] & c.rx[port] & ~c.torn_down & ~c.filtered;
    }
  for (int link = 0; link < kLinks; ++link)
    free &= ~c.tx[link] | model::room_beyond<InBlocks>(view, c, static_cast<Port>(link), free);
  return free & (~c.tx[static_cast<int>(Port::ramp)] | model::ramp_room(view, c, view.core[strip]));
}

bool looks_again(const model::View& view, std::size_t strip, std::uint64_t now) {
  const int index = static_cast<int>(strip);
  const model::Place at{index, index / view.strips, index % view.strips};
  return fast::room_grew(view, at, now + 1);
}

void check_wakes(StripCheck& check) {
  const std::uint64_t wake = check.view.core_wake[check.strip];
  check_route_wake(check);
  check_stuck(check);
  check_deliver_wake(check);
  check.by(wake, next_arrival(check.core().in, kInputQueues, check), "core_wake, for the ramp");
  check_task_wake(check, wake);
  check_microthread_wake(check, wake);
}

}  // namespace weft::test
