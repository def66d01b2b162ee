#pragma once

#include <type_traits>

#include "model/neighbours.hpp"
#include "model/state.hpp"

/// What leaves a strip's routers by their links.
namespace weft::model {

/// f(link), which is a constant there.
template <class F>
WEFT_HD auto with_link(Port link, F f) {
  switch (link) {
    case Port::west:
      return f(std::integral_constant<Port, Port::west>{});
    case Port::east:
      return f(std::integral_constant<Port, Port::east>{});
    case Port::south:
      return f(std::integral_constant<Port, Port::south>{});
    default:
      return f(std::integral_constant<Port, Port::north>{});
  }
}

/// Nothing has left the strip in this cycle yet.
WEFT_HD void none_left(StripState& strip, std::uint64_t now) {
  strip.left = 0;
  for (std::uint32_t& colors : strip.sent) colors = 0;
  strip.left_cycle = now;
  strip.straight = false;
}

/// Data wavelets of a color, in the lanes `go`, have left the strip by a link, and nothing else of
/// the color has. `color_bit`: as in StripState::left.
WEFT_HD void note_sent(StripState& strip, ColorState& c, std::uint32_t color_bit, int link,
                       Mask go) {
  c.sent[link] = go;
  strip.link_control[link] &= ~go;
  strip.sent[link] |= color_bit;
  strip.left |= color_bit;
  strip.hops += static_cast<std::uint64_t>(count(go));
}

/// Wavelets of these lanes are on a link of the strip: delivers whom they lead to beyond it, in
/// this cycle.
template <class L, Port link>
WEFT_HD void wake_beyond(const View& v, const Place& at, Mask sent, std::uint64_t now) {
  constexpr int kRows = link == Port::south ? 1 : link == Port::north ? -1 : 0;
  constexpr int kAlong = link == Port::east ? 1 : link == Port::west ? -1 : 0;
  if ((sent & To<link, typename L::Shape>::kEdge) == 0) return;
  L::publish(v.deliver_wake[at.index + kRows * v.strips + kAlong], now);
  if constexpr (L::kRowWakes && kRows != 0) L::publish(v.deliver_row[at.row + kRows], now);
}

}  // namespace weft::model
