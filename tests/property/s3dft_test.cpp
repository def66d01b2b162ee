// S3DFT: right on any box, mesh and machine, and the same however it is stepped.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "fft/s3dft/blocks.hpp"
#include "io/volume_file.hpp"
#include "reference/reference.hpp"
#include "support/box.hpp"
#include "support/effort.hpp"
#include "support/transform_case.hpp"
#include "weft/error.hpp"

namespace weft::test::s3dft_test {
namespace {

constexpr S3dftForm kForms[] = {S3dftForm::held, S3dftForm::cannon};

/// Cannon's blocks meet on as many PEs along x as along y.
bool has(S3dftForm form, const Box& box) {
  return form == S3dftForm::held || box.mesh.x == box.mesh.y;
}

FftOptions options_for(const Box& box, S3dftForm form) {
  FftOptions options;
  options.s3dft_form = form;
  options.algorithm = FftAlgorithm::s3dft;
  options.norm = FftNorm::ortho;  // FP16 stays in range
  options.mesh = box.mesh;
  return options;
}

FftRun run(const Box& box, FftPrecision precision, FftDirection direction,
           const FftOptions& options) {
  return FftPlan(box.shape, precision, options).run(io::random_volume(box.shape, 1), direction);
}

double error_of(const FftRun& run, const Volume& input, FftDirection direction, FftNorm norm) {
  return reference::compare(run.output.data, reference::fftw(input, direction, norm)).rel_l2;
}

/// Three times the errors of random fields, which grow as the root of a side (docs/accuracy.md):
/// 0.66 to 0.71 sqrt(n) u, n = 16 to 64.
double usual_error(const Shape3& shape, FftPrecision precision) {
  const auto longest = static_cast<double>(std::max({shape.n0, shape.n1, shape.n2}));
  return 3 * 0.7 * std::sqrt(longest) * (precision == FftPrecision::fp16 ? 0x1p-11 : 0x1p-24);
}

void expect_right(const Box& box, FftPrecision precision, FftDirection direction,
                  const FftOptions& options) {
  SCOPED_TRACE(fmt::format("{} {} {}", text(box), to_string(precision), to_string(direction)));
  const FftRun fft = run(box, precision, direction, options);
  const double error = error_of(fft, io::random_volume(box.shape, 1), direction, options.norm);
  EXPECT_LT(error, usual_error(box.shape, precision));
  EXPECT_LT(error, fft_error_bound(box.shape, precision, FftAlgorithm::s3dft));
  EXPECT_TRUE(fft.report.busiest_link) << "the count of wavelets is not the fabric's";
}

constexpr FftPrecision kPrecisions[] = {FftPrecision::fp32, FftPrecision::fp16};
constexpr FftDirection kDirections[] = {FftDirection::forward, FftDirection::inverse};

const std::vector<Box>& boxes() {
  static const std::vector<Box> all{
      {{16, 16, 16}, {}},     {{12, 12, 12}, {}},     {{20, 12, 30}, {}},    {{20, 12, 30}, {6, 4}},
      {{8, 8, 8}, {2, 4}},    {{8, 8, 8}, {1, 1}},    {{7, 9, 5}, {1, 3}},   {{13, 11, 7}, {}},
      {{3, 2, 2}, {}},        {{2, 2, 3}, {3, 1}},    {{5, 12, 9}, {3, 12}}, {{10, 6, 6}, {6, 6}},
      {{17, 4, 16}, {16, 2}}, {{32, 32, 32}, {16, 8}}};
  return all;
}

TEST(S3dft, AgreesWithFftw) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const Box& box : boxes()) {
    if (sanitized() && box.shape.size() > 4096) continue;
    for (const S3dftForm form : kForms)
      for (const FftPrecision precision : kPrecisions)
        for (const FftDirection direction : kDirections)
          if (has(form, box)) expect_right(box, precision, direction, options_for(box, form));
  }
}

