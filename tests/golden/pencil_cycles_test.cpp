// Cycles of the algorithms for a pencil, as docs/transforms.md has them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

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

}  // namespace
}  // namespace weft::test::pencil_cycles_test
