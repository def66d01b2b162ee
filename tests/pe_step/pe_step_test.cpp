// The PE step (src/pe) against the specification, on random fabrics.
#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <memory>
#include <string>

#include "differential/on_demand.hpp"
#include "differential/valid_case.hpp"
#include "engine/engine.hpp"
#include "pe_step/run_pes.hpp"
#include "pe_step/traffic.hpp"
#include "support/effort.hpp"

namespace weft::test::pe_step_test {
namespace {

/// Ends and events that the cases of a range reach: a test that reaches nothing finds nothing.
struct Reached {
  std::uint64_t quiet = 0, deadlock = 0, limit = 0, fault = 0, router_fault = 0, hops = 0,
                delivered = 0, filtered = 0, cycles = 0, host_sent = 0, host_words = 0;

  PeCounts counts;

  void add(const PeOutcome& o) {
    counts.add(o.counts);
    if (o.stop == spec::Fabric::Stop::fault) ++fault;
    if (o.fault.kind == FaultKind::input_collision ||
        o.fault.kind == FaultKind::queue_color_changed)
      ++router_fault;
    if (o.stop == spec::Fabric::Stop::limit) ++limit;
    if (o.stop == spec::Fabric::Stop::quiet) ++(o.deadlock ? deadlock : quiet);
    hops += o.hops;
    delivered += o.delivered;
    filtered += o.filtered;
    cycles += o.cycles;
    if (o.host_sent != 0) ++host_sent;
    if (o.host_words != 0) ++host_words;
  }
};

/// Each shape takes cases of few colors too.
PeOptions options_of(std::uint64_t seed, bool two_threads, int every_cycle) {
  Dice dice(mixed(seed ^ 0x9e5U));
  return {seed, dice.pick({4, 4, 8, kColors}), two_threads, dice.chance(every_cycle),
          dice.chance(80)};
}

using Draw = Case (*)(std::uint64_t seed);

/// `every_cycle`: percent of the cases that are compared so.
Reached run_seeds(Draw draw, std::uint64_t first, std::uint64_t cases, int every_cycle,
                  bool two_threads = false) {
  Reached reached;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const PeOptions options = options_of(seed, two_threads, every_cycle);
    const Case c = for_pes(draw(seed));
    const PeOutcome outcome = run_pes(c, options);
    reached.add(outcome);
    if (!outcome.difference) continue;
    const Case small =
        shrink(c, [&](const Case& less) { return run_pes(less, options).difference.has_value(); });
    ADD_FAILURE() << "seed " << seed << ": " << describe(*outcome.difference)
                  << "\ncut down: " << describe(*run_pes(small, options).difference) << "\n\n"
                  << print(small);
    break;
  }
  std::cout << cases << " cases, seeds " << first << " to " << first + cases - 1 << ": "
            << reached.quiet << " ended, " << reached.deadlock << " stuck, " << reached.fault
            << " faults (" << reached.router_fault << " of queues), " << reached.limit
            << " at their limit; " << reached.cycles << " cycles, " << reached.hops << " hops, "
            << reached.delivered << " delivered, " << reached.filtered << " filtered; "
            << "words of the host entered in " << reached.host_sent << ", came to it in "
            << reached.host_words << "; " << reached.counts.jumped << " cycles jumped over, "
            << reached.counts.ahead << " executed ahead, " << reached.counts.waited << " waits\n";
  return reached;
}

/// A program that is right, on a machine by name.
Case profile_case(std::uint64_t seed) {
  Case c = valid_case(seed);
  const auto profiles = machine_profiles();
  c.machine = machine_profile(profiles[seed % profiles.size()]);
  return c;
}

Case few_colors(std::uint64_t seed) { return random_case(seed); }

/// The end of a run without data: cycle, wavelets, hops, delivered, filtered.
using End = std::array<std::uint64_t, 5>;

End end_of_lanes(const Case& c) {
  fabric::State state = state_of(c);
  state.data = false;
  const engine::RunResult result = engine::run_on_host(state.view(), 0, {c.limit, 1, {}, 0});
  End end{result.cycle};
  for (std::size_t i = 0; i < state.strip_count(); ++i) {
    const model::StripState& s = state.strip[i];
    end = {end[0], end[1] + s.wavelets, end[2] + s.hops, end[3] + s.delivered, end[4] + s.filtered};
  }
  return end;
}

End end_of_pes(const Case& c, std::uint64_t seed) {
  const std::unique_ptr<PeFabric> pes = make_pe_fabric(c, {.seed = seed, .data = false});
  pes->run(c.limit);
  const pe::Totals t = pes->totals();
  return {pes->cycle(), t.wavelets, t.hops, t.delivered, t.filtered};
}

// The specification always has data.
TEST(PeStepWithoutData, EndsAsTheLaneStep) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const auto cases = by_effort<std::uint64_t>(5, 20, 25);
  std::uint64_t cycles = 0;
  for (std::uint64_t seed = seed_from(50000000), n = 0; n < cases; ++n, ++seed) {
    const Case c = for_pes(valid_case(seed));
    const End end = end_of_pes(c, seed);
    EXPECT_EQ(end, end_of_lanes(c)) << seed;
    cycles += end[0];
  }
  EXPECT_TRUE(cycles > cases * 100 || !many_cases());
}

