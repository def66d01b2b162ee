#pragma once

#include "model/lanes/lane_vectors.hpp"
#include "model/lanes/neighbours.hpp"
#include "model/queues.hpp"
#include "model/router/far.hpp"

/// Arrivals in a strip's routers by their links.
namespace weft::model {

/// Puts arrivals of a color, of which there are some, into the router's queues, or into those of
/// the color it is swapped with. Returns the colors that grew.
template <class Put>
WEFT_INLINE std::uint32_t take_in(const View& v, Place at, int color, Port port, Mask in,
                                  Mask control, std::uint64_t now, Put put) {
  const StripState& strip = v.strip[at.index];
  const int n = static_cast<int>(port);
  const bool swaps = (strip.swaps >> color & 1U) != 0;
  const Mask swapped = swaps ? in & v.colors[strip.color_state[color]].swap[n] : 0;
  std::uint32_t grown = 0;
  const int queues = swapped != 0 ? 2 : 1;
#pragma GCC unroll 1
  for (int other = 0; other < queues; ++other) {
    const int to = color ^ other;
    const Mask lanes = other == 0 ? in & ~swapped : swapped;
    if (lanes == 0) continue;
    PortQueue& q = v.port_queues[v.colors[strip.color_state[to]].queue[n]];
    Mask at_once = lanes;
    if (port != Port::ramp && v.timing.late != 0)
      at_once &= ~come_late(v, q, lanes, control, now, put);
    push(v, q, at_once, control, put);
    grown |= 1U << to;
  }
  return grown;
}

/// Pulls what comes from one side: `beyond` is the strip there, if any. `left`: something left this
/// strip in this cycle. Returns the colors that came.
template <class L, Port side>
WEFT_INLINE std::uint32_t pull(const View& v, Place at, bool left, const StripState* beyond,
                               std::uint64_t now) {
  constexpr Port link = opposite(side);
  constexpr int n = static_cast<int>(link);
  const StripState& own = v.strip[at.index];
  const std::uint32_t inside = left ? own.sent[n] : 0U;
  const std::uint32_t outside =
      beyond != nullptr && beyond->left_cycle == now ? beyond->sent[n] : 0U;
  if ((inside | outside) == 0) return 0;
  const StripState& other = beyond != nullptr ? *beyond : own;  // from there nothing comes
  std::uint32_t came = 0;
  for (std::uint32_t rest = (inside | outside) & own.colors; rest != 0; rest &= rest - 1) {
    const int color = lowest(rest);
    const ColorState& c = v.colors[own.color_state[color]];
    const std::int32_t there = (outside >> color & 1U) != 0 ? c.beyond[static_cast<int>(side)] : -1;
    const Mask in =
        neighbours<side, typename L::Shape>((inside >> color & 1U) != 0 ? c.sent[n] : Mask{0},
                                            there < 0 ? Mask{0} : v.colors[there].sent[n]);
    if (in == 0) continue;
    const Mask control =
        neighbours<side, typename L::Shape>(own.link_control[n], other.link_control[n]);
    came |= take_in(v, at, color, side, in, control, now, [&](Mask lanes, std::uint32_t* d) {
      copy_from<side, typename L::Shape>(lanes, d, own.link[n].at, other.link[n].at);
    });
  }
  return came;
}

/// Pulls wavelets from the four neighbours. Returns the colors that came.
template <class L>
WEFT_INLINE std::uint32_t pull_links(const View& v, Place at, bool left, std::uint64_t now) {
  const auto beside = [&](bool there, int away) {
    return there ? &v.strip[at.index + away] : nullptr;
  };
  std::uint32_t came =
      pull<L, Port::south>(v, at, left, beside(at.row + 1 < v.rows, v.strips), now) |
      pull<L, Port::north>(v, at, left, beside(at.row > 0, -v.strips), now);
  if constexpr (L::Shape::kHasWestAndEast)
    came |= pull<L, Port::west>(v, at, left, beside(at.column > 0, -1), now) |
            pull<L, Port::east>(v, at, left, beside(at.column + 1 < v.strips, 1), now);
  return came;
}

}  // namespace weft::model
