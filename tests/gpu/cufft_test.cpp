// cuFFT beside FFTW. Needs a CUDA device; tests/fake_device runs the same on an imitation of one.
#include "reference/cufft.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "io/volume_file.hpp"
#include "support/expect_error.hpp"
#include "weft/fft.hpp"

namespace weft::reference::cufft_test {
namespace {

class Cufft : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = why_no_cufft(); !why.empty()) GTEST_SKIP() << why;
  }
};

constexpr FftNorm kNorms[] = {FftNorm::backward, FftNorm::ortho, FftNorm::forward};
constexpr FftDirection kDirections[] = {FftDirection::forward, FftDirection::inverse};

/// How far cuFFT is from FFTW in double precision, over all directions and norms.
double largest_difference(Shape3 shape, Arithmetic arithmetic) {
  const Volume input = io::random_volume(shape, 5);
  double largest = 0;
  for (const FftDirection direction : kDirections) {
    for (const FftNorm norm : kNorms) {
      const Transformed result = transform_with_cufft(input, direction, norm, arithmetic);
      const Difference difference = compare(result.values, fftw(input, direction, norm));
      largest = std::max(largest, difference.rel_l2);
    }
  }
  return largest;
}

TEST_F(Cufft, AgreesWithFftwInOneToThreeDimensions) {
  for (const Shape3 shape :
       {Shape3{8, 8, 8}, Shape3{4, 16, 2}, Shape3{1, 8, 32}, Shape3{16, 1, 4}, Shape3{8, 4, 1},
        Shape3{64, 1, 1}, Shape3{1, 1, 64}, Shape3{1, 1, 1}}) {
    SCOPED_TRACE(testing::PrintToString(shape.n0) + " " + testing::PrintToString(shape.n1) + " " +
                 testing::PrintToString(shape.n2));
    EXPECT_LT(largest_difference(shape, Arithmetic::fp64), 1e-14);
    EXPECT_LT(largest_difference(shape, Arithmetic::fp32), 1e-6);
    EXPECT_LT(largest_difference(shape, Arithmetic::fp16), 5e-3);
  }
}

TEST_F(Cufft, TakesOtherSidesToo) {
  EXPECT_LT(largest_difference({3, 5, 7}, Arithmetic::fp64), 1e-14);
  EXPECT_LT(largest_difference({12, 1, 10}, Arithmetic::fp32), 1e-6);
}

TEST_F(Cufft, HasFp16ForPowersOfTwoOnly) {
  test::expect_error(
      ErrorCategory::usage,
      [] {
        largest_difference({4, 6, 8}, Arithmetic::fp16);
      },
      "4 x 6 x 8", "power of two");
}

TEST_F(Cufft, SaysHowLongItTook) {
  const Volume input = io::random_volume({16, 16, 16}, 5);
  const Transformed result =
      transform_with_cufft(input, FftDirection::forward, FftNorm::backward, Arithmetic::fp64);
  EXPECT_GT(result.wall_seconds, 0);
}

TEST_F(Cufft, AgreesWithTheEmulatedTransform) {
  const Volume input = io::random_volume({16, 16, 16}, 5);
  for (const FftPrecision precision : {FftPrecision::fp16, FftPrecision::fp32}) {
    for (const FftDirection direction : kDirections) {
      const Volume output = FftPlan(input.shape, precision).run(input, direction).output;
      const Transformed exact =
          transform_with_cufft(input, direction, FftNorm::backward, Arithmetic::fp64);
      EXPECT_LT(compare(output.data, exact.values).rel_l2, fft_error_bound(input.shape, precision));
    }
  }
}

}  // namespace
}  // namespace weft::reference::cufft_test
