// Cycles of the exchange around a ring.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "exchanged.hpp"

namespace weft::test::ring_exchange_test {
namespace {

/// r m^3 (p^2 / 4 + 2.5 p) + 17 p + 330: the links to the opposite place, two and a half copies of
/// a PE's numbers, and the turns.
double formula(const Exchanged& e) {
  const double r = e.precision == FftPrecision::fp16 ? 1 : 2, p = e.p;
  return r * e.m * e.m * e.m * (p * p / 4 + 2.5 * p) + 17 * p + 330;
}

class RingExchange : public testing::TestWithParam<Exchanged> {};

TEST_P(RingExchange, TakesNoMoreThanItsFormula) {
  const Exchanged& e = GetParam();
  const FftRun fft = run(e, FftTranspose::ring);
  const auto& phases = fft.report.phases;
  for (const std::size_t phase : {1U, 3U})
    EXPECT_LE(static_cast<double>(phases[phase].cycles), formula(e)) << phases[phase].name;
  EXPECT_EQ(phases[1].cycles, e.row);
  EXPECT_EQ(phases[3].cycles, e.column);
}

INSTANTIATE_TEST_SUITE_P(All, RingExchange,
                         testing::Values(Exchanged{4, 1, FftPrecision::fp32, 348, 350},
                                         Exchanged{8, 1, FftPrecision::fp32, 475, 478},
                                         Exchanged{16, 1, FftPrecision::fp32, 717, 720},
                                         Exchanged{32, 1, FftPrecision::fp32, 1338, 1356},
                                         Exchanged{64, 1, FftPrecision::fp32, 3541, 3539},
                                         Exchanged{8, 1, FftPrecision::fp16, 453, 460},
                                         Exchanged{16, 1, FftPrecision::fp16, 676, 679},
                                         Exchanged{32, 1, FftPrecision::fp16, 1117, 1120},
                                         Exchanged{64, 1, FftPrecision::fp16, 2428, 2387},
                                         Exchanged{8, 2, FftPrecision::fp32, 941, 948},
                                         Exchanged{8, 4, FftPrecision::fp32, 4950, 4957},
                                         Exchanged{16, 2, FftPrecision::fp16, 1303, 1308}),
                         [](const auto& one) {
                           const Exchanged& e = one.param;
                           return fmt::format("{}{}x{}", to_string(e.precision), e.p, e.m);
                         });

/// Half of the published way from 32 PEs on.
TEST(RingTransform, TakesFewerCyclesThanThePublishedOne) {
  for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16})
    for (const int p : {8, 16, 32}) {
      const Exchanged e{p, 1, precision, 0, 0};
      const auto communication = [&](FftTranspose transpose) {
        return static_cast<double>(run(e, transpose).communication_cycles);
      };
      EXPECT_LT(communication(FftTranspose::ring), (p == 32   ? 0.5
                                                    : p == 16 ? 0.6
                                                              : 0.75) *
                                                       communication(FftTranspose::published))
          << p;
    }
}

}  // namespace
}  // namespace weft::test::ring_exchange_test
