// What routers do, planted at the rows beside a cut: both processes do what one does, cycle by
// cycle.
#include "distributed/planted.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "distributed/same_as_one.hpp"
#include "distributed/thread_processes.hpp"
#include "support/mesh.hpp"
#include "weft/fabric.hpp"

namespace weft::test::planted_test {
namespace {

class AtACut : public testing::TestWithParam<Planted> {};

TEST_P(AtACut, ProcessesDoWhatOneDoes) {
  const Planted& planted = GetParam();
  std::vector<std::uint64_t> first(80);
  std::iota(first.begin(), first.end(), 1);
  for (const bool each_cycle : {true, false})
    for (const int size : {2, 3})
      for (const int threads : {1, 2}) {
        Compared compared = compared_planted(planted, {.threads = threads});
        compared.threads = threads;
        if (each_cycle) compared.stops = first;
        compared.stops.push_back(kEndOfPlanted);
        Team team{.size = size, .delays = size == 3 ? 5U : 0U};
        ASSERT_EQ(difference(compared, team), "") << size << " processes";
        if (!each_cycle) {
          EXPECT_GT(traffic_of_run(compared, team).messages, 0U);
        }
      }
}

TEST_P(AtACut, TheCaseIsWhatItsNameSays) {
  const Planted& planted = GetParam();
  Mesh mesh = planted.make();
  mesh.start({.accelerate = {.by_line = false}});
  int fault_y = -1;
  try {
    mesh.run(kEndOfPlanted);
  } catch (const FaultError& error) {
    ASSERT_EQ(error.fault().kind, FaultKind::input_collision) << error.what();
    fault_y = error.fault().y;
  }
  EXPECT_EQ(fault_y, planted.fault_y);
  EXPECT_GE(mesh.fabric().counters().hops, planted.hops);
  EXPECT_EQ(mesh.fabric().counters().filtered, planted.filtered);
}

INSTANTIATE_TEST_SUITE_P(Planted, AtACut, testing::ValuesIn(planted_at_cuts()));

}  // namespace
}  // namespace weft::test::planted_test