/// A box with some mesh that divides it, drawn from a seed.
Box draw(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto side = [&] { return static_cast<std::size_t>(2 + random() % 15); };
  const auto divisor = [&](std::size_t n) {
    return static_cast<int>(std::gcd(n, std::size_t{1} + random() % n));
  };
  Box box{{side(), side(), side()}, {}};
  if (seed % 2 == 0) box.shape.n1 = box.shape.n2;  // meshes that are square
  box.mesh.x = divisor(box.shape.n2);
  box.mesh.y = seed % 2 == 0 ? box.mesh.x : divisor(box.shape.n1);
  return box;
}

TEST(S3dft, IsRightOnRandomBoxesAndMachines) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const std::uint64_t first = seed_from(1);
  for (std::uint64_t seed = first; seed < first + by_effort(6U, 40U, 80U); ++seed) {
    SCOPED_TRACE(seed);
    const Box box = draw(seed);
    const FftPrecision precision = kPrecisions[seed % 2];
    const FftDirection direction = kDirections[seed / 2 % 2];
    for (const S3dftForm form : kForms) {
      if (!has(form, box)) continue;
      FftOptions usual = options_for(box, form);
      usual.machine.pe_memory_bytes = 1 << 20;  // one PE may have it all
      expect_right(box, precision, direction, usual);
      FftOptions other = usual;
      other.machine = random_machine(seed);
      other.machine.pe_memory_bytes = usual.machine.pe_memory_bytes;
      other.accelerate.by_line = seed % 3 != 0;
      EXPECT_EQ(run(box, precision, direction, other).output.data,
                run(box, precision, direction, usual).output.data);
    }
  }
}

void expect_same_however_stepped(const Box& box, S3dftForm form) {
  SCOPED_TRACE(fmt::format("{} {}", text(box), to_string(form)));
  const FftPrecision precision = kPrecisions[box.shape.n0 % 2];
  const FftRun fft = run(box, precision, FftDirection::inverse, options_for(box, form));
  const auto expect_same = [&](auto change) {
    FftOptions options = options_for(box, form);
    change(options);
    const FftRun other = run(box, precision, FftDirection::inverse, options);
    EXPECT_EQ(other.report.cycles, fft.report.cycles);
    EXPECT_EQ(other.report.counters.hops, fft.report.counters.hops);
    if (options.data) {
      EXPECT_EQ(other.output.data, fft.output.data);
    }
  };
  expect_same([](FftOptions& o) { o.threads = 2; });
  expect_same([](FftOptions& o) { o.threads = 3; });
  if (looks_for_races()) return;
  expect_same([](FftOptions& o) { o.accelerate.by_line = false; });
  expect_same([](FftOptions& o) { o.accelerate.run_ahead = o.accelerate.element_rows = false; });
  expect_same([](FftOptions& o) { o.data = false; });
  if (box.shape.size() <= 600) expect_same([](FftOptions& o) { o.engine = Engine::reference; });
}

TEST(S3dft, IsTheSameHoweverItIsStepped) {
  for (const Box& box : boxes())
    for (const S3dftForm form : kForms)
      if (has(form, box) && box.shape.size() <= by_effort(600U, 4096U, 8192U))
        expect_same_however_stepped(box, form);
}

TEST(S3dft, IsSteppedByLine) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const std::size_t n = sanitized() ? 16 : 32;
  const Box box{{n, n, n}, {}};
  for (const FftPrecision precision : kPrecisions)
    EXPECT_TRUE(run(box, precision, FftDirection::forward, options_for(box, S3dftForm::held))
                    .report.by_line);
}

