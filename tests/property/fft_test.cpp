// Laws of a discrete Fourier transform, and FFTW's results.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "io/volume_file.hpp"
#include "reference/reference.hpp"
#include "support/expect_error.hpp"
#include "support/fit.hpp"
#include "support/mesh.hpp"

namespace weft::test::fft_test {
namespace {

using Complex = std::complex<double>;

Shape3 cube(std::size_t n) { return {n, n, n}; }

Volume transform(const Volume& input, FftDirection direction = FftDirection::forward,
                 int threads = 1) {
  FftOptions options;
  options.threads = threads;
  return FftPlan(input.shape, FftPrecision::fp32, options).run(input, direction).output;
}

double bound(Shape3 shape) { return fft_error_bound(shape, FftPrecision::fp32); }

std::vector<Complex> widened(const Volume& volume) {
  return {volume.data.begin(), volume.data.end()};
}

double difference(const Volume& result, const std::vector<Complex>& expected) {
  return reference::compare(result.data, expected).rel_l2;
}

class Sizes : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (looks_for_races()) GTEST_SKIP() << one_thread();
    if (sanitized() && GetParam() > 16) GTEST_SKIP() << "too slow under a sanitizer";
  }
  Shape3 shape() const { return cube(GetParam()); }
};

TEST_P(Sizes, AgreesWithFftwInBothDirections) {
  for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
    const Volume input = io::random_volume(shape(), 1);
    EXPECT_LT(difference(transform(input, direction), reference::fftw(input, direction)),
              bound(shape()));
  }
}

TEST_P(Sizes, TheInverseUndoesTheTransform) {
  const Volume input = io::random_volume(shape(), 2);
  const Volume back = transform(transform(input), FftDirection::inverse);
  EXPECT_LT(difference(back, widened(input)), bound(shape()));
}

INSTANTIATE_TEST_SUITE_P(Cubes, Sizes, testing::Values(4, 8, 16, 32, 64),
                         testing::PrintToStringParamName());

TEST(Fft, AnImpulseAtTheOriginGivesOnes) {
  const Shape3 shape = cube(8);
  Volume input{shape, std::vector<std::complex<float>>(shape.size())};
  input.data[0] = 1;
  for (const std::complex<float>& value : transform(input).data)
    EXPECT_EQ(value, std::complex<float>(1));
}

TEST(Fft, AnImpulseGivesThePhasesOfItsPlace) {
  const std::size_t n = 16;
  const std::size_t place[3] = {3, 14, 5};  // three axes that cannot be mistaken for each other
  Volume input{cube(n), std::vector<std::complex<float>>(n * n * n)};
  input.data[(place[0] * n + place[1]) * n + place[2]] = 1;
  std::vector<Complex> expected;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b)
      for (std::size_t c = 0; c < n; ++c) {
        const double turns = static_cast<double>(a * place[0] + b * place[1] + c * place[2]) / n;
        expected.push_back(std::polar(1.0, -2 * std::numbers::pi * turns));
      }
  EXPECT_LT(difference(transform(input), expected), bound(cube(n)));
}

TEST(Fft, AConstantGivesAnImpulse) {
  const std::size_t n = 8;
  const Volume input{cube(n), std::vector<std::complex<float>>(n * n * n, {1, -2})};
  std::vector<Complex> expected(n * n * n);
  expected[0] = Complex(1, -2) * static_cast<double>(n * n * n);
  EXPECT_LT(difference(transform(input), expected), bound(cube(n)));
}

TEST(Fft, AShiftTurnsThePhases) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const std::size_t n = 16, by[3] = {1, 5, 11};
  const Volume input = io::random_volume(cube(n), 3);
  Volume shifted = input;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k)
        shifted.data[((i + by[0]) % n * n + (j + by[1]) % n) * n + (k + by[2]) % n] =
            input.data[(i * n + j) * n + k];
  std::vector<Complex> expected = widened(transform(input));
  std::size_t at = 0;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b)
      for (std::size_t c = 0; c < n; ++c)
        expected[at++] *=
            std::polar(1.0, -2 * std::numbers::pi *
                                static_cast<double>(a * by[0] + b * by[1] + c * by[2]) / n);
  EXPECT_LT(difference(transform(shifted), expected), 2 * bound(cube(n)));
}

TEST(Fft, IsLinear) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Shape3 shape = cube(8);
  const Volume x = io::random_volume(shape, 4), y = io::random_volume(shape, 5);
  const std::complex<float> p{2, 1}, q{-1, 0.5};
  Volume sum = x;
  for (std::size_t i = 0; i < shape.size(); ++i) sum.data[i] = p * x.data[i] + q * y.data[i];
  const std::vector<Complex> fx = widened(transform(x)), fy = widened(transform(y));
  std::vector<Complex> expected(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i)
    expected[i] = Complex(p) * fx[i] + Complex(q) * fy[i];
  EXPECT_LT(difference(transform(sum), expected), 2 * bound(shape));
}

TEST(Fft, KeepsTheEnergy) {
  const Shape3 shape = cube(16);
  const Volume input = io::random_volume(shape, 6);
  const auto energy = [](const Volume& volume) {
    double sum = 0;
    for (const Complex value : volume.data) sum += std::norm(value);
    return sum;
  };
  const double ratio = energy(transform(input)) / energy(input) / static_cast<double>(shape.size());
  EXPECT_NEAR(ratio, 1.0, 2 * bound(shape));
}

