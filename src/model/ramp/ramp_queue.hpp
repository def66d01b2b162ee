#pragma once

#include "model/lanes/lane_vectors.hpp"
#include "model/queues.hpp"

/// Queues of the ramp, between router and core, as unary masks: as those of a router, but an entry
/// is seen at its far end a ramp's time after it came.
namespace weft::model {

WEFT_INLINE void pop(const View& v, RampQueue& q, Mask lanes) {
  for (int k = 0;; ++k) {
    const Mask follow = k + 1 < kMaxRampDepth ? q.valid[k + 1] & lanes : 0;
    const Mask follow_seen = k + 1 < kMaxRampDepth ? q.seen[k + 1] & lanes : 0;
    q.valid[k] = (q.valid[k] & ~lanes) | follow;
    q.seen[k] = (q.seen[k] & ~lanes) | follow_seen;
    if (follow == 0) return;
    q.control[k] = (q.control[k] & ~follow) | (q.control[k + 1] & follow);
    if (const Mask copied = carried(v, follow, q.control[k + 1]); copied != 0)
      copy(copied, q.payload[k].at, q.payload[k + 1].at);
  }
}

/// f(entry, lanes) for the first free entries of the lanes, which have some.
template <class F>
WEFT_INLINE void each_free(const RampQueue& q, Mask lanes, F f) {
  for (int k = 0; lanes != 0; ++k) {
    const Mask here = lanes & ~q.valid[k];
    if (here != 0) f(k, here);
    lanes &= ~here;
  }
}

/// Room was checked. `put(lanes, entry)` copies the payloads, if they do not stand there yet. They
/// will be seen in `slot` (a cycle modulo kDelaySlots).
template <class Put>
WEFT_INLINE void push(RampQueue& q, Mask lanes, Mask control, int slot, Put put) {
  q.arriving[slot] |= lanes;
  each_free(q, lanes, [&](int k, Mask here) {
    q.valid[k] |= here;
    q.control[k] = (q.control[k] & ~here) | (control & here);
    put(here, q.payload[k].at);
  });
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
