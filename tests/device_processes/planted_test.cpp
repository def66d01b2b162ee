// What routers do, planted at the rows beside a cut: devices of two processes, or of three, do what
// that of one does, cycle by cycle, and in one run.
#include "distributed/planted.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "cuda_on_host/cuda.hpp"
#include "device_processes/shared_devices.hpp"
#include "distributed/same_as_one.hpp"
#include "distributed/thread_processes.hpp"
#include "support/effort.hpp"
#include "weft/fabric.hpp"

namespace weft::test::planted_test {
namespace {

class AtACutOfDevices : public SharedDevices, public testing::WithParamInterface<Planted> {};

TEST_P(AtACutOfDevices, ProcessesDoWhatOneDoes) {
  const std::uint64_t seed = seed_from(42'000'000);
  std::vector<std::uint64_t> first(by_effort<std::size_t>(12, 24, 80));
  std::iota(first.begin(), first.end(), 1);
  for (const bool each_cycle : {true, false})
    for (const int size : {2, 3}) {
      choose({.multiprocessors = size == 2 ? 1 : 4,
              .order = static_cast<int>((seed + static_cast<std::uint64_t>(size)) % 3),
              .seed = seed});
      Compared compared = compared_planted(GetParam(), {.engine = Engine::cuda});
      if (each_cycle) compared.stops = first;
      compared.stops.push_back(kEndOfPlanted);
      Team team{.size = size, .delays = size == 3 ? 5U : 0U};
      ASSERT_EQ(difference(compared, team), "") << size << " processes, seed " << seed;
      if (!each_cycle) {
        EXPECT_GT(traffic_of_run(compared, team).messages, 0U);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Planted, AtACutOfDevices, testing::ValuesIn(planted_at_cuts()));

}  // namespace
}  // namespace weft::test::planted_test
