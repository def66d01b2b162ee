// Fabrics that processes share do the same as those of one process: random ones, and random
// programs that are right.
#include <gtest/gtest.h>

#include <algorithm>
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

/// So many processes as strips allow, at most four; delays in every third case.
Team team_for(const Case& c, std::uint64_t seed) {
  const int most = std::min(4, model::strips_down(c.height));
  Team team;
  team.size = 2 + static_cast<int>(seed % static_cast<std::uint64_t>(most - 1));
  team.delays = seed % 3 == 0 ? seed + 1 : 0;
  return team;
}

Case tall_case(std::uint64_t seed) {
  Dice dice(mixed(seed ^ 0x73686172U));
  Case c = random_case(seed, dice.roll(1, 20), dice.roll(5, 18));
  c.stops.emplace();
  if (dice.chance(70)) c.stops->push_back(static_cast<std::uint64_t>(dice.roll(1, 60)));
  if (dice.chance(50)) c.stops->push_back(static_cast<std::uint64_t>(dice.roll(60, 300)));
  c.block = dice.chance(50) ? dice.roll(1, 32) : 0;
  c.threads = dice.roll(1, 3);
  c.fast = accelerations(static_cast<unsigned>(dice.roll(0, static_cast<int>(kCombinations) - 1)));
  return c;
}

TEST(SharedFabrics, RandomOnesDoTheSameAsOfOneProcess) {
  const auto cases = by_effort<std::uint64_t>(20, 150, 500);
  std::uint64_t messages = 0;
  for (std::uint64_t seed = seed_from(31'000'000), last = seed + cases; seed < last; ++seed) {
    const Case c = tall_case(seed);
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
