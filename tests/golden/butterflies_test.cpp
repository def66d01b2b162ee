// Cycles of butterflies between PEs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "exchanged.hpp"
#include "support/effort.hpp"

namespace weft::test::butterflies_test {
namespace {

/// r p (p - 1) + (5 p + 60) log2 p, in FP16 2.5 p: on each level a half of the PEs send all that
/// they have across the middle, and then each computes.
double formula(const Exchanged& e) {
  const bool halves = e.precision == FftPrecision::fp16;
  const double r = halves ? 1 : 2, p = e.p;
  return r * p * (p - 1) + ((halves ? 2.5 : 5) * p + 60) * std::log2(p);
}

class ButterfliesBetweenPes : public testing::TestWithParam<Exchanged> {};

TEST_P(ButterfliesBetweenPes, TakeAboutTheirFormula) {
  const Exchanged& e = GetParam();
  const auto& phases = run(e, FftTranspose::butterflies).report.phases;
  EXPECT_EQ(phases[1].cycles, e.row);
  EXPECT_EQ(phases[3].cycles, e.column);
  for (const std::size_t phase : {1U, 3U})
    EXPECT_NEAR(static_cast<double>(phases[phase].cycles), formula(e), 0.16 * formula(e));
}

INSTANTIATE_TEST_SUITE_P(All, ButterfliesBetweenPes,
                         testing::Values(Exchanged{4, 1, FftPrecision::fp32, 205, 205},
                                         Exchanged{8, 1, FftPrecision::fp32, 454, 454},
                                         Exchanged{16, 1, FftPrecision::fp32, 1012, 1012},
                                         Exchanged{32, 1, FftPrecision::fp32, 3040, 3055},
                                         Exchanged{64, 1, FftPrecision::fp32, 10319, 10358},
                                         Exchanged{4, 1, FftPrecision::fp16, 175, 175},
                                         Exchanged{8, 1, FftPrecision::fp16, 338, 338},
                                         Exchanged{16, 1, FftPrecision::fp16, 646, 646},
                                         Exchanged{32, 1, FftPrecision::fp16, 1618, 1668},
                                         Exchanged{64, 1, FftPrecision::fp16, 5235, 5264}),
                         [](const auto& cycles) {
                           const Exchanged& e = cycles.param;
                           return fmt::format("{}On{}", to_string(e.precision), e.p);
                         });

/// Fewer than the published exchange and pencils in their place; more than around a ring with
/// radix 4 from 16 numbers on in FP32, from 32 on in FP16.
TEST(ButterfliesBetweenPes, BeatThePublishedTransformAndNotRings) {
  if (sanitized()) GTEST_SKIP() << too_long();
  for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16})
    for (const int p : {8, 16, 32}) {
      const auto cycles = [&](FftTranspose transpose, FftPencil pencil) {
        const auto n = static_cast<std::size_t>(p);
        FftOptions options{.transpose = transpose, .pencil = pencil, .data = false};
        return FftPlan({n, n, n}, precision, options).forward({}).report.cycles;
      };
      SCOPED_TRACE(p);
      EXPECT_LT(cycles(FftTranspose::butterflies, FftPencil::radix2),
                cycles(FftTranspose::automatic, FftPencil::radix2));
      EXPECT_LT(cycles(FftTranspose::butterflies, FftPencil::radix4),
                cycles(FftTranspose::automatic, FftPencil::radix4));
      const bool few = p < (precision == FftPrecision::fp32 ? 16 : 32);
      EXPECT_EQ(cycles(FftTranspose::butterflies, FftPencil::radix4) <
                    cycles(FftTranspose::ring, FftPencil::radix4),
                few);
    }
}

}  // namespace
}  // namespace weft::test::butterflies_test
