#include <gtest/gtest.h>

#include <array>
#include <string_view>

#include "machine/nearest.hpp"

namespace weft::test {
namespace {

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

TEST(Nearest, IsTheSmallestDistanceAndTheFirstOfEquals) {
  constexpr std::array<std::string_view, 3> kWords = {"clock", "ramp", "lamp"};
  EXPECT_EQ(nearest("rampp", kWords), "ramp");
  EXPECT_EQ(nearest("cluck", kWords), "clock");
  EXPECT_EQ(nearest("damp", kWords), "ramp");
}

}  // namespace
}  // namespace weft::test
