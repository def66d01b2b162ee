// The differential test must find what is wrong, and cut it down.
#include <gtest/gtest.h>

#include <algorithm>

#include "differential/case.hpp"
#include "support/effort.hpp"

namespace weft::test::shrink_test {
namespace {

/// A planted fault: the reference loses the core's r0 when a control wavelet reaches an input
/// queue.
void forget(spec::Fabric& fabric) {
  for (int y = 0; y < fabric.height(); ++y)
    for (int x = 0; x < fabric.width(); ++x) {
      spec::Core& core = fabric.pe(x, y).core;
      for (const spec::Queue& queue : core.input)
        if (std::ranges::any_of(queue, &spec::Wavelet::control)) core.reg[0] ^= 1U;
    }
}

bool differs_if_forgetful(const Case& c) { return run(c, forget).difference.has_value(); }

TEST(Shrinker, CutsAPlantedDifferenceDown) {
  if (sanitized()) GTEST_SKIP() << too_long();
  int found = 0;
  for (std::uint64_t seed = 1; found < 3; ++seed) {
    ASSERT_LT(seed, 1000U) << "no case delivers a control wavelet to a core";
    const Case c = random_case(seed);
    if (!differs_if_forgetful(c)) continue;
    ++found;
    const Case small = shrink(c, differs_if_forgetful);
    EXPECT_TRUE(differs_if_forgetful(small));
    EXPECT_EQ(run(small).difference, std::nullopt);
    std::size_t instructions = 0;
    for (const auto& [where, program] : small.programs) instructions += program.code.size();
    // One PE sends itself a control wavelet: where to, what, how many, go, end.
    EXPECT_LE(small.width * small.height, 2) << print(small);
    EXPECT_LE(small.routes.size(), 2U) << print(small);
    EXPECT_LE(instructions, 6U) << print(small);
    EXPECT_TRUE(small.filters.empty()) << print(small);
  }
}

TEST(Shrinker, KeepsACaseThatDoesNotFail) {
  const Case c = random_case(1);
  EXPECT_EQ(print(shrink(c, [](const Case&) { return false; })), print(c));
}

}  // namespace
}  // namespace weft::test::shrink_test
