// S3DFT by p^3 nodes: right on any machine, the same however it is stepped, and as counted.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "io/volume_file.hpp"
#include "reference/reference.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"
#include "support/transform_case.hpp"

namespace weft::test::s3dft_cubes_test {
namespace {

constexpr FftPrecision kPrecisions[] = {FftPrecision::fp32, FftPrecision::fp16};
constexpr FftDirection kDirections[] = {FftDirection::forward, FftDirection::inverse};

Shape3 cube(int n) {
  const auto side = static_cast<std::size_t>(n);
  return {side, side, side};
}

FftOptions options_for(FftMesh mesh, FftNorm norm = FftNorm::ortho) {
  return {
      .mesh = mesh, .norm = norm, .algorithm = FftAlgorithm::s3dft, .s3dft_form = S3dftForm::cubes};
}

FftMesh mesh_of(int p) { return p == 2 ? FftMesh{4, 2} : p == 4 ? FftMesh{8, 8} : FftMesh{32, 16}; }

FftRun run(int n, FftPrecision precision, FftDirection direction, const FftOptions& options) {
  return FftPlan(cube(n), precision, options).run(io::random_volume(cube(n), 1), direction);
}

void expect_right(int n, FftPrecision precision, FftDirection direction,
                  const FftOptions& options) {
  const FftRun fft = run(n, precision, direction, options);
  const Volume input = io::random_volume(cube(n), 1);
  EXPECT_LT(
      reference::compare(fft.output.data, reference::fftw(input, direction, options.norm)).rel_l2,
      fft_error_bound(cube(n), precision, FftAlgorithm::s3dft));
  EXPECT_TRUE(fft.report.busiest_link) << "the count of wavelets is not the fabric's";
}

TEST(S3dftCubes, AgreeWithFftw) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const auto& [n, p] : {std::pair{2, 2},
                             {4, 2},
                             {6, 2},
                             {10, 2},
                             {4, 4},
                             {8, 4},
                             {12, 4},
                             {20, 4},
                             {8, 8},
                             {16, 8}})
    for (const FftPrecision precision : kPrecisions)
      for (const FftDirection direction : kDirections) {
        if (sanitized() && n * p > 64) continue;
        SCOPED_TRACE(
            fmt::format("{} by {} {} {}", n, p, to_string(precision), to_string(direction)));
        expect_right(n, precision, direction, options_for(mesh_of(p)));
      }
  for (const FftNorm norm : {FftNorm::backward, FftNorm::forward})
    for (const FftDirection direction : kDirections)
      expect_right(8, FftPrecision::fp32, direction, options_for({8, 8}, norm));
}

TEST(S3dftCubes, AreRightOnRandomMachines) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const std::uint64_t first = seed_from(1);
  for (std::uint64_t seed = first; seed < first + by_effort(2U, 20U, 40U); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const int p = random() % 2 == 0 ? 2 : 4, n = p * static_cast<int>(1 + random() % 5);
    const FftPrecision precision = kPrecisions[random() % 2];
    const FftDirection direction = kDirections[random() % 2];
    FftOptions options = options_for(mesh_of(p));
    const FftRun usual = run(n, precision, direction, options);
    options.machine = random_machine(seed);
    options.machine.pe_memory_bytes = 1 << 20;
    EXPECT_EQ(run(n, precision, direction, options).output.data, usual.output.data);
  }
}

TEST(S3dftCubes, AreTheSameHoweverTheyAreStepped) {
  for (const auto& [n, p] : {std::pair{6, 2}, {8, 4}})
    for (const FftPrecision precision : kPrecisions) {
      const FftRun usual = run(n, precision, FftDirection::forward, options_for(mesh_of(p)));
      FftOptions other = options_for(mesh_of(p));
      other.threads = 2;
      other.accelerate.by_line = false;
      FftOptions reference = options_for(mesh_of(p)), no_data = reference;
      reference.engine = Engine::reference;
      for (const FftOptions& options : {other, reference}) {
        const FftRun again = run(n, precision, FftDirection::forward, options);
        EXPECT_EQ(again.output.data, usual.output.data);
        EXPECT_EQ(again.report.cycles, usual.report.cycles);
        EXPECT_EQ(again.report.counters.hops, usual.report.counters.hops);
      }
      no_data.data = false;
      EXPECT_EQ(run(n, precision, FftDirection::forward, no_data).report.cycles,
                usual.report.cycles);
    }
}

