// Cycles of the algorithms for a pencil, as docs/transforms.md has them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "weft/fft.hpp"

namespace weft::test::pencil_cycles_test {
namespace {

std::uint64_t cycles_of(FftPencil pencil, FftPrecision precision, std::size_t n) {
  std::vector<std::complex<float>> numbers(n);
  return run_fft_pencil(numbers, precision, FftDirection::forward, {}, pencil);
}

struct Pinned {
  FftPencil pencil;
  FftPrecision precision;
  std::size_t n;
  std::uint64_t cycles;
};

std::string name_of(const testing::TestParamInfo<Pinned>& given) {
  return std::string(to_string(given.param.precision)) + "_" + std::to_string(given.param.n);
}

class PencilTable : public testing::TestWithParam<Pinned> {};

TEST_P(PencilTable, IsStillRight) {
  const auto& [pencil, precision, n, cycles] = GetParam();
  EXPECT_EQ(cycles_of(pencil, precision, n), cycles);
}

constexpr FftPrecision kSingle = FftPrecision::fp32, kHalf = FftPrecision::fp16;

INSTANTIATE_TEST_SUITE_P(Radix2, PencilTable,
                         testing::Values(Pinned{FftPencil::radix2, kSingle, 64, 4916},
                                         Pinned{FftPencil::radix2, kSingle, 2048, 217510},
                                         Pinned{FftPencil::radix2, kHalf, 64, 3627},
                                         Pinned{FftPencil::radix2, kHalf, 4096, 292317}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Radix4, PencilTable,
                         testing::Values(Pinned{FftPencil::radix4, kSingle, 32, 544},
                                         Pinned{FftPencil::radix4, kSingle, 64, 1157},
                                         Pinned{FftPencil::radix4, kSingle, 2048, 65300},
                                         Pinned{FftPencil::radix4, kHalf, 64, 653},
                                         Pinned{FftPencil::radix4, kHalf, 4096, 70953}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(SplitRadix, PencilTable,
                         testing::Values(Pinned{FftPencil::split_radix, kSingle, 64, 1434},
                                         Pinned{FftPencil::split_radix, kSingle, 1024, 29315},
                                         Pinned{FftPencil::split_radix, kHalf, 64, 1010}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Stockham, PencilTable,
                         testing::Values(Pinned{FftPencil::stockham, kSingle, 64, 1268},
                                         Pinned{FftPencil::stockham, kSingle, 2048, 71464},
                                         Pinned{FftPencil::stockham, kHalf, 64, 716}),
                         name_of);

/// A radix-4 pass has 3 fused multiply-adds of 3/4 of the numbers less those of frequency 0, and 8
/// additions of parts for each number; of these FP32 does one a cycle.
TEST(Radix4Cycles, AreMostlyThoseOfItsOperations) {
  for (const std::size_t n : {256, 1024}) {
    const auto size = static_cast<double>(n);
    double operations = 0;
    int passes = 0, levels = static_cast<int>(std::log2(size));
    double rows = 1;
    for (; levels % 4 != 0; --levels, ++passes, rows *= 2) operations += 2 * size;
    for (; rows < size; rows *= 4, ++passes) operations += 4 * size + 9 * size / 4 * (1 - 1 / rows);
    const auto cycles = static_cast<double>(cycles_of(FftPencil::radix4, kSingle, n));
    EXPECT_GE(cycles, operations);
    EXPECT_LE(cycles, operations + 60 * passes) << "of vectors' starts and descriptors";
  }
}

/// Elements of a pass's vectors over the numbers: of two vectors, one or, in FP16, two in a cycle;
/// of one vector twice as many in FP16.
struct Elements {
  double turns, of_two, of_one;
};

Elements elements_of(int radix) {
  switch (radix) {
    case 2:
      return {1.5, 2, 0};
    case 3:
      return {2, 12.0 / 3, 2.0 / 3};  // six vectors of two parts of a third, and a scale
    case 4:
      return {2.25, 4, 0};
    default:
      return {2.4, 16 * 2.0 / 5, 3 * 2.0 / 5};
  }
}

/// A pencil of no power of two: passes, as the page on transforms has them, and cycles.
struct Smooth {
  std::size_t n;
  std::vector<int> radices;
  std::uint64_t fp32, fp16;
};

/// Of all passes; an odd number of them ends in the other place, and is copied back.
double passes_of(const Smooth& row, FftPrecision precision) {
  const auto n = static_cast<double>(row.n);
  const bool half = precision == kHalf;
  double cycles = 0;
  int rows = 1;
  for (const int radix : row.radices) {
    const auto [turns, of_two, of_one] = elements_of(radix);
    const double all = of_two + (rows == 1 || (rows == 2 && radix == 2) ? 0 : turns);
    cycles += n * (half ? all / 2 + of_one / 4 : all + of_one);
    rows *= radix;
  }
  return cycles + (row.radices.size() % 2 == 1 ? (half ? 1 : 2) * n : 0);
}

TEST(SmoothPencils, TakeTheCyclesOfThePageNearThoseOfTheirPasses) {
  for (const Smooth& row : {Smooth{96, {2, 4, 4, 3}, 2068, 1108},
                            {125, {5, 5, 5}, 4111, 2189},
                            {243, {3, 3, 3, 3, 3}, 8277, 4147},
                            {1000, {2, 2, 2, 5, 5, 5}, 37150, 17875},
                            {1500, {2, 2, 3, 5, 5, 5}, 60299, 28760}}) {
    EXPECT_EQ(cycles_of(FftPencil::radix4, kSingle, row.n), row.fp32) << row.n;
    EXPECT_EQ(cycles_of(FftPencil::radix4, kHalf, row.n), row.fp16) << row.n;
    const double more_32 = static_cast<double>(row.fp32) / passes_of(row, kSingle),
                 more_16 = static_cast<double>(row.fp16) / passes_of(row, kHalf);
    if (row.n < 200) continue;  // starts of vectors
    EXPECT_NEAR(more_32, 1, 0.03) << row.n;
    EXPECT_NEAR(more_16, 1, 0.08) << row.n;
  }
}

}  // namespace
}  // namespace weft::test::pencil_cycles_test
