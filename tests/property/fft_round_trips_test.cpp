// Forward and inverse transforms in turn, in one program.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "io/volume_file.hpp"
#include "reference/reference.hpp"
#include "support/expect_error.hpp"
#include "support/mesh.hpp"
#include "support/transform_case.hpp"

namespace weft::test::fft_round_trips_test {
namespace {

Shape3 cube(std::size_t n) { return {n, n, n}; }

/// Numbers of about 1 that differ from place to place and have no symmetry.
Volume symbol_of(Shape3 shape) {
  Volume symbol = io::random_volume(shape, 9);
  for (auto& value : symbol.data) value = std::polar(1.0F, std::arg(value));
  return symbol;
}

struct Trip {
  int n;
  FftMesh mesh;
  FftPrecision precision;
  FftTranspose form = FftTranspose::automatic;
};

std::string text(const Trip& t) {
  return fmt::format("{}On{}x{}{}{}", t.n, t.mesh.x, t.mesh.y, to_string(t.precision),
                     to_string(t.form));
}

void PrintTo(const Trip& t, std::ostream* out) { *out << text(t); }

class RoundTrips : public testing::TestWithParam<Trip> {
 protected:
  Shape3 shape() const { return cube(static_cast<std::size_t>(GetParam().n)); }
  FftPlan plan(FftOptions options = {}) const {
    options.mesh = GetParam().mesh;
    options.transpose = GetParam().form;
    return {shape(), GetParam().precision, std::move(options)};
  }
  double bound() const { return 2 * fft_error_bound(shape(), GetParam().precision); }
};

TEST_P(RoundTrips, AreTransformsInTurn) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Volume input = io::random_volume(shape(), 1), symbol = symbol_of(shape());
  Volume expected = input;
  for (int trip = 0; trip < 3; ++trip) {
    expected = plan().forward(expected).output;
    for (std::size_t k = 0; k < expected.data.size(); ++k) expected.data[k] *= symbol.data[k];
    expected = plan().inverse(expected).output;
  }
  const FftTrips trips = plan().round_trips(input, 3, symbol);
  const std::vector<std::complex<double>> wide(expected.data.begin(), expected.data.end());
  EXPECT_LT(reference::compare(trips.output.data, wide).rel_l2, 3 * bound());
}

TEST_P(RoundTrips, WithoutASymbolGiveTheInputBack) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Volume input = io::random_volume(shape(), 2);
  const FftTrips trips = plan().round_trips(input, 4);
  const std::vector<std::complex<double>> wide(input.data.begin(), input.data.end());
  EXPECT_LT(reference::compare(trips.output.data, wide).rel_l2, 4 * bound());
}

/// The paper's authors saw less than 1 % of spread between batches of them.
TEST_P(RoundTrips, TakeNearlyTheSameCyclesEach) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const FftTrips trips = plan({.data = false}).round_trips({shape(), {}}, 6);
  ASSERT_EQ(trips.cycles.size(), 6U);
  std::uint64_t sum = 0;
  for (const std::uint64_t cycles : trips.cycles) {
    EXPECT_NEAR(static_cast<double>(cycles), static_cast<double>(trips.cycles.back()),
                0.03 * static_cast<double>(trips.cycles.back()));
    sum += cycles;
  }
  EXPECT_EQ(trips.report.cycles, sum);
}

/// A ring has one form for both.
TEST_P(RoundTrips, ReportWhatTwelveTransformsDo) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const FftPlan around(shape(), GetParam().precision,
                       {.mesh = GetParam().mesh, .transpose = FftTranspose::ring, .data = false});
  const RunReport trips = around.round_trips({shape(), {}}, 6).report;
  const RunReport one = around.forward({shape(), {}}).report;
  EXPECT_EQ(*trips.busiest_link, 12 * *one.busiest_link);
  EXPECT_EQ(*trips.busiest_ramp, 12 * *one.busiest_ramp);
  EXPECT_NEAR(*trips.peak_share, *one.peak_share, 0.2 * *one.peak_share);
  EXPECT_TRUE(plan({.data = false}).round_trips({shape(), {}}, 2).report.busiest_link);
}

