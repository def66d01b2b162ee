// Between tiles, and over jumps of the clock.
#include <gtest/gtest.h>

#include <set>

#include "pe_kernel/run_kernel.hpp"
#include "pe_step/corner_cases.hpp"
#include "support/effort.hpp"
#include "weft/error.hpp"

namespace weft::test::edges_test {
namespace {

using pe_kernel::kPatchHeight, pe_kernel::kPatchWidth;

/// Tiles of a patch; the first has one column and one row of the mesh.
Manner apart(const Case& c, std::uint64_t seed) {
  Manner m;
  m.pes.seed = seed;
  m.pes.every_cycle = false;
  m.pes.past_fault = true;
  m.kernel.engine.tiles = pe_kernel::tiles_of(c.width, c.height, kPatchWidth, kPatchHeight,
                                              kPatchWidth - 1, kPatchHeight - 1);
  return m;
}

TEST(PeKernelEdges, ARouteWrittenInEachCycleIsKnownInTheNextTile) {
  const unsigned cases = by_effort(4U, 16U, 64U);
  for (unsigned writes = 0; writes < cases; ++writes) {
    const Case c = shutter(writes * 11 % 64, static_cast<int>(writes % 7));
    const PeOutcome outcome = run_kernel(c, apart(c, writes));
    ASSERT_FALSE(outcome.difference) << writes << ": " << describe(*outcome.difference);
    EXPECT_EQ(outcome.delivered, 12U);
  }
}

TEST(PeKernelEdges, WaveletsOfFourTilesCollide) {
  std::set<int> named;
  for (int delay = 0; delay < by_effort(2, 8, 32); ++delay) {
    const Case c = crossing(delay);
    const PeOutcome outcome = run_kernel(c, apart(c, static_cast<std::uint64_t>(delay)));
    ASSERT_FALSE(outcome.difference) << describe(*outcome.difference);
    EXPECT_EQ(outcome.fault.kind, FaultKind::input_collision);
    named.insert(outcome.fault.color);
  }
  if (!many_cases()) return;
  EXPECT_EQ(named, (std::set<int>{kAlong, kDown}));
}

// In all cycles of a block of 32. A core that waits with a vector is then behind the fault's cycle.
TEST(PeKernelEdges, ACollisionBesideACoreThatWaitsKeepsItsCycle) {
  for (int delay = 0; delay < by_effort(4, 32, 32); ++delay) {
    const Case c = crossing(delay, true);
    const PeOutcome outcome = run_kernel(c, apart(c, static_cast<std::uint64_t>(delay)));
    ASSERT_FALSE(outcome.difference) << describe(*outcome.difference);
    EXPECT_EQ(outcome.fault.kind, FaultKind::input_collision);
  }
}

TEST(PeKernelEdges, ALongVectorIsJumpedOver) {
  const Case c = long_vector();
  const PeOutcome outcome = run_kernel(c, apart(c, 1));
  EXPECT_FALSE(outcome.difference) << describe(*outcome.difference);
  EXPECT_EQ(outcome.stop, spec::Fabric::Stop::quiet);
  EXPECT_GT(outcome.cycles, static_cast<std::uint64_t>(kMostElements));
  EXPECT_GT(outcome.counts.jumped, static_cast<std::uint64_t>(kMostElements) / 2);
}

// Blocks of two cycles, which tiles that are far from each other need not do at the same time.
TEST(PeKernelEdges, FactsOfAllTilesCountInEachBlockOfCycles) {
  const Case c = long_row(8 * kPatchWidth, by_effort(50, 200, 1000));
  Manner m = apart(c, 1);
  m.order = cuda_on_host::Order::sequential;
  const PeOutcome outcome = run_kernel(c, m);
  EXPECT_FALSE(outcome.difference) << describe(*outcome.difference);
  EXPECT_EQ(outcome.stop, spec::Fabric::Stop::quiet);
}

// The cycle after the last one in which something moved counts: wavelets are stuck in a tile that
// sleeps.
TEST(PeKernelEdges, ATileThatSleepsWithStuckWaveletsDecidesTheLastCycle) {
  const Case c = stuck_before_the_end();
  const PeOutcome outcome = run_kernel(c, apart(c, 1));
  EXPECT_FALSE(outcome.difference) << describe(*outcome.difference);
  EXPECT_EQ(outcome.stop, spec::Fabric::Stop::quiet);
  EXPECT_GT(outcome.cycles, 200U);
}

TEST(PeKernelEdges, TilesThatDoNotFitAtOnceAreAnError) {
  const Case c = crossing(0);
  Manner m = apart(c, 1);
  m.multiprocessors = 1;  // two blocks at once, of four
  EXPECT_THROW(run_kernel(c, m), Error);
}

}  // namespace
}  // namespace weft::test::edges_test
