#include "base/nearest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string_view>

namespace weft::test::nearest_test {
namespace {

using base::edit_distance;
using base::nearest;

TEST(EditDistance, CountsSingleChanges) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("ramp", "ramp"), 0u);
  EXPECT_EQ(edit_distance("ramp", ""), 4u);
  EXPECT_EQ(edit_distance("", "ramp"), 4u);
  EXPECT_EQ(edit_distance("ramp", "lamp"), 1u);
  EXPECT_EQ(edit_distance("ramp", "ram"), 1u);
  EXPECT_EQ(edit_distance("ramp", "cramp"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("sitting", "kitten"), 3u);
}

constexpr std::array<std::string_view, 5> kWords = {"clock", "ramp", "lamp", "ramp_cycles", "v"};

TEST(Nearest, IsTheSmallestDistanceAndTheFirstOfEquals) {
  EXPECT_EQ(nearest("rampp", kWords), "ramp");
  EXPECT_EQ(nearest("cluck", kWords), "clock");
  EXPECT_EQ(nearest("damp", kWords), "ramp");
  EXPECT_EQ(nearest("ramp_cicle", kWords), "ramp_cycles");
  EXPECT_EQ(nearest("LAMPS", kWords), "lamp");
}

TEST(Nearest, IsNoneIfTooMuchDiffers) {
  EXPECT_EQ(nearest("clack", kWords), "clock");
  EXPECT_EQ(nearest("flack", kWords), std::nullopt) << "two of five";
  EXPECT_EQ(nearest("mesh", kWords), std::nullopt);
  EXPECT_EQ(nearest("x", kWords), std::nullopt) << "nothing of it is left in v";
  EXPECT_EQ(nearest("", kWords), std::nullopt);
  EXPECT_EQ(nearest("ramp", {}), std::nullopt);
}

TEST(Nearest, IsFirstOfAllWhatBeginsWithTheWord) {
  EXPECT_EQ(nearest("ramp_", kWords), "ramp_cycles");
  EXPECT_EQ(nearest("cl", kWords), "clock");
  EXPECT_EQ(nearest("ra", kWords), "ramp") << "the shortest";
  EXPECT_EQ(nearest("c", kWords), std::nullopt) << "one letter is too little";
}

}  // namespace
}  // namespace weft::test::nearest_test