/// A trip has some instructions more than both transforms.
TEST_P(RoundTrips, TakeNoMoreCyclesThanBothTransforms) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  FftOptions options{.data = false};
  const Volume nothing{shape(), {}};
  const std::uint64_t apart =
      plan(options).forward(nothing).report.cycles + plan(options).inverse(nothing).report.cycles;
  for (const std::uint64_t cycles : plan(options).round_trips(nothing, 4).cycles)
    EXPECT_LT(static_cast<double>(cycles), 1.06 * static_cast<double>(apart));
}

TEST_P(RoundTrips, AreTheSameHoweverTheyAreStepped) {
  const Volume input = io::random_volume(shape(), 3), symbol = symbol_of(shape());
  const FftTrips right = plan().round_trips(input, 2, symbol);
  FftOptions options;
  options.accelerate.by_line = false;
  options.threads = 2;
  const FftTrips other = plan(options).round_trips(input, 2, symbol);
  EXPECT_EQ(right.output.data, other.output.data);
  EXPECT_EQ(right.cycles, other.cycles);
}

TEST_P(RoundTrips, AreRightOnRandomMachines) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Volume input = io::random_volume(shape(), 4), symbol = symbol_of(shape());
  const FftTrips right = plan().round_trips(input, 3, symbol);
  const auto machines = by_effort<std::uint64_t>(4, 10, 20);
  for (std::uint64_t seed = 1; seed <= (GetParam().n <= 8 ? machines : 3); ++seed) {
    SCOPED_TRACE(seed);
    FftOptions options{.machine = random_machine(seed)};
    options.mesh = GetParam().mesh;
    if (GetParam().form == FftTranspose::ring) options.transpose = FftTranspose::ring;
    const FftPlan anywhere(shape(), GetParam().precision, options);
    EXPECT_EQ(anywhere.round_trips(input, 3, symbol).output.data, right.output.data);
  }
}

std::string name_of(const testing::TestParamInfo<Trip>& info) { return text(info.param); }

INSTANTIATE_TEST_SUITE_P(
    All, RoundTrips,
    testing::Values(Trip{4, {}, FftPrecision::fp32}, Trip{8, {}, FftPrecision::fp16},
                    Trip{8, {}, FftPrecision::fp32, FftTranspose::interlocked},
                    Trip{8, {4, 4}, FftPrecision::fp32}, Trip{8, {8, 1}, FftPrecision::fp32},
                    Trip{8, {2, 4}, FftPrecision::fp16, FftTranspose::interlocked},
                    Trip{16, {}, FftPrecision::fp32}, Trip{16, {8, 8}, FftPrecision::fp32},
                    Trip{4, {}, FftPrecision::fp16, FftTranspose::ring},
                    Trip{8, {}, FftPrecision::fp32, FftTranspose::ring},
                    Trip{8, {2, 4}, FftPrecision::fp16, FftTranspose::ring},
                    Trip{8, {8, 1}, FftPrecision::fp32, FftTranspose::ring}),
    name_of);

TEST(RoundTripsRefused, ThoseThatCannotBe) {
  const Volume input = io::random_volume({8, 8, 8}, 1);
  const FftPlan cube({8, 8, 8}, FftPrecision::fp32);
  expect_error(
      ErrorCategory::usage, [&] { cube.round_trips(input, 0); }, "0 round trips");
  expect_error(
      ErrorCategory::usage,
      [&] {
        cube.round_trips(input, 1, io::random_volume({8, 8, 4}, 1));
      },
      "the plan is for 8,8,8");
  expect_error(
      ErrorCategory::usage,
      [&] {
        FftPlan({8, 8, 16}, FftPrecision::fp32).round_trips({{8, 8, 16}, {}}, 1);
      },
      "cube");
  expect_error(
      ErrorCategory::machine_profile, [&] { cube.round_trips(input, 20'000); }, "pe_memory_bytes");
}

}  // namespace
}  // namespace weft::test::fft_round_trips_test
