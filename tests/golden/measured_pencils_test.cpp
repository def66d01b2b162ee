// The profile wse2-pencils takes the cycles that the authors of wsFFT measured for pencils.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "weft/fft.hpp"

namespace weft::test::measured_pencils_test {
namespace {

double flops_per_cycle(int n, FftPrecision precision, const Machine& machine) {
  std::vector<std::complex<float>> pencil(static_cast<std::size_t>(n));
  const auto cycles =
      static_cast<double>(run_fft_pencil(pencil, precision, FftDirection::forward, machine));
  return 5 * n * std::log2(n) / cycles;
}

/// Orenes-Vera et al., section 5.1: the last points of Figure 3, and the rates of 850,000 pencils.
TEST(MeasuredPencils, AreMetByAProfile) {
  const Machine machine = machine_profile("wse2-pencils");
  constexpr double kWithin = 0.025, kAll = 850e3 * 850e6;
  const auto near = [](double ours, double measured) {
    EXPECT_NEAR(ours / measured, 1, kWithin) << ours << " and " << measured;
  };
  near(flops_per_cycle(4096, FftPrecision::fp16, machine), 0.89);
  near(flops_per_cycle(2048, FftPrecision::fp32, machine), 0.57);
  near(kAll * flops_per_cycle(2048, FftPrecision::fp16, machine), 612e12);
  near(kAll * flops_per_cycle(2048, FftPrecision::fp32, machine), 409e12);
}

}  // namespace
}  // namespace weft::test::measured_pencils_test
