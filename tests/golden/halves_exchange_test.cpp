// Cycles of the exchange by halves.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "exchanged.hpp"

namespace weft::test::halves_exchange_test {
namespace {

/// r m^3 (p^2 - 1) / 3 + p + 50 log2 p: the streams of the levels on the busiest link, their
/// control wavelets, and the start of each level.
double formula(const Exchanged& e) {
  const double r = e.precision == FftPrecision::fp16 ? 1 : 2, p = e.p;
  return r * e.m * e.m * e.m * (p * p - 1) / 3 + p + 50 * std::log2(p);
}

class HalvesExchange : public testing::TestWithParam<Exchanged> {};

TEST_P(HalvesExchange, TakesAboutItsFormula) {
  const Exchanged& e = GetParam();
  const FftRun fft = run(e, FftTranspose::halves);
  const auto& phases = fft.report.phases;
  EXPECT_EQ(phases[1].cycles, e.row);
  EXPECT_EQ(phases[3].cycles, e.column);
  for (const std::size_t phase : {1U, 3U})
    EXPECT_LE(static_cast<double>(phases[phase].cycles), 1.06 * formula(e)) << phases[phase].name;
  EXPECT_LT(fft.communication_cycles, run(e, FftTranspose::published).communication_cycles);
  if (e.m == 1) {
    EXPECT_LT(fft.communication_cycles, run(e, FftTranspose::ring).communication_cycles);
  }
}

INSTANTIATE_TEST_SUITE_P(All, HalvesExchange,
                         testing::Values(Exchanged{4, 1, FftPrecision::fp32, 115, 115},
                                         Exchanged{8, 1, FftPrecision::fp32, 165, 165},
                                         Exchanged{16, 1, FftPrecision::fp32, 350, 350},
                                         Exchanged{32, 1, FftPrecision::fp32, 970, 970},
                                         Exchanged{64, 1, FftPrecision::fp32, 3154, 3154},
                                         Exchanged{8, 1, FftPrecision::fp16, 157, 157},
                                         Exchanged{16, 1, FftPrecision::fp16, 238, 238},
                                         Exchanged{32, 1, FftPrecision::fp16, 643, 643},
                                         Exchanged{64, 1, FftPrecision::fp16, 1812, 1812},
                                         Exchanged{8, 2, FftPrecision::fp32, 463, 463},
                                         Exchanged{8, 4, FftPrecision::fp32, 2871, 2871},
                                         Exchanged{16, 2, FftPrecision::fp16, 861, 861},
                                         Exchanged{32, 2, FftPrecision::fp32, 5865, 5865}),
                         [](const auto& one) {
                           const Exchanged& e = one.param;
                           return "On" + std::to_string(e.p) + "With" + std::to_string(e.m) + "In" +
                                  std::string(to_string(e.precision));
                         });

}  // namespace
}  // namespace weft::test::halves_exchange_test
