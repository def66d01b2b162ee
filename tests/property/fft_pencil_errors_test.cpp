// The errors of passes of each radix, beside the bounds of docs/accuracy.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "fft/wsfft/pencil.hpp"
#include "io/volume_file.hpp"
#include "reference/reference.hpp"
#include "support/effort.hpp"
#include "weft/fft.hpp"

namespace weft::test::fft_pencil_errors_test {
namespace {

/// In units of the roundoff, of a rotation in three steps: by the largest angle of a pass.
double rotation_bound(int radix) {
  const double half = (radix - 1) * std::numbers::pi / radix / 2;
  return 1 + 2 * std::tan(half) + 2 * (1 + std::sin(half)) / std::cos(half);
}

/// Of the sums of a pass, by its radix.
double sums_bound(int radix) { return radix == 2 ? 1 : radix == 3 ? 4 : radix == 4 ? 2 : 7.3; }

double pass_bound(int radix) { return rotation_bound(radix) + sums_bound(radix); }

/// Of all passes: one of radix 4 has a larger bound than two of radix 2. Split radix turns by its
/// angles in passes of radix 2.
double passes_bound(FftPencil pencil, std::size_t n) {
  const double of_two =
      pencil == FftPencil::split_radix ? rotation_bound(4) + sums_bound(2) : pass_bound(4) / 2;
  double bound = 0;
  for (const auto& [prime, of_one] : {std::pair{2, of_two}, {3, pass_bound(3)}, {5, pass_bound(5)}})
    for (; n % static_cast<std::size_t>(prime) == 0; n /= static_cast<std::size_t>(prime))
      bound += of_one;
  return bound;
}

/// With the input's rounding, and the scale.
double pencil_bound(FftPencil pencil, std::size_t n) { return passes_bound(pencil, n) + 3; }

double roundoff(FftPrecision precision) {
  return precision == FftPrecision::fp16 ? 0x1p-11 : 0x1p-24;
}

/// In units of the roundoff.
double error_of(FftPencil pencil, FftPrecision precision, FftDirection direction, std::size_t n,
                std::uint64_t seed) {
  Volume input = io::random_volume({1, 1, n}, seed);
  const wsfft::Numbers kind{precision};  // what is rounded anyway is no error of a pass
  for (auto& number : input.data) {
    std::uint32_t words[2];
    wsfft::encode(kind, number, words);
    number = wsfft::decode(kind, words);
  }
  std::vector<std::complex<float>> numbers = input.data;
  run_fft_pencil(numbers, precision, direction, {}, pencil);
  return reference::compare(numbers, reference::fftw(input, direction)).rel_l2 /
         roundoff(precision);
}

constexpr FftPencil kPencils[] = {FftPencil::radix4, FftPencil::stockham, FftPencil::split_radix};

TEST(PencilErrors, AreWithinTheBoundOfTheirPasses) {
  EXPECT_NEAR(pass_bound(2), 8.8, 0.05);  // as the page has them
  EXPECT_NEAR(pass_bound(3), 15.9, 0.05);
  EXPECT_NEAR(pass_bound(4), 17.9, 0.05);
  EXPECT_NEAR(pass_bound(5), 27.1, 0.05);
  for (const FftPencil pencil : kPencils)
    for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16})
      for (std::size_t n = 3; n <= by_effort<std::size_t>(60, 160, 1000); ++n) {
        if (!wsfft::algorithm_of(pencil).takes(static_cast<int>(n))) continue;
        for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse})
          EXPECT_LT(error_of(pencil, precision, direction, n, n), pencil_bound(pencil, n))
              << to_string(pencil) << ' ' << n;
      }
}

/// What reports state: the passes of all axes, 8 for input and scales, and 6 for two products in an
/// array of one axis.
TEST(PencilErrors, AddUpToTheBoundThatIsStated) {
  for (const FftPencil pencil : kPencils)
    for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16})
      for (const Shape3 shape : {Shape3{1, 1, 64},
                                 {64, 64, 64},
                                 {4, 4, 8, 16},
                                 {6, 10, 9},
                                 {1, 1, 1000000},
                                 {12, 1, 15}}) {
        if (pencil == FftPencil::split_radix && shape.size() % 5 == 0) continue;
        const double bound = fft_error_bound(shape, precision, FftAlgorithm::wsfft, pencil);
        EXPECT_NEAR(std::log1p(bound) / roundoff(precision),
                    passes_bound(pencil, shape.size()) + (shape.n1 * shape.n0 == 1 ? 14 : 8), 1e-6)
            << to_string(pencil) << ' ' << shape.size();
      }
  const auto of = [](Shape3 shape, auto... pencil) {
    return fft_error_bound(shape, FftPrecision::fp16, FftAlgorithm::wsfft, pencil...);
  };
  EXPECT_EQ(of({8, 8, 8}), of({8, 8, 8}, FftPencil::radix2));
  EXPECT_EQ(of({8, 8, 12}), of({8, 8, 12}, FftPencil::radix4));
  EXPECT_GT(of({8, 8, 8}, FftPencil::radix4), of({8, 8, 8}));
  EXPECT_EQ(of({8, 8, 8}, FftPencil::fastest), of({8, 8, 8}, FftPencil::split_radix));
}

/// One pass alone, without rotations: of many inputs some round badly.
TEST(PencilErrors, OfSumsAreWithinTheirBoundAndNotFarBelow) {
  const auto seeds = by_effort<std::uint64_t>(40, 200, 400);
  for (const int radix : {2, 3, 4, 5}) {
    double most = 0;
    for (std::uint64_t seed = seed_from(1); seed < seed_from(1) + seeds; ++seed)
      most = std::max(most, error_of(FftPencil::radix4, FftPrecision::fp16, FftDirection::forward,
                                     static_cast<std::size_t>(radix), seed));
    EXPECT_LT(most, sums_bound(radix)) << radix;
    EXPECT_TRUE(most > 0.1 * sums_bound(radix) || !many_cases()) << radix << ": " << most;
    RecordProperty(fmt::format("radix{}", radix), fmt::format("{:.3f}", most));
  }
}

/// Two passes of a radix: the second one has its largest angles.
TEST(PencilErrors, OfTwoPassesAreWithinTheirBound) {
  const auto seeds = by_effort<std::uint64_t>(10, 50, 120);
  for (const int radix : {3, 4, 5}) {
    double most = 0;
    for (std::uint64_t seed = seed_from(1); seed < seed_from(1) + seeds; ++seed)
      most = std::max(most, error_of(FftPencil::radix4, FftPrecision::fp16, FftDirection::forward,
                                     static_cast<std::size_t>(radix * radix), seed));
    EXPECT_LT(most, pass_bound(radix) + sums_bound(radix)) << radix;
    EXPECT_TRUE(most > 0.03 * (pass_bound(radix) + sums_bound(radix)) || !many_cases())
        << radix << ": " << most;
    RecordProperty(fmt::format("radix{}", radix), fmt::format("{:.3f}", most));
  }
}

}  // namespace
}  // namespace weft::test::fft_pencil_errors_test
