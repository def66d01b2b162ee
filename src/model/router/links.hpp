#pragma once

#include "model/lanes/neighbours.hpp"
#include "model/state/view.hpp"
#include "model/wakes.hpp"

/// Departures from a strip's routers by their links.
namespace weft::model {

/// Nothing has left the strip in this cycle yet.
WEFT_INLINE void clear_departures(StripState& strip, std::uint64_t now) {
  strip.left = 0;
  for (std::uint32_t& colors : strip.sent) colors = 0;
  strip.left_cycle = now;
  strip.straight = false;
}

/// Wavelets of these lanes are on a link of the strip: delivers whom they lead to beyond it, in
/// this cycle.
template <class L, Port link>
WEFT_INLINE void wake_beyond(const View& v, const Place& at, Mask sent, std::uint64_t now) {
  constexpr int kRows = link == Port::south ? 1 : link == Port::north ? -1 : 0;
  constexpr int kAlong = link == Port::east ? 1 : link == Port::west ? -1 : 0;
  if ((sent & To<link, typename L::Shape>::kEdge) == 0) return;
  wake_now(v.deliver_wake[at.index + kRows * v.strips + kAlong], now);
  if constexpr (L::kRowWakes && kRows != 0) wake_now(v.deliver_row[at.row + kRows], now);
}

/// Wavelets are on these links of the strip: delivers it and whom they lead to, in this cycle. (The
/// strip's own row learns of it in route_row.)
template <class L>
WEFT_INLINE void wake_receivers(const View& v, const Place& at, const Mask* sent,
                                std::uint64_t now) {
  wake_now(v.deliver_wake[at.index], now);
  wake_beyond<L, Port::west>(v, at, sent[static_cast<int>(Port::west)], now);
  wake_beyond<L, Port::east>(v, at, sent[static_cast<int>(Port::east)], now);
  wake_beyond<L, Port::south>(v, at, sent[static_cast<int>(Port::south)], now);
  wake_beyond<L, Port::north>(v, at, sent[static_cast<int>(Port::north)], now);
}

}  // namespace weft::model
