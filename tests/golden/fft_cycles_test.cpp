// Cycle counts against the published ones (Orenes-Vera et al., "Wafer-Scale Fast Fourier
// Transforms").
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <string>

#include "io/volume_file.hpp"
#include "reference/reference.hpp"
#include "support/mesh.hpp"

namespace weft::test::fft_cycles_test {
namespace {

FftRun run(std::size_t n, FftDirection direction, std::uint64_t seed = 1,
           FftPrecision precision = FftPrecision::fp32) {
  const Shape3 shape{n, n, n};
  FftOptions options;
  options.threads = 2;
  return FftPlan(shape, precision, options).run(io::random_volume(shape, seed), direction);
}

/// Cycles of a transform, the result of which is right.
double total(std::size_t n, FftDirection direction, FftPrecision precision) {
  const FftRun one = run(n, direction, 1, precision);
  const auto expected = reference::fftw(io::random_volume({n, n, n}, 1), direction);
  EXPECT_LT(reference::compare(one.output.data, expected).rel_l2,
            fft_error_bound({n, n, n}, precision));
  return static_cast<double>(one.report.cycles);
}

void expect_within(double measured, double published, double share) {
  EXPECT_NEAR(measured / published, 1.0, share) << measured << " against " << published;
}

struct Published {
  FftPrecision precision;
  std::size_t n;
  double cycles;
};

void PrintTo(const Published& row, std::ostream* out) { *out << "n = " << row.n; }

std::string side_of(const testing::TestParamInfo<Published>& info) {
  return std::to_string(info.param.n);
}

class Totals : public testing::TestWithParam<Published> {};

TEST_P(Totals, AreWithinThreePercentOfTheMeasuredOnes) {
  const auto [precision, n, cycles] = GetParam();
  if (sanitized() && n > 32) GTEST_SKIP() << "too slow under a sanitizer";
  const double forward = total(n, FftDirection::forward, precision);
  const double inverse = total(n, FftDirection::inverse, precision);
  expect_within((forward + inverse) / 2, cycles, 0.03);
}

INSTANTIATE_TEST_SUITE_P(Fp32, Totals,
                         testing::Values(Published{FftPrecision::fp32, 32, 13633},
                                         Published{FftPrecision::fp32, 64, 32176},
                                         Published{FftPrecision::fp32, 128, 82405}),
                         side_of);
INSTANTIATE_TEST_SUITE_P(Fp16, Totals,
                         testing::Values(Published{FftPrecision::fp16, 32, 10953},
                                         Published{FftPrecision::fp16, 64, 24000},
                                         Published{FftPrecision::fp16, 128, 56741}),
                         side_of);

class PencilCycles : public testing::TestWithParam<std::size_t> {};

double pencil_cycles(std::size_t n, FftPrecision precision) {
  std::vector<std::complex<float>> pencil = io::random_volume({1, 1, n}, 3).data;
  return static_cast<double>(run_fft_pencil(pencil, precision, FftDirection::forward));
}

TEST_P(PencilCycles, AreWithinThreePercentOfTheInstructionCountInFp32) {
  const auto n = static_cast<double>(GetParam());
  const double levels = std::log2(n);
  if (GetParam() > 2048) GTEST_SKIP() << "two pencils do not fit in a PE";
  expect_within(pencil_cycles(GetParam(), FftPrecision::fp32),
                6.5 * n * levels + 35 * n + 36 * levels, 0.03);
}

TEST_P(PencilCycles, AreWithinThreePercentOfTheInstructionCountInFp16) {
  const auto n = static_cast<double>(GetParam());
  const double levels = std::log2(n);
  expect_within(pencil_cycles(GetParam(), FftPrecision::fp16),
                3 * n * levels + 34 * n + 34 * levels, 0.03);
}

INSTANTIATE_TEST_SUITE_P(Sizes, PencilCycles,
                         testing::Values(16, 32, 64, 128, 256, 512, 1024, 2048, 4096),
                         testing::PrintToStringParamName());

TEST(Cycles, DoNotDependOnTheData) {
  const auto phases = [](const FftRun& run) {
    std::vector<std::uint64_t> cycles;
    for (const RunPhase& phase : run.report.phases) cycles.push_back(phase.cycles);
    return cycles;
  };
  const FftRun one = run(16, FftDirection::forward, 1), other = run(16, FftDirection::forward, 2);
  EXPECT_EQ(one.report.cycles, other.report.cycles);
  EXPECT_EQ(phases(one), phases(other));
  EXPECT_EQ(one.report.counters.wavelets, other.report.counters.wavelets);
}

TEST(Cycles, AddUp) {
  for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
    const FftRun one = run(16, direction);
    std::uint64_t compute = 0, communication = 0;
    for (const RunPhase& phase : one.report.phases)
      (phase.communication ? communication : compute) += phase.cycles;
    EXPECT_EQ(one.report.phases.size(), 5U);
    EXPECT_EQ(one.compute_cycles, compute);
    EXPECT_EQ(one.communication_cycles, communication);
    EXPECT_EQ(one.report.cycles, compute + communication);
  }
}

TEST(Cycles, OfAPencilAreThoseInTheTransform) {
  std::vector<std::complex<float>> pencil = io::random_volume({1, 1, 32}, 3).data;
  const auto alone =
      static_cast<double>(run_fft_pencil(pencil, FftPrecision::fp32, FftDirection::forward));
  const std::uint64_t compute = run(32, FftDirection::forward).compute_cycles;
  expect_within(static_cast<double>(compute), 3 * alone, 0.02);
}

TEST(Wavelets, AreThoseOfTheAlgorithm) {
  // Per line and transpose, n (n - 1) numbers of two wavelets go out, and each crosses links to the
  // end of the line: sum over senders of what they send times the links beyond them.
  const std::uint64_t n = 16;
  const FftRun result = run(n, FftDirection::forward);
  std::uint64_t numbers = 0, hops = 0;
  for (std::uint64_t sender = 0; sender < n; ++sender)
    for (const std::uint64_t beyond : {sender, n - 1 - sender}) {
      numbers += beyond;
      hops += beyond * beyond;
    }
  const std::uint64_t lines = 2 * n;
  EXPECT_GE(result.report.counters.wavelets, lines * 2 * numbers);
  EXPECT_LE(result.report.counters.wavelets, lines * (2 * numbers + 6 * n))
      << "and a few control wavelets per sender";
  EXPECT_GE(result.report.counters.hops, lines * 2 * hops);
  EXPECT_LE(result.report.counters.hops, lines * (2 * hops + 6 * n * n));
}

TEST(Time, FollowsFromCyclesAndClock) {
  const FftRun result = run(16, FftDirection::forward);
  EXPECT_DOUBLE_EQ(result.report.time_us, static_cast<double>(result.report.cycles) / 850.0);
  EXPECT_NEAR(result.tflops, 3 * 256 * 5 * 16 * 4 / result.report.time_us * 1e-6, 1e-9);
  EXPECT_EQ(result.report.pe_cycles % 256, 0U);
  EXPECT_GE(result.report.pe_cycles / 256, result.report.cycles);
}

}  // namespace
}  // namespace weft::test::fft_cycles_test
