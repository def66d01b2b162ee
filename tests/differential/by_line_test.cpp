// Stepping by line against the specification (src/spec/), on random fabrics: the same end, or none.
#include <gtest/gtest.h>

#include <iostream>

#include "differential/case.hpp"
#include "differential/on_demand.hpp"
#include "support/mesh.hpp"

namespace weft::test::by_line_test {
namespace {

struct Reached {
  std::uint64_t tried = 0, met = 0, ended = 0, hops = 0, delivered = 0, filtered = 0;
};

bool differs(const Case& c) { return run_by_line(c).outcome.difference.has_value(); }

/// The first that differs is cut down and shown.
Reached run_seeds(std::uint64_t first, std::uint64_t cases, Case (*make)(std::uint64_t)) {
  Reached reached;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const Case c = make(seed);
    const ByLine one = run_by_line(c);
    if (one.tried) ++reached.tried;
    if (one.met) ++reached.met;
    if (one.tried && !one.met) {
      ++reached.ended;
      if (one.outcome.hops != 0) ++reached.hops;
      if (one.outcome.delivered != 0) ++reached.delivered;
      if (one.outcome.filtered != 0) ++reached.filtered;
    }
    if (!one.outcome.difference) continue;
    const Case small = shrink(c, differs);
    ADD_FAILURE() << "seed " << seed << " (" << engine::step_variant()
                  << "): " << describe(*one.outcome.difference)
                  << "\ncut down: " << describe(*run_by_line(small).outcome.difference)
                  << "\nto be run by run_by_line:\n\n"
                  << print(small);
    break;
  }
  std::cout << cases << " cases, seeds " << first << " to " << first + cases - 1
            << ", step variant " << engine::step_variant() << ": " << reached.tried
            << " stepped by line, " << reached.met << " met, " << reached.ended
            << " ended; of these, wavelets crossed links in " << reached.hops
            << ", reached cores in " << reached.delivered << ", were filtered in "
            << reached.filtered << "\n";
  return reached;
}

Case any_case(std::uint64_t seed) { return random_case(seed); }

TEST(RandomFabricsByLine, StraightOnesAgreeWithTheReference) {
  const auto cases = by_effort<std::uint64_t>(30, 60, 600);
  const Reached reached = run_seeds(seed_from(1), cases, straight_case);
  if (HasFailure() || !many_cases()) return;
  EXPECT_GT(reached.tried, cases * 9 / 10);
  EXPECT_GT(reached.met, 0U);
  EXPECT_GT(reached.ended, cases / 50);
  EXPECT_GT(reached.hops, 0U);
  EXPECT_GT(reached.delivered, 0U);
}

// Most of these have colors that bend, swaps or FIFOs, and are stepped as always.
TEST(RandomFabricsByLine, AnyAgreeWithTheReference) {
  const auto cases = by_effort<std::uint64_t>(30, 60, 150);
  const Reached reached = run_seeds(seed_from(1), cases, any_case);
  EXPECT_LT(reached.tried, cases);
}

TEST(RandomFabricsOnDemand, AgreeWithTheReferenceByLine) {
  run_on_demand(
      [](std::uint64_t first, std::uint64_t cases) { run_seeds(first, cases, straight_case); });
}

}  // namespace
}  // namespace weft::test::by_line_test
