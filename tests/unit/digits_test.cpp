// The digits of a long index, and that a plan's mesh given back means the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <utility>

#include "fft/choice.hpp"
#include "fft/planning.hpp"
#include "fft/wsfft/pencil_algorithms.hpp"
#include "support/expect_error.hpp"
#include "weft/error.hpp"

namespace weft::test::digits_test {
namespace {

using wsfft::Division;

Shape3 axis_of(int n) { return {1, 1, static_cast<std::size_t>(n)}; }

Division digits_of(int n, fft::PeBytes& bytes, FftMesh mesh = {}) {
  return fft::division_of(axis_of(n), {.mesh = mesh}, bytes);
}

TEST(Digits, OfEachLengthLeaveFewNumbersInAPe) {
  // The data of a PE has each number in two buffers and two tables of roots, 8 bytes each in FP32.
  constexpr std::int64_t kMostNumbers = 972;  // 16402500 = 250 x 243 x 270 has these
  fft::PeBytes bytes(FftPrecision::fp32, FftPencil::radix4);
  int lengths = 0;
  for (int n = FftPlan::kMostSide; (n = wsfft::smooth_above(n)) <= 1 << 24; ++lengths) {
    const Division division = digits_of(n, bytes);
    EXPECT_EQ(division.size(), n);
    EXPECT_LE(division.numbers(), kMostNumbers) << n;
    EXPECT_GT(division.px, 1) << n;
    EXPECT_GT(division.py, 1) << n;
  }
  EXPECT_EQ(lengths, 699);
}

TEST(Digits, FitInAPe) {
  constexpr std::int64_t kSurelyFit = 700;
  for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16}) {
    fft::PeBytes bytes(precision, FftPencil::radix4);
    for (int n = FftPlan::kMostSide; (n = wsfft::smooth_above(n)) <= 1 << 24;) {
      const Division division = digits_of(n, bytes);
      if (division.numbers() < kSurelyFit) continue;
      EXPECT_TRUE(fft::fits_pe(division, bytes, {})) << n;
    }
  }
}

TEST(Digits, OfPowersOfTwoAreAboutEqual) {
  fft::PeBytes bytes(FftPrecision::fp32, FftPencil::radix2);
  for (int bits = 13; bits <= 24; ++bits) {
    const int c = (bits + 2) / 3, a = (bits - c + 1) / 2;
    EXPECT_EQ(digits_of(1 << bits, bytes).sides, (std::array{1 << a, 1 << (bits - c - a), 1 << c}))
        << bits;
  }
}

TEST(Digits, OfALineAreTwo) {
  fft::PeBytes bytes(FftPrecision::fp32, FftPencil::radix4);
  EXPECT_EQ(digits_of(10800, bytes, {60, 1}).sides, (std::array{100, 1, 108}));
  EXPECT_EQ(digits_of(10800, bytes, {1, 60}).sides, (std::array{1, 100, 108}));
  expect_error(
      ErrorCategory::usage,
      [&] {
        digits_of(15943230, bytes, {9, 1});
      },
      "9 x 1 PEs", "a product of two numbers of 4 to 4096, and there is none",
      "several PEs along x and along y");
}

TEST(Digits, OfThePlansMeshGivenBackAreTheSame) {
  for (const int n : {6075, 10125, 10800, 11250, 12800, 15000})
    for (const bool fastest : {false, true}) {
      SCOPED_TRACE(fmt::format("{}{}", n, fastest ? ", fastest" : ""));
      FftOptions options;
      options.data = false;
      options.pencil = FftPencil::radix4;
      if (fastest) {
        options.transpose = FftTranspose::fastest;
        options.pencil = FftPencil::fastest;
        options.fastest_for = FftDirection::forward;
      }
      const FftPlan plan(axis_of(n), FftPrecision::fp32, options);
      EXPECT_GT(plan.options().mesh.x * plan.options().mesh.y, 1);
      const FftPlan again(axis_of(n), FftPrecision::fp32, plan.options());
      EXPECT_EQ(again.options().mesh, plan.options().mesh);
      EXPECT_EQ(again.estimate().division, plan.estimate().division);
      EXPECT_EQ(again.estimate().pe_bytes, plan.estimate().pe_bytes);
    }
}

}  // namespace
}  // namespace weft::test::digits_test
