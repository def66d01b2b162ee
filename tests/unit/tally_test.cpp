// Counts as binary digits: masks add one in their lanes.
#include "counting/tally.hpp"

#include <gtest/gtest.h>

#include <random>

namespace weft::test::tally_test {
namespace {

using model::kLanes;
using model::Mask;

TEST(Tally, TakesOutWhatWasAdded) {
  std::mt19937_64 random(1);
  model::Tally tally{};
  for (const int times : {0, 1, 3, 100, 255, 256, 300, 2048}) {
    std::uint32_t wanted[kLanes]{};
    for (int n = 0; n < times; ++n) {
      const Mask lanes = random() | random();
      counting::add(tally, lanes);
      for (int i = 0; i < kLanes; ++i) wanted[i] += lanes >> i & 1U;
    }
    counting::add(tally, 1, 50'000);
    wanted[0] += 50'000;
    model::Vector added{}, taken{};
    for (std::uint32_t& number : added.at) number = 7;
    counting::add_numbers(tally, added.at);
    EXPECT_TRUE(counting::take(tally, taken));
    for (int i = 0; i < kLanes; ++i) {
      EXPECT_EQ(taken.at[i], wanted[i]) << times << " times, lane " << i;
      EXPECT_EQ(added.at[i], wanted[i] + 7) << times << " times, lane " << i;
    }
    EXPECT_FALSE(counting::take(tally, taken)) << "it is empty";
  }
}

}  // namespace
}  // namespace weft::test::tally_test
