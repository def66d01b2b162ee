#pragma once

#include <cstdint>

#include "model/router/links.hpp"
#include "model/router/route.hpp"

/// Strips whose wavelets are all stuck: their step 1 is left out until something comes, room grows
/// beyond a link or on the ramp, or a program writes to the router. For the clock they stay busy:
/// they are visited, and look for this, in each cycle. The switch is Accelerations::shortcuts.
namespace weft::fast {

using namespace model;

/// Whether wavelets left a router beside a strip, or the ramp, in the cycle before, or a core wrote
/// to such a router.
WEFT_INLINE bool room_grew(const View& v, const Place& at, std::uint64_t now) {
  const auto grew = [&](bool there, int away) {
    return there && v.strip[at.index + away].room_grew + 1 == now;
  };
  return v.core[at.index].took_input + 1 == now || grew(at.column > 0, -1) ||
         grew(at.column + 1 < v.strips, 1) || grew(at.row + 1 < v.rows, v.strips) ||
         grew(at.row > 0, -v.strips);
}

/// The hooks `Base`, with this acceleration.
template <class Base>
struct Stuck : Base {
  template <class L>
  WEFT_INLINE static Done route(const View& v, const Place& at, std::uint64_t now) {
    StripState& strip = v.strip[at.index];
    if (strip.stuck && room_grew(v, at, now)) strip.stuck = false;
    if (!strip.stuck) return Base::template route<L>(v, at, now);
    clear_departures(strip, now);
    v.route_wake[at.index] = now + 1;
    return Done::idle;
  }
  WEFT_INLINE static void stays(const View& v, StripState& strip) {
    strip.stuck = strip.busy != 0 && v.fast.shortcuts && v.host == nullptr;
  }
  WEFT_INLINE static void published(StripState& strip, std::uint32_t came, std::uint32_t left,
                                    std::uint64_t now) {
    if (came != 0) strip.stuck = false;
    if (left != 0) strip.room_grew = now;
  }
  WEFT_INLINE static void written(const View& v, int strip, std::uint32_t colors) {
    Base::written(v, strip, colors);
    v.strip[strip].stuck = false;
  }
  WEFT_INLINE static void took_input(CoreState& core, std::uint64_t now) { core.took_input = now; }
};

}  // namespace weft::fast
