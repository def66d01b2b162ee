// Fabrics that processes share do the same as those of one process: random ones, and random
// programs that are right.
#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>

#include "differential/case.hpp"
#include "differential/dice.hpp"
#include "differential/valid_case.hpp"
#include "distributed/same_as_one.hpp"
#include "distributed/thread_processes.hpp"
#include "model/lanes/lanes.hpp"
#include "support/effort.hpp"

namespace weft::test::random_fabrics_test {
namespace {

TEST(SharedFabrics, RandomOnesDoTheSameAsOfOneProcess) {
  const auto cases = by_effort<std::uint64_t>(20, 150, 500);
  std::uint64_t messages = 0;
  for (std::uint64_t seed = seed_from(31'000'000), last = seed + cases; seed < last; ++seed) {
    Dice dice(mixed(seed ^ 0x73686172U));
    const Case c = tall_case(seed, dice);
    Team team = team_for(c, seed);
    ASSERT_EQ(difference(c, team), "") << "seed " << seed << "\n" << print(c);
    messages += traffic_of_run(c, team).messages;
    ASSERT_EQ(difference_of_reports(c, team), "") << "seed " << seed << "\n" << print(c);
  }
  EXPECT_TRUE(messages > cases || !many_cases()) << "nothing came over a cut";
}

TEST(SharedFabrics, RightProgramsDoTheSameAsOfOneProcess) {
  const auto cases = by_effort<std::uint64_t>(6, 24, 50);
  std::uint64_t messages = 0, tall = 0;
  for (std::uint64_t seed = seed_from(32'000'000); tall < cases; ++seed) {
    Case c = valid_case(seed);
    if (c.height <= model::kStripHeight) continue;
    ++tall;
    c.threads = 1 + static_cast<int>(seed % 2);
    Team team = team_for(c, seed);
    ASSERT_EQ(difference(c, team), "") << "seed " << seed << "\n" << print(c);
    messages += traffic_of_run(c, team).messages;
    ASSERT_EQ(difference_of_reports(c, team), "") << "seed " << seed << "\n" << print(c);
  }
  EXPECT_TRUE(messages > cases || !many_cases()) << "nothing came over a cut";
}

}  // namespace
}  // namespace weft::test::random_fabrics_test
