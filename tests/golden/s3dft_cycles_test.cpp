// The cycles of S3DFT, and its formulas (docs/algorithms.md).
#include <gtest/gtest.h>

#include <array>

#include "io/volume_file.hpp"
#include "support/effort.hpp"
#include "weft/fft.hpp"

namespace weft::test::s3dft_cycles_test {
namespace {

std::uint64_t cycles(int n, int p, FftPrecision precision, S3dftForm form) {
  const auto side = static_cast<std::size_t>(n);
  const Shape3 shape{side, side, side};
  FftOptions options{.mesh = {p, p}, .algorithm = FftAlgorithm::s3dft, .s3dft_form = form};
  options.data = false;
  return FftPlan(shape, precision, options).forward({shape, {}}).report.cycles;
}

struct Row {
  int n, p;
  std::array<std::uint64_t, 2> held;  ///< FP32, FP16
};

constexpr FftPrecision kPrecisions[] = {FftPrecision::fp32, FftPrecision::fp16};

/// One pencil in a PE: each of 3 N steps takes 4 N + 34 cycles (FP32), 2 N + 34 (FP16).
TEST(S3dftCycles, AreGoldenAndThoseOfTheFormula) {
  for (const Row& row : {Row{8, 8, {1730, 1330}}, Row{16, 16, {4882, 3314}},
                         Row{32, 32, {15794, 9586}}, Row{64, 64, {56050, 31346}}})
    for (std::size_t k = 0; k < 2; ++k) {
      if (sanitized() && row.n > 16) continue;
      const std::uint64_t took = cycles(row.n, row.p, kPrecisions[k], S3dftForm::held);
      EXPECT_EQ(took, row.held[k]) << row.n;
      const int n = row.n, of_one = k == 0 ? 12 : 6;
      const auto formula = static_cast<std::uint64_t>(of_one * n * n + 102 * n);
      EXPECT_GE(took, formula);
      EXPECT_LT(took, formula + static_cast<std::uint64_t>(4 * n + 130)) << "the starts of stages";
    }
}

/// b x b pencils: 4 b^3 N + 12 b^2 + 22 cycles a step, and 15 more for each turn of the loops.
TEST(S3dftCycles, OfSeveralPencilsAreThoseOfTheStep) {
  for (const auto& [n, p] : {std::pair{32, 16}, std::pair{32, 8}, std::pair{24, 12}})
    for (const FftPrecision precision : kPrecisions) {
      const FftOptions options{.mesh = {p, p}, .algorithm = FftAlgorithm::s3dft, .data = false};
      const auto side = static_cast<std::size_t>(n);
      const double published = static_cast<double>(
          FftPlan({side, side, side}, precision, options).estimate().published_cycles);
      const auto took = static_cast<double>(cycles(n, p, precision, S3dftForm::held));
      EXPECT_GT(took, published);
      EXPECT_LT(took, published * (precision == FftPrecision::fp32 ? 1.12 : 1.25)) << n << ' ' << p;
    }
}

/// As published: the steps with two streams more, and the alignments.
TEST(S3dftCycles, OfCannonAreGolden) {
  for (const auto& [n, golden] : {std::pair{8, std::array<std::uint64_t, 2>{2498, 2035}},
                                  std::pair{16, std::array<std::uint64_t, 2>{6772, 4863}}})
    for (std::size_t k = 0; k < 2; ++k)
      EXPECT_EQ(cycles(n, n, kPrecisions[k], S3dftForm::cannon), golden[k]) << n;
}

}  // namespace
}  // namespace weft::test::s3dft_cycles_test
