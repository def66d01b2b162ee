// The cycles of S3DFT, and its formulas (docs/algorithms.md).
#include <gtest/gtest.h>

#include <array>

#include "io/volume_file.hpp"
#include "support/effort.hpp"
#include "weft/fft.hpp"

namespace weft::test::s3dft_cycles_test {
namespace {

FftPlan plan_of(int n, int p, FftPrecision precision, S3dftForm form) {
  const auto side = static_cast<std::size_t>(n);
  FftOptions options{.mesh = {p, p}, .algorithm = FftAlgorithm::s3dft, .s3dft_form = form};
  options.data = false;
  return {{side, side, side}, precision, options};
}

FftRun run_of(int n, int p, FftPrecision precision, S3dftForm form) {
  const FftPlan plan = plan_of(n, p, precision, form);
  return plan.forward({plan.shape(), {}});
}

std::uint64_t cycles(int n, int p, FftPrecision precision, S3dftForm form) {
  return run_of(n, p, precision, form).report.cycles;
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

TEST(S3dftCycles, OfCubesAreThoseOfThePage) {
  struct Cube {
    int n;
    FftMesh mesh;
    std::array<std::uint64_t, 2> cycles;  ///< FP32, FP16
  };
  for (const auto& [n, mesh, golden] :
       {Cube{8, {4, 2}, {8214, 4634}}, Cube{8, {8, 8}, {3051, 2535}},
        Cube{16, {8, 8}, {16634, 9553}}, Cube{16, {32, 16}, {7582, 6293}}})
    for (std::size_t k = 0; k < 2; ++k) {
      const auto side = static_cast<std::size_t>(n);
      FftOptions options{
          .mesh = mesh, .algorithm = FftAlgorithm::s3dft, .s3dft_form = S3dftForm::cubes};
      options.data = false;
      const FftPlan plan({side, side, side}, kPrecisions[k], options);
      EXPECT_EQ(plan.forward({plan.shape(), {}}).report.cycles, golden[k]) << n;
    }
}

/// b x b pencils: 4 b^3 N + 12 b^2 + 22 cycles a step (the last stage: 12 b^3), and 15 more for
/// each turn of the loops.
TEST(S3dftCycles, OfSeveralPencilsAreThoseOfTheStep) {
  for (const auto& [n, p] : {std::pair{32, 16}, std::pair{32, 8}, std::pair{24, 12}})
    for (const FftPrecision precision : kPrecisions) {
      const auto published = static_cast<double>(
          plan_of(n, p, precision, S3dftForm::held).estimate().published_cycles);
      const auto took = static_cast<double>(cycles(n, p, precision, S3dftForm::held));
      EXPECT_GT(took, published);
      EXPECT_LT(took, published * (precision == FftPrecision::fp32 ? 1.12 : 1.25)) << n << ' ' << p;
    }
}

/// As published: the steps with two streams more, and the alignments.
TEST(S3dftCycles, OfCannonAreGoldenAndNearFormulaAndEstimate) {
  for (const auto& [n, golden] : {std::pair{8, std::array<std::uint64_t, 2>{2498, 2035}},
                                  std::pair{16, std::array<std::uint64_t, 2>{6772, 4863}},
                                  std::pair{32, std::array<std::uint64_t, 2>{21179, 13498}}})
    for (std::size_t k = 0; k < 2; ++k) {
      if (sanitized() && n > 16) continue;
      const FftRun run = run_of(n, n, kPrecisions[k], S3dftForm::cannon);
      const auto took = static_cast<double>(run.report.cycles);
      EXPECT_EQ(run.report.cycles, golden[k]) << n;
      const FftEstimate estimate = plan_of(n, n, kPrecisions[k], S3dftForm::cannon).estimate();
      EXPECT_NEAR(static_cast<double>(estimate.cycles), took, 0.01 * took) << n;
      // The starts of five phases are not in it, 2 N each of two times, and 3 cycles of a place.
      const auto formula = static_cast<double>(estimate.published_cycles);
      EXPECT_GT(took, formula);
      EXPECT_LT(took, formula + 8 * n + 300) << n;
    }
}

/// Beside those of `held`, a step waits for two streams more.
TEST(S3dftCycles, AStepOfCannonWaitsForFourStreams) {
  for (std::size_t k = 0; k < 2; ++k) {
    const auto more = [&](int n) {
      const auto second = [&](S3dftForm form, std::size_t phase) {
        return run_of(n, n, kPrecisions[k], form).report.phases[phase].cycles;
      };
      return second(S3dftForm::cannon, 3) - second(S3dftForm::held, 1);
    };
    EXPECT_EQ(more(16) - more(8), (k == 0 ? 25U : 26U) * 8);
  }
}

}  // namespace
}  // namespace weft::test::s3dft_cycles_test
