#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weft/patterns.hpp"

/// Folded rings (RingShift): which color a PE sends by, and the routes.
namespace weft::patterns {

/// The two ways round a ring: from a place to the next one, or to the one before.
inline constexpr int kOnwards = 0, kBackwards = 1;

/// A way of a ring takes three colors. Its streams lie over one another like shingles: a PE sends
/// one, passes another on and receives a third. So the color goes by the lowest PE of a stream's
/// links, modulo 3 (between the first two PEs, as if the lowest were the one before the first).
inline int ring_color(int pe, int way, int length) {
  const bool to_last = (pe % 2 == 0) == (way == kOnwards);
  const int lowest = to_last ? (pe == length - 1 ? pe - 1 : pe) : (pe == 0 ? -1 : pe - 2);
  return (lowest + 3) % 3;
}

/// A route of one PE of the line.
struct RingRoute {
  int pe;
  int color;  ///< number in the way's three
  Port rx, tx;
};

/// Of all streams of a way round a ring of so many PEs.
std::vector<RingRoute> ring_routes(int length, Along along, int way);

}  // namespace weft::patterns
