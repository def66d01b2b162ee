#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "io/fit.hpp"
#include "io/volume_file.hpp"
#include "support/expect_error.hpp"
#include "support/fit.hpp"

namespace weft::io::io_fit_test {
namespace {

using test::expect_error;
using test::fit;
using Complex = std::complex<float>;

Volume make_volume(Shape3 shape, const std::function<Complex(double, double, double)>& value) {
  Volume volume{shape, {}};
  for (std::size_t i = 0; i < shape.n0; ++i)
    for (std::size_t j = 0; j < shape.n1; ++j)
      for (std::size_t k = 0; k < shape.n2; ++k)
        volume.data.push_back(
            value(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)));
  return volume;
}

Complex at(const Volume& volume, std::size_t i, std::size_t j, std::size_t k) {
  return volume.data[(i * volume.shape.n1 + j) * volume.shape.n2 + k];
}

Volume numbered(Shape3 shape) {
  return make_volume(shape, [](double i, double j, double k) {
    return Complex(static_cast<float>(100 * i + 10 * j + k + 1), 0);
  });
}

TEST(Fit, LeavesAnInputOfTheRightShapeAlone) {
  const Volume volume = random_volume({4, 5, 6}, 1);
  for (const Fit how : {Fit::none, Fit::crop, Fit::pad, Fit::resample}) {
    EXPECT_EQ(fit(volume, volume.shape, how, "x").data, volume.data);
  }
}

TEST(Fit, CropTakesTheCentre) {
  const Volume result = fit(numbered({4, 5, 7}), {2, 3, 4}, Fit::crop, "x");
  ASSERT_EQ(result.shape, (Shape3{2, 3, 4}));
  // Element n / 2 stays in the middle: offsets 2-1, 2-1 and 3-2.
  EXPECT_EQ(at(result, 0, 0, 0), Complex(112));
  EXPECT_EQ(at(result, 1, 2, 3), Complex(235));
}

TEST(Fit, PadPutsZerosAround) {
  const Volume small = numbered({1, 2, 3});
  const Volume result = fit(small, {4, 4, 4}, Fit::pad, "x");
  Complex sum = 0;
  for (const Complex value : result.data) sum += value;
  EXPECT_EQ(sum, Complex(1 + 2 + 3 + 11 + 12 + 13));
  EXPECT_EQ(at(result, 2, 1, 1), Complex(1));
  EXPECT_EQ(at(result, 2, 2, 3), Complex(13));
}

TEST(Fit, CropUndoesPad) {
  for (const Shape3 shape : {Shape3{3, 4, 5}, Shape3{1, 8, 2}}) {
    const Volume volume = random_volume(shape, 3);
    const Volume back = fit(fit(volume, {8, 9, 16}, Fit::pad, "x"), shape, Fit::crop, "x");
    EXPECT_EQ(back.data, volume.data);
  }
}

TEST(Fit, ResampleKeepsAConstant) {
  const Complex value{0.1F, -7.3F};
  const Volume constant = make_volume({5, 12, 7}, [&](double, double, double) { return value; });
  const Volume result = fit(constant, {8, 4, 8}, Fit::resample, "x");
  ASSERT_EQ(result.shape, (Shape3{8, 4, 8}));
  ASSERT_EQ(result.data.size(), result.shape.size());
  for (const Complex element : result.data) EXPECT_EQ(element, value);
}

TEST(Fit, ResampleKeepsALinearFieldInside) {
  // 11 to 16 grows, 37 to 8 and 20 to 4 shrink, by ratios that are no integers and that are.
  const auto field = [](double i, double j, double k) {
    return Complex(static_cast<float>(2 * i - 3 * j + k), static_cast<float>(j));
  };
  const Shape3 from{11, 37, 20}, to{16, 8, 4};
  const Volume result = fit(make_volume(from, field), to, Fit::resample, "x");
  const auto old_place = [](std::size_t i, std::size_t n_from, std::size_t n_to) {
    return (static_cast<double>(i) + 0.5) * static_cast<double>(n_from) /
               static_cast<double>(n_to) -
           0.5;
  };
  for (std::size_t i = 1; i + 1 < to.n0; ++i) {
    for (std::size_t j = 1; j + 1 < to.n1; ++j) {
      for (std::size_t k = 1; k + 1 < to.n2; ++k) {
        const Complex expected = field(old_place(i, from.n0, to.n0), old_place(j, from.n1, to.n1),
                                       old_place(k, from.n2, to.n2));
        EXPECT_LT(std::abs(at(result, i, j, k) - expected), 2e-5F) << i << " " << j << " " << k;
      }
    }
  }
}

TEST(Fit, ResampleAveragesWhatIsTooFineForTheNewGrid) {
  // The finest checkerboard would alias to a constant if every eighth element were picked.
  const Volume fine = make_volume({32, 1, 1}, [](double i, double, double) {
    return Complex(std::fmod(i, 2) == 0 ? 1.0F : -1.0F);
  });
  const Volume result = fit(fine, {4, 1, 1}, Fit::resample, "x");
  for (const Complex element : result.data) EXPECT_LT(std::abs(element), 0.07F);
}

/// Parts of an array along one axis, of several processes: some have several ranges, one has none.
std::vector<FftPart> parts_along(const Shape3& shape, int axis) {
  const std::size_t side = axis == 0 ? shape.n0 : axis == 1 ? shape.n1 : shape.n2;
  const std::size_t a = side / 4, b = side / 2;
  std::vector<FftPart> parts(4, {shape, axis, {{}}});
  parts[0].ranges[0] = {{0, a}, {b, b + 1}};
  parts[1].ranges[0] = {{a, b}};
  parts[3].ranges[0] = {{b + 1, side}};
  for (FftPart& part : parts)
    std::erase_if(part.ranges[0], [](const auto& range) { return range.first == range.last; });
  return parts;
}

bool has(const FftPart& part, std::size_t number) {
  const auto [n0, n1, n2, n3] = part.shape;
  const std::size_t index = part.axis == 0   ? number / n2 / n1
                            : part.axis == 1 ? number / n2 % n1
                                             : number % n2;
  for (const auto& [first, last] : part.ranges.front())
    if (first <= index && index < last) return true;
  return false;
}

/// Each number that is needed is counted once, and none is read that nobody needs.
void expect_parts_of(const Volume& volume, const Shape3& shape, Fit how, int axis) {
  const Volume whole = fit(volume, shape, how, "x");
  std::vector<int> read(volume.data.size()), counted(volume.data.size());
  const std::vector<FftPart> parts = parts_along(shape, axis);
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    const auto read_runs = [&](std::span<const NumberRun> runs) {
      std::vector<Complex> numbers;
      std::size_t end = 0;
      for (const NumberRun& run : runs) {
        EXPECT_GE(run.first, end);
        end = run.first + run.count;
        for (std::size_t n = run.first; n < end; ++n) {
          numbers.push_back(volume.data[n]);
          ++read[n];
          counted[n] += run.counted ? 1 : 0;
        }
      }
      if (how != Fit::resample) {
        EXPECT_LE(numbers.size(), parts[rank].size());
      }
      return numbers;
    };
    const auto numbers =
        fit_part(read_runs, volume.shape, parts[rank], std::span(parts).first(rank), how, "x");
    std::vector<Complex> expected;
    for (std::size_t n = 0; n < whole.data.size(); ++n)
      if (has(parts[rank], n)) expected.push_back(whole.data[n]);
    EXPECT_TRUE(numbers == expected) << "rank " << rank;
  }
  std::size_t count = 0;
  for (std::size_t n = 0; n < read.size(); ++n) {
    EXPECT_EQ(counted[n], read[n] == 0 ? 0 : 1) << n;
    count += read[n] == 0 ? 0 : 1;
  }
  EXPECT_EQ(count, how == Fit::crop ? whole.data.size() : volume.data.size());
}

