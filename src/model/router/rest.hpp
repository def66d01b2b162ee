#pragma once

#include "model/lanes/loops.hpp"
#include "model/lanes/neighbours.hpp"
#include "model/state/view.hpp"

/// Links that carry less than one wavelet a cycle: they rest in the first cycles of each period.
namespace weft::model {

/// A wavelet that has come to a router can leave it in this cycle, where all clocks are one: it is
/// not late, and no link rests.
WEFT_INLINE bool leaves_at_once(const View& v, std::uint64_t now) {
  return v.timing.late == 0 && !(v.links_rest && v.timing.rest_in(now));
}

/// The lanes whose link leads from one die to the next.
template <class L>
WEFT_INLINE Mask between_dies(const View& v, const Place& at, Port link) {
  const int next = link == Port::east || link == Port::south ? 1 : 0;
  return L::Hooks::where_along(v, at, link, [&](int place, bool along_row) {
    return v.timing.die_ends(place, next, along_row);
  });
}

/// Of the lanes whose link may rest, those whose link leads to a PE: links to the host do not rest.
/// Out of the way of fabrics without a host.
template <class L>
[[gnu::noinline, gnu::cold]] Mask may_rest_inside(const View& v, const Place& at, Port link) {
  const int step = link == Port::east || link == Port::south ? 1 : -1;
  const Mask inside = L::Hooks::where_along(v, at, link, [&](int place, bool along_row) {
    const int next = place + step;
    return next >= 0 && next < (along_row ? v.width : v.height);
  });
  return v.timing.without_dies() ? inside : inside & between_dies<L>(v, at, link);
}

/// The lanes whose link is one of those that rest, where links rest at all.
template <class L>
WEFT_INLINE Mask may_rest(const View& v, const Place& at, Port link) {
  if constexpr (L::kRowWakes)  // no host stands beside lines
    if (v.host != nullptr) [[unlikely]]
      return may_rest_inside<L>(v, at, link);
  return v.timing.without_dies() ? kAllLanes : between_dies<L>(v, at, link);
}

/// The lanes of `free`, whose wavelet would leave, that wait because a link rests in this cycle.
template <class L>
WEFT_INLINE Mask kept_by_rest(const View& v, const Place& at, const ColorState& c, Mask free,
                              std::uint64_t now) {
  if (!v.links_rest) return 0;
  free &= L::Hooks::while_links_rest(v, now);
  if (free == 0) return 0;
  Mask kept = 0;
  for_each(c.exits, [&](int link) {
    const Mask wants = free & c.tx[link];
    if (wants != 0) kept |= wants & may_rest<L>(v, at, static_cast<Port>(link));
  });
  return kept;
}

}  // namespace weft::model
