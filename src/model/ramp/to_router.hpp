#pragma once

#include "model/ramp/ramp_queue.hpp"
#include "model/wakes.hpp"

/// From a core to its router.
namespace weft::model {

/// The lanes have put a payload, of a control wavelet or not, into the first free entry of output
/// queue q.
template <class L>
WEFT_INLINE void send_to_router(const View& v, Place at, CoreState& core, int q, Mask lanes,
                                Mask control, std::uint64_t now) {
  const int slot = delay_slot(now + v.timing.ramp);
  push(v, core.out[q], lanes, control, slot, [](Mask, std::uint32_t*) {});
  core.outputs_arriving[slot] |= 1U << q;
  v.strip[at.index].outputs_held |= 1U << q;
  wake_deliver<L>(v, at, now + v.timing.ramp);
}

}  // namespace weft::model
