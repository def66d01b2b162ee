#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <vector>

#include "io/volume_file.hpp"
#include "reference/half_spectrum.hpp"
#include "reference/reference.hpp"
#include "support/expect_error.hpp"

namespace weft::io::io_random_test {
namespace {

using Complex = std::complex<float>;

TEST(RandomVolume, DependsOnTheSeedOnly) {
  EXPECT_EQ(random_volume({2, 3, 4}, 5).data, random_volume({2, 3, 4}, 5).data);
  EXPECT_NE(random_volume({2, 3, 4}, 5).data, random_volume({2, 3, 4}, 6).data);
}

TEST(RandomVolume, IsTheSameOnEveryMachine) {
  // std::mt19937_64 with seed 5489 begins with 14514284786278117030 and 4620546740167642908,
  // as the C++ standard's definition gives; their top 24 bits, over 2^23, less 1.
  const Volume volume = random_volume({1, 1, 1}, 5489);
  EXPECT_EQ(volume.data[0].real(), static_cast<float>(14514284786278117030U >> 40) / 8388608 - 1);
  EXPECT_EQ(volume.data[0].imag(), static_cast<float>(4620546740167642908U >> 40) / 8388608 - 1);
}

TEST(RandomVolume, IsUniform) {
  const Volume volume = random_volume({32, 32, 32}, 1);
  double sum = 0, squares = 0;
  float least = 0, most = 0;
  for (const std::complex<float> value : volume.data) {
    for (const float part : {value.real(), value.imag()}) {
      sum += static_cast<double>(part);
      squares += static_cast<double>(part) * static_cast<double>(part);
      least = std::min(least, part);
      most = std::max(most, part);
    }
  }
  const double count = 2 * 32768.0;
  EXPECT_NEAR(sum / count, 0, 0.01);
  EXPECT_NEAR(squares / count, 1.0 / 3, 0.01);
  EXPECT_GE(least, -1.0F);
  EXPECT_LT(least, -0.999F);
  EXPECT_LT(most, 1.0F);
  EXPECT_GT(most, 0.999F);
}

/// Of two arrays: the field of a half spectrum is real, and its numbers are as large as others.
TEST(RandomHalves, AreSpectraOfRealFields) {
  for (const Shape3 shape :
       {Shape3{8, 6, 10}, Shape3{5, 1, 4}, Shape3{1, 1, 64}, Shape3{4, 4, 2}}) {
    const Shape3 half{shape.n0, shape.n1, shape.n2 / 2 + 1};
    const NumberRun all{0, 2 * half.size()};
    const std::vector<Complex> both = random_half_part(half, {&all, 1}, 3);
    ASSERT_EQ(both.size(), all.count);
    double squares = 0;
    for (std::size_t array = 0; array < 2; ++array) {
      const auto first = both.begin() + static_cast<std::ptrdiff_t>(array * half.size());
      const Volume one{half, {first, first + static_cast<std::ptrdiff_t>(half.size())}};
      for (const std::complex<double> number :
           reference::fftw(reference::whole_of(one, shape.n2), FftDirection::inverse)) {
        EXPECT_NEAR(number.imag(), 0, 1e-6);
        squares += std::norm(number) / static_cast<double>(shape.size());
      }
    }
    EXPECT_GT(squares, 0.1);
    EXPECT_LT(squares, 3);
    EXPECT_FALSE(std::equal(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(half.size()),
                            both.begin() + static_cast<std::ptrdiff_t>(half.size())));
  }
}

TEST(RandomHalves, HaveTheSameNumbersInEachPart) {
  const Shape3 half{6, 5, 4};
  const NumberRun all{0, 3 * half.size()};
  const std::vector<Complex> whole = random_half_part(half, {&all, 1}, 3);
  const std::vector<NumberRun> runs = {{0, 1}, {3, 2}, {17, 90}, {107, 1}, {340, 20}};
  std::vector<Complex> expected;
  for (const NumberRun& run : runs)
    for (std::size_t n = run.first; n < run.first + run.count; ++n) expected.push_back(whole[n]);
  EXPECT_EQ(random_half_part(half, runs, 3), expected);
  EXPECT_TRUE(random_half_part(half, {}, 3).empty());
}

TEST(RandomVolume, NamesTheMemoryItLacks) {
  test::expect_error(
      ErrorCategory::environment,
      [] {
        random_volume({std::size_t{1} << 40, 1 << 20, 1}, 1);
      },
      "GiB");
}

}  // namespace
}  // namespace weft::io::io_random_test
