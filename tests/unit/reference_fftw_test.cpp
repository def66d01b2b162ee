#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <thread>

#include "reference/reference.hpp"
#include "support/expect_error.hpp"

namespace weft::reference::reference_fftw_test {
namespace {

using Complex = std::complex<double>;

Volume some_volume(Shape3 shape) {
  Volume volume{shape, {}};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const double phase = static_cast<double>(i * i % 101);
    volume.data.emplace_back(static_cast<float>(std::sin(phase)),
                             static_cast<float>(std::cos(3 * phase)));
  }
  return volume;
}

/// The sum that defines the transform.
std::vector<Complex> slow_transform(const Volume& x, double sign) {
  const auto [n0, n1, n2, n3] = x.shape;
  const auto turn = [](std::size_t a, std::size_t i, std::size_t n) {
    return static_cast<double>(a * i % n) / static_cast<double>(n);
  };
  std::vector<Complex> result;
  for (std::size_t a = 0; a < n0; ++a)
    for (std::size_t b = 0; b < n1; ++b)
      for (std::size_t c = 0; c < n2; ++c) {
        Complex sum = 0;
        for (std::size_t i = 0; i < n0; ++i)
          for (std::size_t j = 0; j < n1; ++j)
            for (std::size_t k = 0; k < n2; ++k) {
              const double turns = turn(a, i, n0) + turn(b, j, n1) + turn(c, k, n2);
              sum += Complex(x.data[(i * n1 + j) * n2 + k]) *
                     std::polar(1.0, sign * 2 * std::numbers::pi * turns);
            }
        result.push_back(sum);
      }
  return result;
}

double largest_difference(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(Fftw, IsTheTransformByDefinition) {
  const Volume x = some_volume({2, 3, 4});
  EXPECT_LT(largest_difference(fftw(x, FftDirection::forward), slow_transform(x, -1)), 1e-12);
  std::vector<Complex> inverse = slow_transform(x, +1);
  for (Complex& value : inverse) value /= 24;
  EXPECT_LT(largest_difference(fftw(x, FftDirection::inverse), inverse), 1e-12);
}

TEST(Fftw, LeavesItsInputAlone) {
  const Volume x = some_volume({4, 4, 4});
  fftw(x, FftDirection::forward);
  EXPECT_EQ(x.data, some_volume({4, 4, 4}).data);
}

TEST(Fftw, MayRunInSeveralThreads) {
  const Volume x = some_volume({8, 8, 8});
  const std::vector<Complex> expected = fftw(x, FftDirection::forward);
  std::vector<std::vector<Complex>> results(4);
  std::vector<std::thread> threads;
  for (auto& result : results) {
    threads.emplace_back([&x, &result] {
      for (int i = 0; i < 20; ++i) result = fftw(x, FftDirection::forward);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& result : results) EXPECT_LT(largest_difference(result, expected), 1e-12);
}

TEST(Fftw, RefusesAVolumeThatContradictsItself) {
  EXPECT_TRUE(fftw(Volume{}, FftDirection::forward).empty());
  Volume x = some_volume({4, 4, 4});
  x.shape.n2 = 5;
  test::expect_error(
      ErrorCategory::usage, [&] { fftw(x, FftDirection::forward); }, "4 x 4 x 5", "64");
  test::expect_error(
      ErrorCategory::usage,
      [] {
        fftw(Volume{{std::size_t{1} << 32, 0, 1}, {}}, FftDirection::forward);
      },
      "side");
}

}  // namespace
}  // namespace weft::reference::reference_fftw_test
