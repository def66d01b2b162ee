#pragma once

#include <array>
#include <string>
#include <vector>

#include "weft/patterns.hpp"

/// Folded rings (RingShift): which color a PE sends by, and the routes.
namespace weft::patterns {

/// The two ways round a ring: from a place to the next one, or to the one before.
inline constexpr int kOnwards = static_cast<int>(Around::onwards);
inline constexpr int kBackwards = static_cast<int>(Around::backwards);

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

/// Throws Error(program) unless lines of the rectangle have two PEs or more.
void check_ring(const Rect& where, Along along, const std::string& name);

/// The routes of a way by its colors.
void route_ring(Design& design, const Rect& where, Along along, int way,
                const std::array<Color, 3>& colors);

/// Colors for both ways at once, from six. A link carries a stream of each way, with other numbers
/// in their three, and routers give two colors turns of 2^k cycles, where bit k is the highest in
/// which they differ. So each number is given to the color that makes all turns shortest.
std::array<std::array<Color, 3>, 2> ring_colors(const std::array<Color, 6>& colors);

/// Of all streams of a way round a ring of so many PEs.
std::vector<RingRoute> ring_routes(int length, Along along, int way);

}  // namespace weft::patterns
