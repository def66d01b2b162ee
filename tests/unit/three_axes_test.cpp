// Three axes of an array over a mesh, as APE's Algorithm 5 divides four (docs/transforms.md): axis
// 0 along y; axes 1 and 2 share x, axis 2 among neighbours, axis 1 among every p2-th PE. Counts the
// colors and the busiest link of a step of both ways round a ring, in which each PE sends a number.
#include <gtest/gtest.h>

#include "support/ring_streams.hpp"
#include "weft/types.hpp"

namespace weft::test::three_axes_test {
namespace {

StreamCounts both_ways(int length, int pitch) { return streams_of_rings(length, pitch, {1, -1}); }

TEST(ThreeAxes, WantMoreColorsThanARouterHas) {
  for (const int length : {4, 8, 16})
    for (const int pitch : {1, 2, 4, 8})
      EXPECT_EQ(both_ways(length, pitch), (StreamCounts{4 * pitch + 2, 2 * pitch}))
          << length << " places, " << pitch << " PEs apart";
  const auto colors_of_all = [](int p0, int p1, int p2) {
    return both_ways(p0, 1).colors + both_ways(p1, p2).colors + both_ways(p2, 1).colors;
  };
  EXPECT_EQ(colors_of_all(8, 8, 4), 30);
  EXPECT_GT(colors_of_all(8, 8, 4), kColors);
}

}  // namespace
}  // namespace weft::test::three_axes_test