class PeStep : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (looks_for_races()) GTEST_SKIP() << one_thread();
  }
};

TEST_P(PeStep, RandomFabricsAgreeWithTheReference) {
  const auto cases = by_effort<std::uint64_t>(30, 150, 500);
  const std::uint64_t first = 41000000 + static_cast<std::uint64_t>(GetParam()) * 1000000;
  const Reached reached = run_seeds(few_colors, seed_from(first), cases, 60);
  if (HasFailure() || !many_cases()) return;
  EXPECT_GT(reached.quiet, cases / 100);
  EXPECT_GT(reached.deadlock, cases / 10);
  EXPECT_GT(reached.fault, cases / 10);
  EXPECT_GT(reached.router_fault, cases / 100);
  EXPECT_GT(reached.limit, cases / 30);
  EXPECT_GT(reached.hops, cases);
  EXPECT_GT(reached.filtered, cases / 10);
}

TEST_P(PeStep, HostedFabricsAgreeWithTheReference) {
  const auto cases = by_effort<std::uint64_t>(30, 150, 800);
  const std::uint64_t first = 47000000 + static_cast<std::uint64_t>(GetParam()) * 1000000;
  const Reached reached = run_seeds(hosted_case, seed_from(first), cases, 60);
  if (HasFailure() || !many_cases()) return;
  EXPECT_GT(reached.host_sent, cases / 4);
  EXPECT_GT(reached.host_words, cases / 10);
  EXPECT_GT(reached.deadlock, cases / 10);
  EXPECT_GT(reached.quiet, 0U);
  EXPECT_GT(reached.counts.jumped, cases);
}

TEST_P(PeStep, TrafficAgreesWithTheReference) {
  const auto cases = by_effort<std::uint64_t>(15, 80, 250);
  const std::uint64_t first = 45000000 + static_cast<std::uint64_t>(GetParam()) * 1000000;
  const Reached reached = run_seeds(traffic_case, seed_from(first), cases, 60);
  if (HasFailure() || !many_cases()) return;
  EXPECT_GT(reached.hops, cases * 50);
  EXPECT_GT(reached.filtered, cases * 10);
  EXPECT_GT(reached.router_fault, cases / 30);
  EXPECT_GT(reached.limit, cases / 2);
}

TEST_P(PeStep, ValidProgramsAgreeWithTheReference) {
  const auto cases = by_effort<std::uint64_t>(3, 15, 25);
  const std::uint64_t first = 52000000 + static_cast<std::uint64_t>(GetParam()) * 1000000;
  const Reached reached = run_seeds(valid_case, seed_from(first), cases, 5);
  const Reached named = run_seeds(profile_case, seed_from(first), cases / 10 + 1, 0);
  if (HasFailure() || !many_cases()) return;
  EXPECT_GT(reached.quiet, cases / 2);
  EXPECT_GT(reached.hops, cases * 100);
  EXPECT_GT(reached.counts.jumped, cases * 10);
  EXPECT_GT(reached.counts.ahead, cases * 10);
  EXPECT_GT(reached.counts.waited, cases);
  EXPECT_GT(named.quiet, cases / 20);
}

INSTANTIATE_TEST_SUITE_P(Shards, PeStep, testing::Range(0, 4));

TEST(PeStepOnThreads, PesOfACycleStepAtTheSameTime) {
  // Threads are for ThreadSanitizer; other sanitizers see the same code in the tests above.
  const auto cases = looks_for_races() ? 20 : by_effort<std::uint64_t>(8, 40, 60);
  run_seeds(few_colors, seed_from(49000000), cases, 30, true);
  run_seeds(traffic_case, seed_from(49000000), cases / 2, 30, true);
  run_seeds(hosted_case, seed_from(49000000), cases / 2, 30, true);
  const Reached valid = run_seeds(valid_case, seed_from(49000000), cases / 4, 0, true);
  EXPECT_TRUE(valid.counts.threads > cases || !(many_cases() || looks_for_races()));
}

TEST(PeStepOnDemand, AgreesWithTheReference) {
  run_on_demand([](std::uint64_t first, std::uint64_t cases) {
    run_seeds(few_colors, first, cases, 50);
    run_seeds(hosted_case, first, cases, 50);
    run_seeds(traffic_case, first, cases, 50);
    run_seeds(valid_case, first, cases, 5);
  });
}

}  // namespace
}  // namespace weft::test::pe_step_test