TEST(Fit, PartsAreThoseOfTheWhole) {
  for (int axis = 0; axis < 3; ++axis) {
    SCOPED_TRACE(axis);
    expect_parts_of(random_volume({9, 11, 12}, 2), {6, 8, 5}, Fit::crop, axis);
    expect_parts_of(random_volume({4, 6, 5}, 2), {9, 8, 10}, Fit::pad, axis);
    expect_parts_of(random_volume({4, 6, 5}, 2), {12, 6, 10}, Fit::resample, axis);
    expect_parts_of(random_volume({21, 13, 30}, 2), {8, 10, 6}, Fit::resample, axis);
    expect_parts_of(random_volume({8, 8, 8}, 2), {8, 8, 8}, Fit::resample, axis);
  }
  expect_parts_of(random_volume({1, 1, 50}, 2), {1, 1, 32}, Fit::resample, 2);
  expect_parts_of(random_volume({1, 1, 20}, 2), {1, 1, 32}, Fit::resample, 2);
}

TEST(Fit, RefusalsNameTheSidesAndTheModesThatWork) {
  const auto expect_refused = [](Shape3 from, Fit how, auto... parts) {
    expect_error(
        ErrorCategory::input,
        [&] {
          fit(numbered(from), {4, 4, 4}, how, "scan.npy");
        },
        "scan.npy", parts...);
  };
  expect_refused({5, 6, 7}, Fit::none, "5 x 6 x 7", "4 x 4 x 4", "crop or resample");
  expect_refused({2, 3, 4}, Fit::none, "pad or resample");
  expect_refused({2, 6, 4}, Fit::none, "; resample");
  expect_refused({2, 6, 4}, Fit::crop, "cannot crop", "side 0 is 2 and must become 4",
                 "; resample");
  expect_refused({2, 6, 4}, Fit::pad, "cannot pad", "side 1 is 6 and must become 4", "; resample");
  expect_refused({2, 3, 4}, Fit::crop, "side 0 is 2", "side 1 is 3", "pad or resample");
  expect_refused({0, 4, 4}, Fit::resample, "side of 0");
  expect_refused({1, 1, 1}, Fit::resample, "axis 0 has 1 numbers and must have 4", "; pad it");
  expect_refused({1, 4, 4}, Fit::none, "; pad it");
  expect_refused({1, 5, 4}, Fit::none, "; give it the axes that are needed");
}

// Their product is 2^64 + 2, which 64 bits hold as 2.
TEST(Fit, CountsElementsBeyond64Bits) {
  const Shape3 vast{3, 6148914691236517206U, 1};
  EXPECT_EQ(vast.size(), ~std::size_t{0});
  EXPECT_EQ((Shape3{std::size_t{1} << 63U, 2, 0}.size()), 0U);
  expect_error(
      ErrorCategory::environment,
      [&] {
        (void)fit(numbered({1, 1, 1}), vast, Fit::pad, "x");
      },
      "no memory");
}

}  // namespace
}  // namespace weft::io::io_fit_test