TEST(Fft, ThreadsDoNotMatter) {
  const Volume input = io::random_volume(cube(16), 7);
  const Volume one = transform(input);
  for (const int threads : {2, 3, 5})
    EXPECT_EQ(transform(input, FftDirection::forward, threads).data, one.data);
}

/// A volume of a head, by MRI.
class Head : public testing::Test {
 protected:
  static constexpr const char* kPath = "/usr/share/mricron/templates/ch2.nii.gz";

  void SetUp() override {
    if (looks_for_races()) GTEST_SKIP() << one_thread();
    if (!std::filesystem::exists(kPath))
      GTEST_SKIP() << kPath << " is not there (package mricron-data)";
  }
  static Volume head(std::size_t n) {
    return fit(io::read_volume(kPath), cube(n), io::Fit::resample, kPath);
  }
};

TEST_F(Head, AgreesWithFftw) {
  const Volume input = head(sanitized() ? 16 : 64);
  const std::vector<Complex> expected = reference::fftw(input, FftDirection::forward);
  for (const FftTranspose transpose :
       {FftTranspose::automatic, FftTranspose::ring, FftTranspose::halves}) {
    SCOPED_TRACE(to_string(transpose));
    const FftPlan plan(input.shape, FftPrecision::fp32, {.transpose = transpose});
    EXPECT_LT(difference(plan.forward(input).output, expected), bound(input.shape));
  }
}

/// Within the bound of pencils, which is less than that of products with matrices.
TEST_F(Head, ByS3dftAgreesWithFftw) {
  const Volume input = head(sanitized() ? 8 : 32);
  for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
    const std::vector<Complex> expected = reference::fftw(input, direction);
    for (const S3dftForm form : {S3dftForm::held, S3dftForm::cannon, S3dftForm::cubes}) {
      SCOPED_TRACE(to_string(form));
      FftOptions options;
      options.algorithm = FftAlgorithm::s3dft;
      options.s3dft_form = form;
      if (form == S3dftForm::cubes) options.mesh = {8, 8};
      const FftPlan plan(input.shape, FftPrecision::fp32, options);
      EXPECT_LT(difference(plan.run(input, direction).output, expected), bound(input.shape));
    }
  }
}

TEST(Fft, ProgressRisesToItsEnd) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  double last = 0;
  FftPlan(cube(32), FftPrecision::fp32)
      .forward(io::random_volume(cube(32), 8), [&](const FftProgress& progress) {
        const auto expected = progress.expectation();
        ASSERT_TRUE(expected);
        EXPECT_GE(expected->fraction, last);
        EXPECT_LE(expected->fraction, 1.0);
        last = expected->fraction;
      });
}

TEST(Fft, SaysWhatAnInputLacks) {
  const FftPlan plan(cube(8), FftPrecision::fp32);
  const auto expect_refused = [&](const Volume& input, const char* what, const char* why) {
    expect_error(
        ErrorCategory::usage, [&] { plan.forward(input); }, what, why);
  };
  expect_refused({cube(8), std::vector<std::complex<float>>(511)}, "invalid input: 511 numbers",
                 "its shape 8,8,8 has 512");
  expect_refused({cube(8), {}}, "invalid input: 0 numbers", "512");
  expect_refused(io::random_volume(cube(4), 1), "invalid input: shape 4,4,4",
                 "the plan is for 8,8,8");
}

std::vector<std::complex<float>> random_pencil(std::size_t n) {
  std::vector<std::complex<float>> pencil = io::random_volume({1, 1, n}, 9).data;
  return pencil;
}

/// By definition, in double precision.
std::vector<Complex> dft(const std::vector<std::complex<float>>& x, FftDirection direction) {
  const std::size_t n = x.size();
  const double sign = direction == FftDirection::forward ? -1 : 1;
  std::vector<Complex> result(n);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t i = 0; i < n; ++i)
      result[a] += Complex(x[i]) *
                   std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(a * i % n) /
                                       static_cast<double>(n));
    if (direction == FftDirection::inverse) result[a] /= static_cast<double>(n);
  }
  return result;
}

class Pencils : public testing::TestWithParam<std::size_t> {};

TEST_P(Pencils, AgreeWithTheDefinition) {
  for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
    std::vector<std::complex<float>> pencil = random_pencil(GetParam());
    const std::vector<Complex> expected = dft(pencil, direction);
    run_fft_pencil(pencil, FftPrecision::fp32, direction);
    EXPECT_LT(reference::compare(pencil, expected).rel_l2, bound({1, 1, GetParam()}));
  }
}

TEST_P(Pencils, ComeBackFromTheirTransform) {
  const std::vector<std::complex<float>> before = random_pencil(GetParam());
  std::vector<std::complex<float>> pencil = before;
  run_fft_pencil(pencil, FftPrecision::fp32, FftDirection::forward);
  run_fft_pencil(pencil, FftPrecision::fp32, FftDirection::inverse);
  EXPECT_LT(reference::compare(pencil, std::vector<Complex>(before.begin(), before.end())).rel_l2,
            bound({1, 1, GetParam()}));
}

INSTANTIATE_TEST_SUITE_P(PowersOfTwo, Pencils,
                         testing::Values(4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace weft::test::fft_test
