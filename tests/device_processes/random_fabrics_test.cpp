// Fabrics that processes share, each with a device, do the same as those of one process with one.
#include <gtest/gtest.h>

#include <cstdint>

#include "cuda_on_host/cuda.hpp"
#include "device_processes/shared_devices.hpp"
#include "differential/case.hpp"
#include "differential/dice.hpp"
#include "distributed/same_as_one.hpp"
#include "distributed/thread_processes.hpp"
#include "support/effort.hpp"

namespace weft::test::random_fabrics_test {
namespace {

/// The devices of a case: few multiprocessors, whose tiles are large, or many; threads in any
/// order.
void draw_devices(Dice& dice) {
  cuda_on_host::Control& control = cuda_on_host::control();
  control.multiprocessors = dice.pick({1, 2, 3, 132});
  control.order = static_cast<cuda_on_host::Order>(dice.roll(0, 2));
  control.seed = static_cast<std::uint64_t>(dice.roll(1, 1000));
}

Case case_on_devices(std::uint64_t seed) {
  Dice dice(mixed(seed ^ 0x67707573U));
  Case c = tall_case(seed, dice);
  c.machine.die_link_cycles = 0;  // the engine has no far links
  draw_devices(dice);
  return c;
}

TEST_F(SharedDevices, RandomFabricsDoTheSameAsOfOneProcess) {
  const auto cases = by_effort<std::uint64_t>(4, 16, 60);
  std::uint64_t bytes = 0;
  for (std::uint64_t seed = seed_from(41'000'000), last = seed + cases; seed < last; ++seed) {
    const Case c = case_on_devices(seed);
    Team team = team_for(c, seed);
    ASSERT_EQ(difference(compared_on(c, Engine::cuda), team), "") << "seed " << seed << "\n"
                                                                  << print(c);
    bytes += team.traffic.bytes;
  }
  EXPECT_TRUE(bytes > 0 || !many_cases()) << "nothing came over a cut";
}

}  // namespace
}  // namespace weft::test::random_fabrics_test
