// The lane and strip of a PE's neighbours: masks and copies agree with where PEs stand.
#include "model/lanes/neighbours.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "model/lanes/lane_vectors.hpp"
#include "model/state.hpp"

namespace weft::test::neighbours_test {
namespace {

using namespace model;

constexpr int kColumns = 3, kRows = 3;  // strips: the one in the middle has all four neighbours
constexpr int kMiddle = kColumns + 1;

template <Port kSide>
struct Side {
  static constexpr Port side = kSide;
};

template <class T>
class Neighbours : public testing::Test {};
using Sides =
    testing::Types<Side<Port::west>, Side<Port::east>, Side<Port::south>, Side<Port::north>>;
TYPED_TEST_SUITE(Neighbours, Sides);

/// The address of the PE beside the middle strip's lane.
LaneAddress beside(Port side, int lane) {
  const Place at{kMiddle, 1, 1};
  const int x = at.x(lane) + (side == Port::east) - (side == Port::west);
  const int y = at.y(lane) + (side == Port::south) - (side == Port::north);
  return address_of(kColumns, x, y);
}

const AnySide& side_of(Port side) { return kSides<Block>[static_cast<int>(side)]; }

int strip_beyond(Port side) { return beside(side, lowest(side_of(side).edge)).strip; }

TYPED_TEST(Neighbours, MasksAreThoseOfThePesBeside) {
  constexpr Port side = TypeParam::side;
  std::mt19937_64 random(1);
  for (int n = 0; n < 200; ++n) {
    std::vector<Mask> masks(kColumns * kRows);
    for (Mask& mask : masks) mask = random();
    const Mask own = masks[kMiddle], beyond = masks[static_cast<std::size_t>(strip_beyond(side))];
    Mask expected = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      const LaneAddress address = beside(side, lane);
      EXPECT_EQ(has(side_of(side).edge, lane), address.strip != kMiddle);
      if (has(masks[static_cast<std::size_t>(address.strip)], address.lane))
        expected |= lane_bit(lane);
    }
    EXPECT_EQ(neighbours<side>(own, beyond), expected);
    EXPECT_EQ(neighbours(side_of(side), own, beyond), expected);
  }
}

TYPED_TEST(Neighbours, CopiesTakeTheWordsOfThePesBeside) {
  constexpr Port side = TypeParam::side;
  std::mt19937_64 random(2);
  for (int n = 0; n < 200; ++n) {
    const Mask mask = n == 0 ? kAllLanes : random();
    std::vector<Vector> strips(kColumns * kRows + 2);  // one more on either side
    for (Vector& strip : strips)
      for (std::uint32_t& word : strip.at) word = static_cast<std::uint32_t>(random());
    const auto strip = [&](int number) -> const Vector& {
      return strips[static_cast<std::size_t>(number) + 1];
    };
    Vector taken{};
    copy_from<side, Block>(mask, taken.at, strip(kMiddle).at, strip(strip_beyond(side)).at);
    for (int lane = 0; lane < kLanes; ++lane) {
      const LaneAddress address = beside(side, lane);
      EXPECT_EQ(taken.at[lane], has(mask, lane) ? strip(address.strip).at[address.lane] : 0U)
          << lane;
    }
  }
}

TEST(LaneAddress, APlaceAndALaneAreInverse) {
  for (int y = 0; y < kRows * kStripHeight; ++y)
    for (int x = 0; x < kColumns * kStripWidth; ++x) {
      const LaneAddress address = address_of(kColumns, x, y);
      const Place at{address.strip, address.strip / kColumns, address.strip % kColumns};
      EXPECT_EQ(at.x(address.lane), x);
      EXPECT_EQ(at.y(address.lane), y);
    }
}

TYPED_TEST(Neighbours, AbreastLinesMeetNobodyBesideThem) {
  constexpr Port side = TypeParam::side;
  if (side == Port::west || side == Port::east) GTEST_SKIP() << "nothing crosses from line to line";
  std::mt19937_64 random(2);
  const Mask own = random(), beyond = random();
  EXPECT_EQ((neighbours<side, Abreast>(own, beyond)), beyond);
  EXPECT_EQ(kSides<Abreast>[static_cast<int>(side)].edge, kAllLanes);
  Vector to{}, from{};
  for (std::uint32_t& word : from.at) word = static_cast<std::uint32_t>(random());
  copy_from<side, Abreast>(own, to.at, to.at, from.at);
  for (int lane = 0; lane < kLanes; ++lane)
    EXPECT_EQ(to.at[lane], has(own, lane) ? from.at[lane] : 0U);
}

}  // namespace
}  // namespace weft::test::neighbours_test
