#pragma once

#include <cstdint>

#include "model/lanes/loops.hpp"
#include "model/queues.hpp"
#include "model/state/view.hpp"

/// Wavelets that are late: a link has brought them, and they may not leave the router yet. Those
/// that come by far links may be so for long, and are then more than a router's queue holds.
namespace weft::model {

/// The wavelets that came to a lane by a far link, as a ring of Timing::far_depth().
WEFT_INLINE FarWavelet* ring_of(const View& v, const FarQueue& far, int lane) {
  const auto place = static_cast<std::size_t>(count(far.lanes & (lane_bit(lane) - 1)));
  return v.far_wavelets + far.ring + place * v.timing.far_depth();
}

/// The lanes of a queue's far lanes whose head may not leave yet.
[[gnu::noinline, gnu::cold]] WEFT_OWN Mask late_from_far(const View& v, const PortQueue& q,
                                                         std::uint64_t now) {
  const FarQueue& far = v.far_queues[q.far - 1];
  return where(far.lanes & q.valid[0],
               [&](int lane) { return ring_of(v, far, lane)[far.first[lane]].leaves > now; });
}

/// The lanes of a queue whose head may not leave yet, where Timing::late is not 0.
WEFT_INLINE Mask late_heads(const View& v, const PortQueue& q, std::uint64_t now) {
  const Mask fresh = v.timing.hop > 1 && q.fresh_cycle + 1 == now ? q.fresh & ~q.valid[1] : 0;
  return q.far == 0 ? fresh : fresh | late_from_far(v, q, now);
}

/// Wavelets come to far lanes, for which there is room. put(lanes, entry): as push.
template <class Put>
[[gnu::noinline, gnu::cold]] void come_from_far(const View& v, FarQueue& far, Mask lanes,
                                                Mask control, std::uint64_t now, Put put) {
  Vector payload{};
  if (const Mask copied = with_payload(v, lanes, control); copied != 0) put(copied, payload.at);
  for_each(lanes, [&](int lane) {
    const std::uint32_t depth = v.timing.far_depth();
    const std::uint32_t last = (far.first[lane] + far.held[lane]++) % depth;
    ring_of(v, far, lane)[last] = {now + v.timing.hop + v.timing.far_link, payload.at[lane],
                                   has(control, lane)};
  });
}

/// Notes when wavelets that a link has brought may leave, where Timing::late is not 0. Returns the
/// lanes whose wavelets are kept here, and come into the queue by show_far.
template <class Put>
WEFT_INLINE Mask come_late(const View& v, PortQueue& q, Mask lanes, Mask control, std::uint64_t now,
                           Put put) {
  Mask kept = 0;
  if (q.far != 0) {
    FarQueue& far = v.far_queues[q.far - 1];
    kept = lanes & far.lanes;
    if (kept != 0) come_from_far(v, far, kept, control, now, put);
  }
  if (v.timing.hop > 1) {
    const Mask fresh = lanes & ~kept;
    q.fresh = q.fresh_cycle == now ? q.fresh | fresh : fresh;
    q.fresh_cycle = now;
  }
  return kept;
}

/// The queue's first entries in a lane are again the first wavelets that came from far. Returns
/// whether more may come.
WEFT_OWN bool show_first(const View& v, PortQueue& q, FarQueue& far, int lane) {
  const std::uint32_t depth = v.timing.far_depth();
  std::uint32_t shown = 0;
  while (shown < v.timing.router_depth && has(q.valid[shown], lane)) ++shown;
  const std::uint32_t left = far.shown[lane] - shown;
  far.first[lane] = (far.first[lane] + left) % depth;
  far.held[lane] -= left;
  for (; shown < v.timing.router_depth && shown < far.held[lane]; ++shown) {
    const FarWavelet& next = ring_of(v, far, lane)[(far.first[lane] + shown) % depth];
    q.valid[shown] |= lane_bit(lane);
    q.control[shown] =
        next.control ? q.control[shown] | lane_bit(lane) : q.control[shown] & ~lane_bit(lane);
    q.payload[shown].at[lane] = next.payload;
  }
  far.shown[lane] = shown;
  return far.held[lane] < depth;
}

/// After wavelets of these colors came or left, where far links take longer.
[[gnu::noinline, gnu::cold]] WEFT_OWN void show_far(const View& v, const StripState& strip,
                                                    std::uint32_t colors) {
  for_each(colors, [&](int color) {
    const ColorState& c = v.colors[strip.color_state[color]];
    for_each(c.ports, [&](int port) {
      PortQueue& q = v.port_queues[c.queue[port]];
      if (q.far == 0) return;
      FarQueue& far = v.far_queues[q.far - 1];
      q.more_room = where(far.lanes, [&](int lane) { return show_first(v, q, far, lane); });
    });
  });
}

}  // namespace weft::model
