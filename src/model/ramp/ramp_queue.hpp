#pragma once

#include "model/queues.hpp"

/// Queues of the ramp, between router and core.
namespace weft::model {

/// As the other push, of wavelets that will be seen in `slot` (a cycle modulo kDelaySlots).
template <class Put>
WEFT_INLINE void push(const View& v, RampQueue& q, Mask lanes, Mask control, int slot, Put put) {
  q.arriving[slot] |= lanes;
  push(v, q, lanes, control, put);
}

/// The number of a lane's first free entry.
WEFT_INLINE int free_entry(const RampQueue& q, int lane) {
  int k = 0;
  while (has(q.valid[k], lane)) ++k;
  return k;
}

/// Entries whose time on the ramp is over become visible.
WEFT_INLINE void make_visible(RampQueue& q, int slot) {
  Mask lanes = q.arriving[slot];
  q.arriving[slot] = 0;
  for (int k = 0; lanes != 0; ++k) {
    const Mask here = lanes & ~q.seen[k];
    q.seen[k] |= here;
    lanes &= ~here;
  }
}

/// As make_visible, of the queues named by the bits of `arriving`, which is cleared.
WEFT_INLINE void make_visible(RampQueue* queues, std::uint32_t& arriving, int slot) {
  for (; arriving != 0; arriving &= arriving - 1) make_visible(queues[lowest(arriving)], slot);
}

WEFT_INLINE int delay_slot(std::uint64_t cycle) { return static_cast<int>(cycle % kDelaySlots); }

/// The next cycle after `now` in which something arrives that takes `ramp` cycles.
WEFT_INLINE std::uint64_t next_arrival(const std::uint32_t* arriving, std::uint64_t now,
                                       std::uint32_t ramp) {
  for (std::uint64_t k = 1; k <= ramp; ++k)
    if (arriving[delay_slot(now + k)] != 0) return now + k;
  return kNever;
}

}  // namespace weft::model
