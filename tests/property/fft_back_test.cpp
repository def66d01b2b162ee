// A last transpose takes the numbers back to where they were.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "io/volume_file.hpp"
#include "support/expect_error.hpp"
#include "support/mesh.hpp"
#include "support/transform_case.hpp"
#include "weft/fft.hpp"

namespace weft::test::fft_back_test {
namespace {

constexpr Shape3 kSquare{16, 1, 16};

FftRun run(FftOptions options, FftDirection direction,
           FftPrecision precision = FftPrecision::fp32) {
  const Volume input = io::random_volume(kSquare, 5);
  return FftPlan(kSquare, precision, options)
      .run(options.data ? input : Volume{kSquare, {}}, direction);
}

TEST(TransposeBack, GivesTheSameNumbersInOneMoreExchange) {
  for (const FftTranspose transpose : {FftTranspose::automatic, FftTranspose::interlocked,
                                       FftTranspose::ring, FftTranspose::halves})
    for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16})
      for (const int pes : {16, 4}) {
        const FftOptions there{.mesh = {pes, 1}, .transpose = transpose};
        FftOptions back = there;
        back.back = true;
        const FftRun one = run(there, FftDirection::forward, precision);
        const FftRun two = run(back, FftDirection::forward, precision);
        EXPECT_EQ(two.output.data, one.output.data);
        ASSERT_EQ(two.report.phases.size(), 5U);
        EXPECT_TRUE(two.report.phases[3].communication);
        EXPECT_TRUE(two.report.busiest_link.has_value());
        const auto exchange = static_cast<double>(two.report.phases[1].cycles);
        EXPECT_NEAR(static_cast<double>(two.report.phases[3].cycles), exchange, 0.15 * exchange);
        // From where it is, the other axis first: as right, if not in each bit.
        const Volume& x = run(there, FftDirection::inverse, precision).output;
        const Volume& y = run(back, FftDirection::inverse, precision).output;
        double error = 0, size = 0;
        for (std::size_t k = 0; k < x.data.size(); ++k) {
          error += std::norm(x.data[k] - y.data[k]);
          size += std::norm(x.data[k]);
        }
        EXPECT_LE(std::sqrt(error / size), fft_error_bound(kSquare, precision));
      }
}

TEST(TransposeBack, IsRightOnRandomMachinesAndHoweverItIsStepped) {
  for (const FftTranspose transpose : {FftTranspose::ring, FftTranspose::halves}) {
    FftOptions options{.transpose = transpose, .back = true};
    const FftRun right = run(options, FftDirection::forward);
    options.data = false;
    EXPECT_EQ(run(options, FftDirection::forward).report.cycles, right.report.cycles);
    options.data = true;
    for (const Engine engine : {Engine::host, Engine::reference}) {
      options.engine = engine;
      const FftRun other = run(options, FftDirection::forward);
      EXPECT_EQ(other.report.cycles, right.report.cycles);
      EXPECT_EQ(other.output.data, right.output.data);
    }
    options.engine = Engine::host;
    for (int seed = first_of(10); seed < 20; seed += one_of(10)) {
      options.machine = random_machine(static_cast<std::uint64_t>(seed) + 1);
      EXPECT_EQ(run(options, FftDirection::forward).output.data, right.output.data) << seed + 1;
    }
  }
}

TEST(TransposeBack, IsEstimated) {
  const FftOptions options{.transpose = FftTranspose::ring, .back = true};
  const auto cycles = static_cast<double>(run(options, FftDirection::forward).report.cycles);
  const auto expected = FftPlan(kSquare, FftPrecision::fp32, options).estimate().cycles;
  EXPECT_NEAR(static_cast<double>(expected), cycles, 0.03 * cycles);
}

TEST(TransposeBack, IsRefusedWhereItDoesNotLeadBack) {
  const auto expect_refused = [](Shape3 shape, FftOptions options, const char* what) {
    options.back = true;
    expect_error(
        ErrorCategory::usage, [&] { FftPlan(shape, FftPrecision::fp32, options); }, what);
  };
  expect_refused({8, 8, 8}, {}, "no transpose back on 8 x 8 PEs");
  expect_refused({16, 1, 32}, {}, "two axes of one length");
  expect_refused({16, 1, 16}, {.mesh = {4, 4}}, "on a line of PEs");
  expect_refused({16, 1, 16}, {.transpose = FftTranspose::butterflies}, "not of butterflies");
  expect_refused({16, 1, 16}, {.transpose = FftTranspose::published},
                 "no published transpose back");
  expect_refused({8, 8, 8}, {.algorithm = FftAlgorithm::s3dft}, "back with s3dft");
  expect_error(
      ErrorCategory::machine_profile,
      [] {
        FftPlan({4096, 1, 4096}, FftPrecision::fp32, {.back = true});
      },
      "two buffers of 4096 numbers exceed a PE's 48 KB", "take a shape up to 2048,2048");
}

}  // namespace
}  // namespace weft::test::fft_back_test
