// The PE kernel against the specification, on the host's CUDA.
#include <gtest/gtest.h>

#include <iostream>

#include "differential/on_demand.hpp"
#include "differential/valid_case.hpp"
#include "pe_kernel/run_kernel.hpp"
#include "pe_step/traffic.hpp"
#include "support/effort.hpp"

namespace weft::test::pe_kernel_test {
namespace {

using pe_kernel::kPatchHeight, pe_kernel::kPatchWidth;

/// Tiles of few patches, in which the mesh begins anywhere: even small meshes have several.
pe_kernel::Tiles cut(const Case& c, Dice& dice) {
  const int width = kPatchWidth * dice.roll(1, 2), height = kPatchHeight * dice.roll(1, 3);
  return pe_kernel::tiles_of(c.width, c.height, width, height, dice.roll(0, width - 1),
                             dice.roll(0, height - 1));
}

Manner manner_of(const Case& c, std::uint64_t seed) {
  Dice dice(mixed(seed ^ 0x6e51U));
  Manner m;
  m.pes.seed = seed;
  m.pes.colors = dice.pick({4, 4, 8, kColors});
  m.pes.every_cycle = dice.chance(20);
  m.pes.tally = dice.chance(80);
  m.pes.past_fault = !m.pes.every_cycle;
  m.multiprocessors = dice.pick({1, 2, 132});
  const bool planned = dice.chance(30);
  m.kernel.engine.tiles =
      planned ? pe_kernel::choose_tiles(m.multiprocessors, c.width, c.height) : cut(c, dice);
  if (!planned) m.multiprocessors = 132;
  m.kernel.engine.threads = dice.pick({32, 64, 1024});
  if (dice.chance(70)) m.kernel.engine.near = static_cast<std::uint32_t>(dice.bits());
  m.kernel.block = dice.pick({0, 1, 2, 7});
  m.kernel.interrupt = dice.pick({0, 0, 10});
  m.order = dice.pick(
      {cuda_on_host::Order::sequential, cuda_on_host::Order::reverse, cuda_on_host::Order::random});
  return m;
}

PeOutcome run_case(const Case& c, std::uint64_t seed) { return run_kernel(c, manner_of(c, seed)); }

using Draw = Case (*)(std::uint64_t seed);

/// Ends and events that cases reach.
struct Reached {
  std::uint64_t quiet = 0, fault = 0, limit = 0, hops = 0, cycles = 0, host_sent = 0,
                host_words = 0;

  void add(const PeOutcome& o) {
    ++(o.stop == spec::Fabric::Stop::fault   ? fault
       : o.stop == spec::Fabric::Stop::quiet ? quiet
                                             : limit);
    hops += o.hops;
    cycles += o.cycles;
    if (o.host_sent != 0) ++host_sent;
    if (o.host_words != 0) ++host_words;
  }
};

Reached run_seeds(Draw draw, std::uint64_t first, std::uint64_t cases) {
  Reached reached;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const Case c = draw(seed);
    const PeOutcome outcome = run_case(c, seed);
    reached.add(outcome);
    if (!outcome.difference) continue;
    const Case small =
        shrink(c, [&](const Case& less) { return run_case(less, seed).difference.has_value(); });
    ADD_FAILURE() << "seed " << seed << ": " << describe(*outcome.difference)
                  << "\ncut down: " << describe(*run_case(small, seed).difference) << "\n\n"
                  << print(small);
    break;
  }
  std::cout << cases << " cases: " << reached.quiet << " ended, " << reached.fault << " faults, "
            << reached.limit << " at their limit; " << reached.cycles << " cycles, " << reached.hops
            << " hops; words of the host entered in " << reached.host_sent << ", came to it in "
            << reached.host_words << "\n";
  return reached;
}

Case few_colors(std::uint64_t seed) { return random_case(seed); }

/// A program that is right, on a mesh that CUDA on the host steps in a second.
Case small_valid_case(std::uint64_t seed) {
  Case c = valid_case(seed);
  while (c.width * c.height > 24) c = valid_case(seed += 1000000);
  return c;
}

TEST(PeKernel, RandomFabricsAgreeWithTheReference) {
  const auto cases = by_effort<std::uint64_t>(20, 60, 600);
  const Reached reached = run_seeds(few_colors, seed_from(61000000), cases);
  if (HasFailure() || !many_cases()) return;
  EXPECT_GT(reached.quiet, cases / 5);
  EXPECT_GT(reached.fault, cases / 10);
  EXPECT_GT(reached.hops, cases * 3);
}

TEST(PeKernel, HostedFabricsAgreeWithTheReference) {
  const auto cases = by_effort<std::uint64_t>(20, 60, 600);
  const Reached reached = run_seeds(hosted_case, seed_from(64000000), cases);
  if (HasFailure() || !many_cases()) return;
  EXPECT_GT(reached.host_sent, cases / 4);
  EXPECT_GT(reached.host_words, cases / 10);
}

TEST(PeKernel, TrafficAgreesWithTheReference) {
  const auto cases = by_effort<std::uint64_t>(10, 30, 200);
  const Reached reached = run_seeds(traffic_case, seed_from(62000000), cases);
  if (HasFailure() || !many_cases()) return;
  EXPECT_GT(reached.hops, cases * 50);
}

TEST(PeKernel, ValidProgramsAgreeWithTheReference) {
  const auto cases = by_effort<std::uint64_t>(1, 4, 30);
  const Reached reached = run_seeds(small_valid_case, seed_from(63000000), cases);
  if (HasFailure() || !many_cases()) return;
  EXPECT_GT(reached.quiet, cases / 2);
}

TEST(PeKernelOnDemand, AgreesWithTheReference) {
  run_on_demand([](std::uint64_t first, std::uint64_t cases) {
    run_seeds(few_colors, first, cases);
    run_seeds(hosted_case, first, cases);
    run_seeds(traffic_case, first, cases / 2);
    run_seeds(small_valid_case, first, cases / 10);
  });
}

}  // namespace
}  // namespace weft::test::pe_kernel_test