TEST(S3dft, TransformsImpulsesAndConstantFields) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Shape3 shape{12, 8, 10};
  for (const FftPrecision precision : kPrecisions) {
    const FftPlan plan(shape, precision, {.algorithm = FftAlgorithm::s3dft});
    Volume field{shape, std::vector<std::complex<float>>(shape.size())};
    for (const std::size_t at : {std::size_t{0}, std::size_t{123}, shape.size() - 1}) {
      field.data.assign(shape.size(), 0);
      field.data[at] = {1, -2};
      EXPECT_LT(error_of(plan.forward(field), field, FftDirection::forward, FftNorm::backward),
                fft_error_bound(shape, precision, FftAlgorithm::s3dft));
    }
    field.data.assign(shape.size(), 1);
    EXPECT_LT(error_of(plan.forward(field), field, FftDirection::forward, FftNorm::backward),
              fft_error_bound(shape, precision, FftAlgorithm::s3dft));
  }
}

/// The sum of a constant field of 1 is the count of its numbers, and 65504 the largest one of FP16.
TEST(S3dft, OverflowsInFp16UnlessANormDivides) {
  if (sanitized()) GTEST_SKIP() << "too slow under a sanitizer";
  for (const std::size_t n : {std::size_t{63}, std::size_t{64}}) {
    const Shape3 shape{n, 32, 32};
    const Volume ones{shape, std::vector<std::complex<float>>(shape.size(), 1)};
    FftOptions options{.mesh = {8, 8}, .algorithm = FftAlgorithm::s3dft};
    const auto first = [&] {
      return FftPlan(shape, FftPrecision::fp16, options).forward(ones).output.data.front().real();
    };
    EXPECT_EQ(std::isfinite(first()), shape.size() <= 65504) << n;
    options.norm = FftNorm::forward;
    EXPECT_NEAR(first(), 1, 0.05);
  }
}

TEST(S3dft, TransformsBatchesSideBySideAndInRounds) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Shape3 shape{5, 4, 6};
  for (const FftMesh mesh : {FftMesh{}, FftMesh{6, 4}, FftMesh{12, 4}, FftMesh{3, 2}}) {
    FftOptions options{.mesh = mesh, .batch = 3, .algorithm = FftAlgorithm::s3dft};
    const FftPlan plan(shape, FftPrecision::fp32, options);
    const Volume input = io::random_volume(plan.input_shape(), 5);
    const FftRun all = plan.forward(input);
    const auto size = static_cast<std::ptrdiff_t>(shape.size());
    for (int k = 0; k < 3; ++k) {
      const auto part = [&](const std::vector<std::complex<float>>& data) {
        return std::vector(data.begin() + k * size, data.begin() + (k + 1) * size);
      };
      EXPECT_LT(reference::compare(part(all.output.data), reference::fftw({shape, part(input.data)},
                                                                          FftDirection::forward))
                    .rel_l2,
                fft_error_bound(shape, FftPrecision::fp32, FftAlgorithm::s3dft));
    }
    EXPECT_EQ(all.rounds, mesh.x == 0 ? 1 : mesh.x == 12 ? 2 : 3);
  }
}

/// A side of the mesh divides one of an array, or is several of them.
TEST(S3dft, RefusesMeshesThatNeitherDivideNorRepeatAnArray) {
  const Shape3 shape{12, 12, 12};
  FftOptions options{.batch = 2, .algorithm = FftAlgorithm::s3dft};
  for (const FftMesh mesh : {FftMesh{13, 12}, FftMesh{10, 12}, FftMesh{12, 18}, FftMesh{-12, 12}}) {
    options.mesh = mesh;
    EXPECT_THROW(FftPlan(shape, FftPrecision::fp32, options), Error) << mesh.x << ' ' << mesh.y;
  }
  for (const FftMesh mesh : {FftMesh{6, 12}, FftMesh{24, 12}, FftMesh{12, 24}}) {
    options.mesh = mesh;
    EXPECT_EQ(FftPlan(shape, FftPrecision::fp32, options).options().mesh, mesh);
  }
  options.batch = 1;
  EXPECT_THROW(FftPlan(shape, FftPrecision::fp32, options), Error) << "no second array";
}

