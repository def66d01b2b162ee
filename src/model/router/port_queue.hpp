#pragma once

#include "model/lanes/lane_vectors.hpp"
#include "model/queues.hpp"

/// A router's queues as unary masks: entry k is held by the lanes of valid[k]; entry 0 is the head.
namespace weft::model {

WEFT_INLINE void pop(const View& v, PortQueue& q, Mask lanes) {
  for (int k = 0;; ++k) {
    const Mask follow = k + 1 < kMaxRouterDepth ? q.valid[k + 1] & lanes : 0;
    q.valid[k] = (q.valid[k] & ~lanes) | follow;
    if (follow == 0) return;
    q.control[k] = (q.control[k] & ~follow) | (q.control[k + 1] & follow);
    if (const Mask copied = carried(v, follow, q.control[k + 1]); copied != 0)
      copy(copied, q.payload[k].at, q.payload[k + 1].at);
  }
}

/// Room was checked. `put(lanes, entry)` copies the payloads.
template <class Put>
WEFT_INLINE void push(const View& v, PortQueue& q, Mask lanes, Mask control, Put put) {
  for (int k = 0; lanes != 0; ++k) {
    const Mask here = lanes & ~q.valid[k];
    if (here == 0) continue;
    q.valid[k] |= here;
    q.control[k] = (q.control[k] & ~here) | (control & here);
    if (const Mask copied = carried(v, here, control); copied != 0) put(copied, q.payload[k].at);
    lanes &= ~here;
  }
}

}  // namespace weft::model
