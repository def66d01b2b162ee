#pragma once

#include "model/lanes/neighbours.hpp"
#include "model/state/view.hpp"

/// Links that carry less than one wavelet a cycle: they rest in the first cycle of each period.
namespace weft::model {

WEFT_HD bool links_rest(const View& v, std::uint64_t now) {
  return v.links_rest && now % v.timing.link_period() == 0;
}

/// The lanes whose link is one of those that rest.
template <class L>
WEFT_HD Mask resting(const View& v, const Place& at, Port link) {
  if (v.timing.die_width == 0 && v.timing.die_height == 0) return kAllLanes;
  const bool along_row = link == Port::west || link == Port::east;
  const auto size = static_cast<int>(along_row ? v.timing.die_width : v.timing.die_height);
  if (size == 0) return 0;
  const int next = link == Port::east || link == Port::south ? 1 : 0;  // where the die ends
  return L::where(kAllLanes, [&](int lane) {
    const int place = along_row ? L::Seams::x(v, at, lane) : L::Seams::y(v, at, lane);
    return (place + next) % size == 0;
  });
}

/// The lanes of `free`, whose wavelet would leave, that wait because a link rests.
template <class L>
WEFT_HD Mask kept_by_rest(const View& v, const Place& at, const ColorState& c, Mask free) {
  Mask kept = 0;
  L::template bits<kLinks>(c.exits, [&](int link) {
    const Mask wants = free & c.tx[link];
    if (wants != 0) kept |= wants & resting<L>(v, at, static_cast<Port>(link));
  });
  return kept;
}

}  // namespace weft::model
