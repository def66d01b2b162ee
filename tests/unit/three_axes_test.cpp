// Three axes of an array over a mesh, as APE's Algorithm 5 divides four (docs/transforms.md): axis
// 0 along y; axes 1 and 2 share x, axis 2 among neighbours, axis 1 among every p2-th PE. Counts the
// colors and the busiest link of a step of both ways round a ring, in which each PE sends a number.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "weft/patterns.hpp"
#include "weft/types.hpp"

namespace weft::test::three_axes_test {
namespace {

struct Counts {
  int colors, link;
  bool operator==(const Counts&) const = default;
};

/// Rings of `length` places, in groups of `pitch` neighbours along a line: the places of a ring are
/// `pitch` PEs apart. A router has one route for a color, so its messages each want one.
Counts of_ring(int length, int pitch) {
  std::vector<std::pair<int, int>> ways;
  for (int offset = 0; offset < pitch; ++offset)
    for (int z = 0; z < length; ++z)
      for (const int to : {(z + 1) % length, (z + length - 1) % length})
        ways.emplace_back(RingShift::pe_at(z, length) * pitch + offset,
                          RingShift::pe_at(to, length) * pitch + offset);
  Counts counts{0, 0};
  for (int pe = 0; pe < length * pitch; ++pe) {
    int here = 0, onwards = 0;
    for (const auto& [from, to] : ways) {
      here += std::min(from, to) <= pe && pe <= std::max(from, to) ? 1 : 0;
      onwards += from <= pe && pe < to ? 1 : 0;
    }
    counts = {std::max(counts.colors, here), std::max(counts.link, onwards)};
  }
  return counts;
}

TEST(ThreeAxes, WantMoreColorsThanARouterHas) {
  for (const int length : {4, 8, 16})
    for (const int pitch : {1, 2, 4, 8})
      EXPECT_EQ(of_ring(length, pitch), (Counts{4 * pitch + 2, 2 * pitch}))
          << length << " places, " << pitch << " PEs apart";
  const auto colors_of_all = [](int p0, int p1, int p2) {
    return of_ring(p0, 1).colors + of_ring(p1, p2).colors + of_ring(p2, 1).colors;
  };
  EXPECT_EQ(colors_of_all(8, 8, 4), 30);
  EXPECT_GT(colors_of_all(8, 8, 4), kColors);
}

}  // namespace
}  // namespace weft::test::three_axes_test
