// The way of the data around a ring, and its routes (src/patterns/ring_code.cpp has the steps).
#include "patterns/ring_places.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace weft::test::ring_places_test {
namespace {

using patterns::kBackwards;
using patterns::kOnwards;

/// A part's slots: buffers[place][slot], of the room (0) and the numbers (1).
using Buffer = std::vector<std::vector<std::pair<int, int>>>;

/// Parts (from, to) of p places: skewed, shifted in steps of one place, and skewed back.
std::vector<std::vector<std::pair<int, int>>> transposed(int p) {
  const int onwards = p / 2, backwards = (p - 1) / 2;
  const auto place = [p](int z) { return (z + p) % p; };
  const auto size = static_cast<std::size_t>(p);
  Buffer buffers[2] = {Buffer(size, std::vector<std::pair<int, int>>(size)),
                       Buffer(size, std::vector<std::pair<int, int>>(size))};
  const auto at = [&](int buffer, int z, int slot) -> std::pair<int, int>& {
    return buffers[buffer][static_cast<std::size_t>(place(z))][static_cast<std::size_t>(slot)];
  };
  for (int z = 0; z < p; ++z) {
    for (int d = 1; d <= onwards; ++d) at(0, z, d - 1) = {z, place(z + d)};
    for (int d = 1; d <= backwards; ++d) at(0, z, onwards + d - 1) = {z, place(z - d)};
  }
  for (int t = 1; t <= onwards; ++t)
    for (int z = 0; z < p; ++z) {
      const int from = (t + 1) % 2, to = t % 2;
      for (int d = t; d <= onwards; ++d) at(to, z + 1, d - 1) = at(from, z, d - 1);
      for (int d = t; d <= backwards; ++d)
        at(to, z - 1, onwards + d - 1) = at(from, z, onwards + d - 1);
    }
  std::vector<std::vector<std::pair<int, int>>> all(size, std::vector<std::pair<int, int>>(size));
  for (int z = 0; z < p; ++z) {
    auto& mine = all[static_cast<std::size_t>(z)];
    mine[static_cast<std::size_t>(z)] = {z, z};
    for (int d = 1; d <= onwards; ++d)
      mine[static_cast<std::size_t>(place(z - d))] = at(d % 2, z, d - 1);
    for (int d = 1; d <= backwards; ++d)
      mine[static_cast<std::size_t>(place(z + d))] = at(d % 2, z, onwards + d - 1);
  }
  return all;
}

TEST(Ring, ShiftsTheShorterWayRoundTranspose) {
  for (int p = 2; p <= 17; ++p) {
    const auto all = transposed(p);
    for (int z = 0; z < p; ++z)
      for (int from = 0; from < p; ++from)
        EXPECT_EQ(all[static_cast<std::size_t>(z)][static_cast<std::size_t>(from)],
                  std::pair(from, z))
            << p;
  }
}

/// A color leads one stream through a PE, and each PE sends one stream and receives one.
TEST(Ring, RoutesDoNotMeet) {
  for (int length = 2; length <= 33; ++length)
    for (const int way : {kOnwards, kBackwards}) {
      std::set<std::pair<int, int>> taken;
      std::map<int, int> sends, receives;
      for (const patterns::RingRoute& route : patterns::ring_routes(length, Along::rows, way)) {
        EXPECT_TRUE(taken.emplace(route.pe, route.color).second) << length;
        if (route.rx == Port::ramp) ++sends[route.pe];
        if (route.tx == Port::ramp) ++receives[route.pe];
      }
      for (int pe = 0; pe < length; ++pe) {
        EXPECT_EQ(sends[pe], 1) << length;
        EXPECT_EQ(receives[pe], 1) << length;
      }
    }
}

TEST(Ring, RoutesLeadFromPlaceToPlace) {
  for (int length = 2; length <= 33; ++length)
    for (const int way : {kOnwards, kBackwards}) {
      std::map<std::pair<int, int>, Port> ahead;
      for (const patterns::RingRoute& route : patterns::ring_routes(length, Along::columns, way))
        ahead[{route.pe, route.color}] = route.tx;
      for (int place = 0; place < length; ++place) {
        int pe = RingShift::pe_at(place, length);
        const int color = patterns::ring_color(pe, way, length);
        for (int links = 0; ahead.at({pe, color}) != Port::ramp; ++links) {
          ASSERT_LT(links, 2);
          pe += ahead.at({pe, color}) == Port::south ? 1 : -1;
        }
        EXPECT_EQ(RingShift::place_of(pe, length),
                  (place + (way == kOnwards ? 1 : length - 1)) % length);
      }
    }
}

}  // namespace
}  // namespace weft::test::ring_places_test
