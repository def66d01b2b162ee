// PEs of src/pe count what the specification counts, on random fabrics and programs: in a random
// order and on two threads, with cores that are ahead of the clock or wait, and jumps of the clock.
#include <gtest/gtest.h>

#include "differential/counted_case.hpp"
#include "differential/valid_case.hpp"
#include "pe/phases.hpp"
#include "pe_step/run_pes.hpp"
#include "pe_step/traffic.hpp"
#include "support/effort.hpp"

namespace weft::test::pe_counting_test {
namespace {

// docs/pe-step.md tells how many words a PE's counts take.
static_assert(pe::row::colors == 60 && pe::row::kOfColor == 6 && pe::phase_row::count == 19 &&
              model::kSeries == 9);

/// Things that the cases of a range reach.
struct Reached {
  std::uint64_t whole = 0, hops = 0, sent = 0;  ///< whole: cases without a fault
  PeCounts counts;
};

Reached run_seeds(const std::function<Case(std::uint64_t)>& draw, std::uint64_t first,
                  std::uint64_t cases, int every_cycle, bool two_threads = false) {
  Reached reached;
  for (std::uint64_t seed = seed_from(first), last = seed + cases; seed < last; ++seed) {
    const Case c = for_pes(counted_case(seed, draw));
    const PeOptions options{.seed = seed,
                            .two_threads = two_threads,
                            .every_cycle = seed % 100 < static_cast<std::uint64_t>(every_cycle)};
    const PeOutcome outcome = run_pes(c, options);
    reached.whole += outcome.stop != spec::Fabric::Stop::fault ? 1 : 0;
    reached.hops += outcome.hops;
    reached.sent += outcome.host_sent;
    reached.counts.add(outcome.counts);
    if (!outcome.difference) continue;
    const Case small =
        shrink(c, [&](const Case& less) { return run_pes(less, options).difference.has_value(); });
    ADD_FAILURE() << "seed " << seed << ": " << describe(*outcome.difference)
                  << "\ncut down: " << describe(*run_pes(small, options).difference)
                  << "\nc.observe = {true, " << small.observe.windows << "};\n\n"
                  << print(small);
    break;
  }
  return reached;
}

class PeCounting : public testing::Test {
 protected:
  void SetUp() override {
    if (looks_for_races()) GTEST_SKIP() << one_thread();
  }
};

TEST_F(PeCounting, RandomFabricsCountAsTheReference) {
  const auto cases = by_effort<std::uint64_t>(60, 300, 600);
  const Reached reached =
      run_seeds([](std::uint64_t seed) { return random_case(seed); }, 53'000'000, cases, 40);
  if (HasFailure() || !many_cases()) return;
  EXPECT_GT(reached.whole, cases / 4);
  EXPECT_GT(reached.hops, cases);
}

TEST_F(PeCounting, HostedFabricsCountAsTheReference) {
  const auto cases = by_effort<std::uint64_t>(40, 150, 300);
  const Reached reached = run_seeds(hosted_case, 54'000'000, cases, 40);
  EXPECT_TRUE(HasFailure() || reached.sent > cases || !many_cases());
}

TEST_F(PeCounting, TrafficCountsAsTheReference) {
  const auto cases = by_effort<std::uint64_t>(20, 80, 160);
  const Reached reached = run_seeds(traffic_case, 55'000'000, cases, 40);
  EXPECT_TRUE(HasFailure() || reached.hops > cases * 30 || !many_cases());
}

TEST_F(PeCounting, ValidProgramsCountAsTheReference) {
  const auto cases = by_effort<std::uint64_t>(6, 20, 32);
  const Reached reached = run_seeds(valid_case, 56'000'000, cases, 0);
  if (HasFailure() || !many_cases()) return;
  EXPECT_GT(reached.counts.jumped, cases * 10);
  EXPECT_GT(reached.counts.ahead, cases);
}

TEST(PeCountingOnThreads, PesOfACycleCountAtTheSameTime) {
  const auto cases = looks_for_races() ? 10 : by_effort<std::uint64_t>(4, 20, 24);
  run_seeds([](std::uint64_t seed) { return random_case(seed); }, 57'000'000, cases, 30, true);
  const Reached traffic = run_seeds(traffic_case, 57'000'000, cases, 30, true);
  EXPECT_TRUE(traffic.counts.threads > cases || !(many_cases() || looks_for_races()));
}

}  // namespace
}  // namespace weft::test::pe_counting_test
