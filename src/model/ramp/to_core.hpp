#pragma once

#include "model/core/task_bits.hpp"
#include "model/faults.hpp"
#include "model/lanes/loops.hpp"
#include "model/ramp/ramp_queue.hpp"
#include "model/wakes.hpp"

/// From a router to its core.
namespace weft::model {

/// The ramp queues that can take one more wavelet of this color.
WEFT_INLINE Mask ramp_room(const View& v, const ColorState& c, const CoreState& core) {
  Mask room = 0;
  for (std::uint32_t rest = c.inputs; rest != 0; rest &= rest - 1) {
    const int q = lowest(rest);
    room |= c.to_queue[q] & ~core.in[q].valid[v.timing.input_depth[q] - 1];
  }
  return room;
}

/// A queue that serves several colors now takes this one's: it obeys this color's blocked bit. It
/// must be empty of another's.
template <class L>
WEFT_INLINE void take_queue(const View& v, Place at, CoreState& core, int q, int color, Mask lanes,
                            std::uint64_t now) {
  for_each(lanes, [&](int lane) {
    if (core.queue_color[q][lane] != color && has(core.in[q].valid[0], lane)) {
      record<L>(v, at, lane, FaultKind::queue_color_changed, now, color, q);
      wake_core<L>(v, at, now);  // what the queue holds may run a task of this color yet
    }
    core.queue_color[q][lane] = static_cast<std::uint8_t>(color);
  });
  core.queue_blocked[q] = (core.queue_blocked[q] & ~lanes) | (core.color_blocked[color] & lanes);
}

/// Puts wavelets that the core gets into the ramp's queues.
template <class L>
WEFT_INLINE void send_to_core(const View& v, Place at, const ColorState& c, int color, Mask lanes,
                              Mask control, const std::uint32_t* payload, std::uint64_t now) {
  CoreState& core = v.core[at.index];
  const int slot = delay_slot(now + v.timing.ramp);
  for (std::uint32_t inputs = c.inputs; inputs != 0; inputs &= inputs - 1) {
    const int n = lowest(inputs);
    const Mask in = lanes & c.to_queue[n];
    if (in == 0) continue;
    if ((in & c.shares) != 0) take_queue<L>(v, at, core, n, color, in & c.shares, now);
    push(v, core.in[n], in, control, slot,
         [&](Mask into, std::uint32_t* entry) { copy(into, entry, payload); });
    core.inputs_arriving[slot] |= 1U << n;
  }
}

/// A color that is held in the router from now on; the core's handler is told.
template <class L>
WEFT_INLINE void tell_torn_down(const View& v, Place at, CoreState& core, int lane, int color,
                                std::uint64_t now) {
  constexpr int kHandler = 29;  // local task, fixed by the machine
  core.pending.at[lane] |= 1U << color;
  if (!has(core.placed, lane)) return;
  activate_local(core, kHandler, lane_bit(lane));
  wake_core<L>(v, at, now);
}

}  // namespace weft::model
