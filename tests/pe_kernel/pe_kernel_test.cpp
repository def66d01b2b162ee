// The PE kernel against the specification, on the host's CUDA.
#include <gtest/gtest.h>

#include <iostream>

#include "differential/on_demand.hpp"
#include "differential/valid_case.hpp"
#include "pe_kernel/manner.hpp"
#include "pe_step/traffic.hpp"
#include "support/effort.hpp"

namespace weft::test::pe_kernel_test {
namespace {

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
    const Case c = for_pes(draw(seed));
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

TEST(PeKernel, RandomFabricsAgreeWithTheReference) {
  const auto cases = by_effort<std::uint64_t>(20, 60, 240);
  const Reached reached = run_seeds(few_colors, seed_from(61000000), cases);
  if (HasFailure() || !many_cases()) return;
  EXPECT_GT(reached.quiet, cases / 5);
  EXPECT_GT(reached.fault, cases / 10);
  EXPECT_GT(reached.hops, cases);
}

TEST(PeKernel, HostedFabricsAgreeWithTheReference) {
  const auto cases = by_effort<std::uint64_t>(20, 60, 240);
  const Reached reached = run_seeds(hosted_case, seed_from(64000000), cases);
  if (HasFailure() || !many_cases()) return;
  EXPECT_GT(reached.host_sent, cases / 4);
  EXPECT_GT(reached.host_words, cases / 10);
}

TEST(PeKernel, TrafficAgreesWithTheReference) {
  const auto cases = by_effort<std::uint64_t>(10, 30, 80);
  const Reached reached = run_seeds(traffic_case, seed_from(62000000), cases);
  if (HasFailure() || !many_cases()) return;
  EXPECT_GT(reached.hops, cases * 50);
}

TEST(PeKernel, ValidProgramsAgreeWithTheReference) {
  const auto cases = by_effort<std::uint64_t>(1, 4, 12);
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
