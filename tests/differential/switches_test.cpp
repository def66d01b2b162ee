// Each acceleration is right without the others and in any combination with them.
#include <gtest/gtest.h>

#include <functional>

#include "differential/case.hpp"
#include "differential/valid_case.hpp"
#include "support/mesh.hpp"

namespace weft::test::switches_test {
namespace {

/// Runs cases of several seeds with these switches, as `difference` does, and shows the first one
/// that differs, cut down. Goes on until `reached`, which all cases together must.
void expect_agreement(unsigned bits, std::uint64_t cases,
                      const std::function<Case(std::uint64_t)>& draw,
                      const std::function<Outcome(const Case&)>& run_it,
                      const std::function<bool()>& reached) {
  const auto differs = [&](const Case& c) { return run_it(c).difference.has_value(); };
  constexpr std::uint64_t kMost = 100;  // seeds of a combination
  for (std::uint64_t n = 0; n < cases || (!reached() && n < kMost); ++n) {
    const std::uint64_t seed = seed_from(7000000 + bits * 1000 + n);
    Case c = draw(seed);
    c.fast = accelerations(bits);
    const Outcome outcome = run_it(c);
    if (!outcome.difference) continue;
    ADD_FAILURE() << "seed " << seed << ": " << describe(*outcome.difference) << "\n\n"
                  << print(shrink(c, differs));
    return;
  }
  EXPECT_TRUE(reached());
}

class Switches : public testing::TestWithParam<unsigned> {};

TEST_P(Switches, RandomFabricsAgreeWithTheReference) {
  const auto draw = [](std::uint64_t seed) { return random_case(seed); };
  expect_agreement(
      GetParam(), by_effort<std::uint64_t>(1, 5, 12), draw, [](const Case& c) { return run(c); },
      [] { return true; });
}

TEST_P(Switches, ValidProgramsAgreeWithTheReference) {
  std::uint64_t hops = 0;
  const auto run_it = [&](const Case& c) {
    const Outcome outcome = run(c);
    hops += outcome.hops;
    return outcome;
  };
  expect_agreement(GetParam(), by_effort<std::uint64_t>(1, 1, 2), valid_case, run_it,
                   [&] { return hops > 0; });
}

TEST_P(Switches, ValidProgramsAgreeWithTheReferenceByLine) {
  std::uint64_t ended = 0;
  const auto by_line = [&](const Case& c) {
    const ByLine one = run_by_line(c);
    if (one.tried && !one.met) ++ended;
    return one.outcome;
  };
  expect_agreement(GetParam(), by_effort<std::uint64_t>(1, 1, 3), valid_straight_case, by_line,
                   [&] { return ended > 0; });
}

INSTANTIATE_TEST_SUITE_P(Combinations, Switches, testing::Range(0U, kCombinations));

}  // namespace
}  // namespace weft::test::switches_test
