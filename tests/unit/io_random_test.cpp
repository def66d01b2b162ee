#include <gtest/gtest.h>

#include <algorithm>

#include "io/volume_file.hpp"
#include "support/expect_error.hpp"

namespace weft::io::io_random_test {
namespace {

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
