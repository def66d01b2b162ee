// Fabrics that processes share, each with a device, do the same as those of one process with one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "cuda_on_host/cuda.hpp"
#include "device_processes/shared_devices.hpp"
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

/// The devices of a case: few multiprocessors, whose tiles are large, or many; threads in any
/// order.
void draw_devices(Dice& dice) {
  cuda_on_host::Control& control = cuda_on_host::control();
  control.multiprocessors = dice.pick({1, 2, 3, 132});
  control.order = static_cast<cuda_on_host::Order>(dice.roll(0, 2));
  control.seed = static_cast<std::uint64_t>(dice.roll(1, 1000));
}

Case tall_case(std::uint64_t seed) {
  Dice dice(mixed(seed ^ 0x67707573U));
  Case c = random_case(seed, dice.roll(1, 20), dice.roll(5, 18));
  c.stops.emplace();
  if (dice.chance(70)) c.stops->push_back(static_cast<std::uint64_t>(dice.roll(1, 60)));
  if (dice.chance(50)) c.stops->push_back(static_cast<std::uint64_t>(dice.roll(60, 300)));
  c.fast = accelerations(static_cast<unsigned>(dice.roll(0, static_cast<int>(kCombinations) - 1)));
  c.machine.die_link_cycles = 0;  // the engine has no far links
  draw_devices(dice);
  return c;
}

TEST_F(SharedDevices, RandomFabricsDoTheSameAsOfOneProcess) {
  const auto cases = by_effort<std::uint64_t>(4, 16, 60);
  std::uint64_t bytes = 0;
  for (std::uint64_t seed = seed_from(41'000'000), last = seed + cases; seed < last; ++seed) {
    const Case c = tall_case(seed);
    Team team = team_for(c, seed);
    ASSERT_EQ(difference(compared_on(c, Engine::cuda), team), "") << "seed " << seed << "\n"
                                                                  << print(c);
    bytes += team.traffic.bytes;
  }
  EXPECT_TRUE(bytes > 0 || !many_cases()) << "nothing came over a cut";
}

}  // namespace
}  // namespace weft::test::random_fabrics_test