TEST(S3dftCubes, OfABatchRunInTurn) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  FftOptions options = options_for({4, 2});
  const Volume input = io::random_volume({12, 4, 4}, 1);
  options.batch = 3;
  const FftRun all = FftPlan(cube(4), FftPrecision::fp32, options).forward(input);
  EXPECT_EQ(all.rounds, 3);
  options.batch = 1;
  const Volume last{cube(4), {input.data.begin() + 128, input.data.end()}};
  const FftRun alone = FftPlan(cube(4), FftPrecision::fp32, options).forward(last);
  EXPECT_TRUE(std::equal(alone.output.data.begin(), alone.output.data.end(),
                         all.output.data.begin() + 128));
}

/// The formula of docs/algorithms.md; an estimate runs the program where it has few nodes.
TEST(S3dftCubes, TakeTheCyclesOfTheFormula) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const auto& [n, p] : {std::pair{4, 2},
                             {6, 2},
                             {10, 2},
                             {16, 2},
                             {8, 4},
                             {12, 4},
                             {16, 4},
                             {20, 4},
                             {32, 4},
                             {16, 8},
                             {24, 8}}) {
    if (sanitized() && n > 8) continue;
    for (const FftPrecision precision : kPrecisions) {
      FftOptions options = options_for(mesh_of(p), FftNorm::backward);
      options.data = false;
      const FftPlan plan(cube(n), precision, options);
      const FftEstimate estimate = plan.estimate();
      const std::uint64_t cycles = plan.forward({cube(n), {}}).report.cycles;
      EXPECT_NEAR(static_cast<double>(estimate.published_cycles), static_cast<double>(cycles),
                  (p <= 4 ? 0.1 : 0.15) * static_cast<double>(cycles))
          << n << " by " << p << ' ' << to_string(precision);
      if (p <= 4) {
        EXPECT_EQ(estimate.cycles, cycles) << n << " by " << p;
      }
    }
  }
}

TEST(S3dftCubes, LieOnTheMeshWithTheFewestCycles) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const auto plan = [](int n, FftOptions options, FftPrecision precision = FftPrecision::fp32) {
    options.data = false;
    return FftPlan(cube(n), precision, options);
  };
  EXPECT_EQ(plan(8, options_for({})).options().mesh, (FftMesh{8, 8}));
  EXPECT_EQ(plan(32, options_for({})).options().mesh, (FftMesh{64, 64}));
  EXPECT_EQ(plan(12, options_for({})).options().mesh, (FftMesh{8, 8}));
  EXPECT_EQ(plan(16, options_for({8, 0})).options().mesh, (FftMesh{8, 8}));
  expect_error(
      ErrorCategory::usage,
      [&] {
        plan(12, options_for({32, 16}));
      },
      "invalid mesh for cubes: 32 x 16 PEs", "take 8 x 8 or 4 x 2 PEs");
  expect_error(
      ErrorCategory::usage, [&] { plan(9, options_for({})); }, "invalid shape for cubes: 9,9,9",
      "even sides", "the form held");
  expect_error(
      ErrorCategory::usage,
      [&] {
        FftPlan({8, 8, 4}, FftPrecision::fp32, options_for({}));
      },
      "invalid shape for cubes: 8,8,4");
  expect_error(
      ErrorCategory::machine_profile,
      [&] {
        plan(64, options_for({8, 8}));
      },
      "blocks of 16 x 16 x 16 numbers exceed a PE's 48 KB", "pe_memory_bytes is 49152",
      "take at least 32 x 16 PEs");
  expect_error(
      ErrorCategory::machine_profile,
      [&] {
        plan(64, options_for({4, 2}));
      },
      "blocks of 32 x 32 x 32 numbers exceed a program's limits",
      "a descriptor has no more numbers than those of a side of 31");
}

}  // namespace
}  // namespace weft::test::s3dft_cubes_test