/// One side of the mesh given: the other one is the longest that goes with it.
TEST(S3dft, TakesTheOtherSideOfTheMeshFromTheForm) {
  FftOptions options{.mesh = {6, 0}, .algorithm = FftAlgorithm::s3dft};
  const auto mesh = [&] {
    return FftPlan({12, 12, 12}, FftPrecision::fp32, options).options().mesh;
  };
  EXPECT_EQ(mesh(), (FftMesh{6, 12}));
  options.s3dft_form = S3dftForm::cannon;
  EXPECT_EQ(mesh(), (FftMesh{6, 6}));
  options.mesh = {0, 4};
  EXPECT_EQ(mesh(), (FftMesh{4, 4}));
}

/// Longer lines than a plan takes unasked: the arrays of a batch stand side by side all the same.
TEST(S3dft, PlansBatchesOfLongArrays) {
  const FftOptions options{.batch = 4, .algorithm = FftAlgorithm::s3dft, .data = false};
  const FftPlan plan({2, 2, 3000}, FftPrecision::fp32, options);
  EXPECT_EQ(plan.options().mesh.x % 1000, 0);
}

TEST(S3dft, IsRefusedFormsAndOptionsOfTheOther) {
  const auto plan = [](const FftOptions& options) {
    return FftPlan({8, 8, 8}, FftPrecision::fp32, options);
  };
  EXPECT_THROW(plan({.s3dft_form = S3dftForm::cannon}), Error);
  EXPECT_THROW(plan({.algorithm = FftAlgorithm::s3dft, .pencil = FftPencil::radix4}), Error);
}

/// All of a PE's data is written, without by-line by each PE: 8 b^2 N bytes for each of three
/// blocks at least.
TEST(S3dft, CountsAllThatItTouchesOnThisHost) {
  FftOptions options{.algorithm = FftAlgorithm::s3dft};
  options.accelerate.by_line = false;
  const auto bytes = [&](bool data) {
    options.data = data;
    return FftPlan({64, 64, 64}, FftPrecision::fp32, options).estimate().host_bytes;
  };
  EXPECT_GE(bytes(true) - bytes(false), 64U * 64 * 3 * 8 * 64);
}

/// Where PEs have different numbers of rows of the matrix, a few places do not tell those of all.
TEST(S3dft, IsEstimatedWithinAPercentOrSixWhereRowsAreUneven) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const auto& [box, most] :
       {std::pair{Box{{32, 32, 32}, {}}, 0.01}, std::pair{Box{{24, 24, 24}, {12, 6}}, 0.01},
        std::pair{Box{{20, 12, 30}, {}}, 0.06}}) {
    SCOPED_TRACE(text(box));
    FftOptions options = options_for(box, S3dftForm::held);
    options.data = false;
    const FftPlan plan(box.shape, FftPrecision::fp32, options);
    const FftEstimate estimate = plan.estimate();
    const auto took = static_cast<double>(plan.forward({box.shape, {}}).report.cycles);
    EXPECT_NEAR(static_cast<double>(estimate.cycles), took, most * took);
    EXPECT_EQ(estimate.filters, 0);
    EXPECT_EQ(estimate.colors, 6);
  }
}

/// Blocks of b x b pencils: three with room for real and imaginary parts, rows of the matrix, and
/// roots; the rest is the program.
TEST(S3dft, TakesTheMemoryOfItsFormula) {
  for (const FftPrecision precision : kPrecisions)
    for (const int n : {16, 32, 64})
      for (const int b : {1, 2}) {
        FftOptions options{.mesh = {n / b, n / b}, .algorithm = FftAlgorithm::s3dft};
        const auto side = static_cast<std::size_t>(n);
        const FftPlan plan({side, side, side}, precision, options);
        const int bytes = precision == FftPrecision::fp16 ? 2 : 4;
        const auto data = static_cast<std::uint32_t>((6 * b * b + 2 * b + 2) * n * bytes);
        const std::uint32_t program = plan.estimate().pe_bytes - data;
        EXPECT_GT(program, 1000U);
        EXPECT_LT(program, 3200U) << n << ' ' << b;
      }
}

}  // namespace
}  // namespace weft::test::s3dft_test
