// The host's engine counts as the specification does, on random fabrics and programs: each PE,
// color, line and window of time, with each combination of accelerations, in one run or in pieces.
#include <gtest/gtest.h>

#include <functional>

#include "differential/case.hpp"
#include "differential/valid_case.hpp"
#include "support/effort.hpp"

namespace weft::test::counting_test {
namespace {

bool differs(const Case& c) { return run(c).difference.has_value(); }

/// A case of a seed, observed by one of some numbers of windows, on one thread or two.
Case observed(std::uint64_t seed, const std::function<Case(std::uint64_t)>& draw) {
  constexpr int kWindows[] = {0, 16, 64, 1024};
  Case c = draw(seed);
  c.observe = {true, kWindows[seed % 4]};
  c.fast = accelerations(static_cast<unsigned>(seed / 4 % kCombinations));
  c.threads = 1 + static_cast<int>(seed / 2 % 2);
  return c;
}

/// The first that differs is cut down and shown. Returns the links that wavelets crossed.
std::uint64_t expect_agreement(std::uint64_t first, std::uint64_t cases,
                               const std::function<Case(std::uint64_t)>& draw) {
  std::uint64_t hops = 0;
  for (std::uint64_t seed = seed_from(first), last = seed + cases; seed < last; ++seed) {
    const Case c = observed(seed, draw);
    const Outcome outcome = run(c);
    hops += outcome.hops;
    if (!outcome.difference) continue;
    const Case small = shrink(c, differs);
    ADD_FAILURE() << "seed " << seed << ": " << describe(*outcome.difference)
                  << "\ncut down: " << describe(*run(small).difference) << "\nc.observe = {true, "
                  << small.observe.windows << "};\n\n"
                  << print(small);
    break;
  }
  return hops;
}

TEST(Counting, RandomFabricsCountAsTheReference) {
  const std::uint64_t hops = expect_agreement(91'000'000, by_effort<std::uint64_t>(100, 600, 3000),
                                              [](std::uint64_t seed) { return random_case(seed); });
  EXPECT_GT(hops, 0U);
}

TEST(Counting, HostedFabricsCountAsTheReference) {
  const std::uint64_t hops =
      expect_agreement(92'000'000, by_effort<std::uint64_t>(50, 200, 1000), hosted_case);
  EXPECT_GT(hops, 0U);
}

TEST(Counting, ValidProgramsCountAsTheReference) {
  const std::uint64_t hops =
      expect_agreement(93'000'000, by_effort<std::uint64_t>(10, 30, 120), valid_case);
  EXPECT_GT(hops, 0U);
}

}  // namespace
}  // namespace weft::test::counting_test
