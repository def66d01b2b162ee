// FP16 transforms and norms, against FFTW within the error bound that docs/accuracy.md derives.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <tuple>

#include "io/volume_file.hpp"
#include "reference/reference.hpp"
#include "support/mesh.hpp"

namespace weft::test::fft_fp16_test {
namespace {

using Complex = std::complex<double>;
using Case = std::tuple<std::size_t, FftNorm>;

constexpr FftNorm kNorms[] = {FftNorm::backward, FftNorm::ortho, FftNorm::forward};

Shape3 cube(std::size_t n) { return {n, n, n}; }

Volume transform(const Volume& input, FftPrecision precision, FftDirection direction,
                 FftNorm norm) {
  FftOptions options;
  options.norm = norm;
  return FftPlan(input.shape, precision, options).run(input, direction).output;
}

double error(const Volume& input, FftPrecision precision, FftDirection direction, FftNorm norm) {
  return reference::compare(transform(input, precision, direction, norm).data,
                            reference::fftw(input, direction, norm))
      .rel_l2;
}

class Norms : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (looks_for_races()) GTEST_SKIP() << one_thread();
    if (sanitized() && side() > 16) GTEST_SKIP() << "too slow under a sanitizer";
  }
  std::size_t side() const { return std::get<0>(GetParam()); }
  FftNorm norm() const { return std::get<1>(GetParam()); }

  void expect_fftw(FftPrecision precision) const {
    const Volume input = io::random_volume(cube(side()), 21);
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse})
      EXPECT_LT(error(input, precision, direction, norm()), fft_error_bound(input.shape, precision))
          << (direction == FftDirection::forward ? "forward" : "inverse");
  }

  void expect_to_come_back(FftPrecision precision) const {
    const Volume input = io::random_volume(cube(side()), 22);
    const Volume there = transform(input, precision, FftDirection::forward, norm());
    const Volume back = transform(there, precision, FftDirection::inverse, norm());
    const std::vector<Complex> expected(input.data.begin(), input.data.end());
    // Each of the two transforms may err.
    EXPECT_LT(reference::compare(back.data, expected).rel_l2,
              2 * fft_error_bound(input.shape, precision));
  }
};

TEST_P(Norms, Fp16AgreesWithFftwInBothDirections) { expect_fftw(FftPrecision::fp16); }
TEST_P(Norms, Fp32AgreesWithFftwInBothDirections) { expect_fftw(FftPrecision::fp32); }
TEST_P(Norms, Fp16ComesBack) { expect_to_come_back(FftPrecision::fp16); }
TEST_P(Norms, Fp32ComesBack) { expect_to_come_back(FftPrecision::fp32); }

INSTANTIATE_TEST_SUITE_P(Cubes, Norms,
                         testing::Combine(testing::Values(4, 8, 16, 32), testing::ValuesIn(kNorms)),
                         [](const testing::TestParamInfo<Case>& given) {
                           return std::to_string(std::get<0>(given.param)) + "_" +
                                  std::string(to_string(std::get<1>(given.param)));
                         });

TEST(Fp16, ErrsMoreThanFp32AndIsNotRoundedFp32) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Volume input = io::random_volume(cube(8), 23);
  const double half = error(input, FftPrecision::fp16, FftDirection::forward, FftNorm::backward);
  EXPECT_GT(half, 0x1p-13) << "arithmetic in eleven bits shows";
  EXPECT_LT(error(input, FftPrecision::fp32, FftDirection::forward, FftNorm::backward), half / 100);
}

TEST(Fp16, ALargeMeanOverflowsUnlessTheNormDivides) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  // The mean of 20 makes element 0 of the transform 20 n^3 = 81920: past FP16, until it is divided.
  Volume input = io::random_volume(cube(16), 24);
  for (std::complex<float>& value : input.data) value += 20.0F;
  const double bound = fft_error_bound(input.shape, FftPrecision::fp16);
  EXPECT_TRUE(
      std::isinf(error(input, FftPrecision::fp16, FftDirection::forward, FftNorm::backward)));
  EXPECT_LT(error(input, FftPrecision::fp16, FftDirection::forward, FftNorm::forward), bound);
  EXPECT_LT(error(input, FftPrecision::fp16, FftDirection::forward, FftNorm::ortho), bound);
  EXPECT_LT(error(input, FftPrecision::fp32, FftDirection::forward, FftNorm::backward), bound);
}

TEST(Fp16, AConstantGivesAnImpulse) {
  const std::size_t n = 8;
  const Volume input{cube(n), std::vector<std::complex<float>>(n * n * n, {1, -2})};
  const Volume output =
      transform(input, FftPrecision::fp16, FftDirection::forward, FftNorm::forward);
  EXPECT_EQ(output.data.front(), (std::complex<float>{1, -2})) << "sums of equal numbers are exact";
  for (std::size_t i = 1; i < output.data.size(); ++i)
    ASSERT_EQ(std::norm(output.data[i]), 0.0F) << i;
}

TEST(Fp16, EveryResultIsAnFp16Number) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Volume output = transform(io::random_volume(cube(8), 25), FftPrecision::fp16,
                                  FftDirection::forward, FftNorm::ortho);
  for (const std::complex<float>& value : output.data)
    for (const float part : {value.real(), value.imag()}) {
      const float scaled = std::ldexp(part, 24);  // the least FP16 unit becomes 1
      EXPECT_EQ(scaled, std::nearbyint(scaled));
      int exponent = 0;
      const float bits = std::ldexp(std::frexp(part, &exponent), 11);
      EXPECT_EQ(bits, std::nearbyint(bits)) << "eleven significant bits";
    }
}

TEST(Fp16, ThreadsDoNotMatter) {
  const Volume input = io::random_volume(cube(16), 26);
  const auto run = [&](int threads) {
    FftOptions options;
    options.threads = threads;
    return FftPlan(input.shape, FftPrecision::fp16, options).forward(input);
  };
  const FftRun one = run(1), three = run(3);
  EXPECT_EQ(one.output.data, three.output.data);
  EXPECT_EQ(one.report.cycles, three.report.cycles);
}

class Fp16Pencils : public testing::TestWithParam<std::size_t> {};

TEST_P(Fp16Pencils, AgreeWithTheDefinitionAndComeBack) {
  const std::size_t n = GetParam();
  const std::vector<std::complex<float>> before = io::random_volume({1, 1, n}, 27).data;
  std::vector<Complex> expected(n);
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t i = 0; i < n; ++i)
      expected[a] += Complex(before[i]) *
                     std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(a * i % n) /
                                         static_cast<double>(n));
  const double bound = fft_error_bound({1, 1, n}, FftPrecision::fp16);
  std::vector<std::complex<float>> pencil = before;
  run_fft_pencil(pencil, FftPrecision::fp16, FftDirection::forward);
  EXPECT_LT(reference::compare(pencil, expected).rel_l2, bound);
  run_fft_pencil(pencil, FftPrecision::fp16, FftDirection::inverse);
  const std::vector<Complex> original(before.begin(), before.end());
  EXPECT_LT(reference::compare(pencil, original).rel_l2, 2 * bound);
}

INSTANTIATE_TEST_SUITE_P(PowersOfTwo, Fp16Pencils, testing::Values(4, 8, 32, 128, 512, 2048),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace weft::test::fft_fp16_test
