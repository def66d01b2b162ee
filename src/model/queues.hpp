#pragma once

#include <type_traits>

#include "model/lanes/lane_vectors.hpp"
#include "model/state/view.hpp"

/// Queues of routers and ramps as unary masks: entry k is held by the lanes of valid[k]; entry 0 is
/// the head. Of a ramp's queue, an entry is seen at its far end a ramp's time after it came.
namespace weft::model {

/// The lanes whose payloads are kept: without data, of control wavelets alone.
WEFT_INLINE Mask with_payload(const View& v, Mask lanes, Mask control) {
  return v.data ? lanes : lanes & control;
}

/// The lanes that a copy of payloads changes: as widened.
WEFT_INLINE Mask carried(const View& v, Mask lanes, Mask control, Mask kept) {
  return v.data ? widened(lanes, kept) : with_payload(v, lanes, control);
}

template <class Queue>
inline constexpr int kDepth = std::extent_v<decltype(Queue::valid)>;

/// The heads of these lanes, which have some, leave.
template <class Queue>
WEFT_INLINE void pop(const View& v, Queue& q, Mask lanes) {
  for (int k = 0;; ++k) {
    const bool more = k + 1 < kDepth<Queue>;
    const Mask follow = more ? q.valid[k + 1] & lanes : 0, stay = q.valid[k] & ~lanes;
    q.valid[k] = stay | follow;
    if constexpr (requires { q.seen; })
      q.seen[k] = (q.seen[k] & ~lanes) | (more ? q.seen[k + 1] & lanes : 0);
    if (follow == 0) return;
    q.control[k] = (q.control[k] & ~follow) | (q.control[k + 1] & follow);
    if (const Mask copied = carried(v, follow, q.control[k + 1], stay); copied != 0)
      copy(copied, q.payload[k].at, q.payload[k + 1].at);
  }
}

/// f(entry, lanes) for the first free entries of the lanes, which have some.
template <class Queue, class F>
WEFT_INLINE void each_free(const Queue& q, Mask lanes, F f) {
  for (int k = 0; lanes != 0; ++k) {
    const Mask here = lanes & ~q.valid[k];
    if (here != 0) f(k, here);
    lanes &= ~here;
  }
}

/// Wavelets come, for which there is room. put(lanes, entry) copies payloads, of other lanes too.
template <class Queue, class Put>
WEFT_INLINE void push(const View& v, Queue& q, Mask lanes, Mask control, Put put) {
  each_free(q, lanes, [&](int k, Mask here) {
    const Mask kept = q.valid[k];
    q.valid[k] |= here;
    q.control[k] = (q.control[k] & ~here) | (control & here);
    if (const Mask copied = carried(v, here, control, kept); copied != 0)
      put(copied, q.payload[k].at);
  });
}

}  // namespace weft::model
