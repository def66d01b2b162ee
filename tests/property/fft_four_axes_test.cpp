// Arrays of four axes: two over the mesh, two whole in a PE.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <random>
#include <utility>
#include <vector>

#include "io/volume_file.hpp"
#include "reference/reference.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"
#include "support/transform_case.hpp"

namespace weft::test::fft_four_axes_test {
namespace {

constexpr Shape3 kSmall{4, 4, 4, 4}, kBox{8, 4, 16, 4};

constexpr FftTranspose kForms[] = {FftTranspose::published, FftTranspose::interlocked,
                                   FftTranspose::ring, FftTranspose::halves};

std::vector<std::complex<double>> wide(const Volume& volume) {
  return {volume.data.begin(), volume.data.end()};
}

double error_of(const FftRun& run, const Volume& input, FftDirection direction, FftNorm norm) {
  return reference::compare(run.output.data, reference::fftw(input, direction, norm)).rel_l2;
}

struct Drawn {
  Shape3 shape;
  FftPrecision precision;
  FftDirection direction;
  FftOptions options;
};

Drawn draw(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  const auto side = [&] { return std::size_t{4} << below(3); };
  Drawn drawn{};
  do drawn.shape = {side(), side(), side(), side()};
  while (drawn.shape.size() > 1U << 13U);
  const auto pes = [&](std::size_t most) {
    return std::max(static_cast<int>(most >> below(3)), 1);
  };
  const Shape3& n = drawn.shape;
  constexpr std::size_t kMostInAPe = 2048;  // two buffers of them fit, in both precisions
  FftMesh& mesh = drawn.options.mesh;
  do mesh = {pes(std::min(n.n0, n.n2 * n.n3)), pes(std::min(n.n0, n.n1))};
  while (n.size() / static_cast<std::size_t>(mesh.x * mesh.y) > kMostInAPe);
  drawn.precision = below(2) == 0 ? FftPrecision::fp16 : FftPrecision::fp32;
  drawn.direction = below(2) == 0 ? FftDirection::forward : FftDirection::inverse;
  constexpr FftPencil kPencils[] = {FftPencil::radix2, FftPencil::radix4, FftPencil::split_radix,
                                    FftPencil::stockham};
  drawn.options.pencil = kPencils[below(4)];
  drawn.options.transpose = kForms[below(4)];
  // In FP16 sums of random numbers stay in range.
  drawn.options.norm = FftNorm::ortho;
  if (seed % 3 == 0) drawn.options.machine = random_machine(seed);
  return drawn;
}

TEST(FourAxes, AgreeWithFftwAtRandom) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const auto cases = by_effort<std::uint64_t>(6, 40, 50);
  for (std::uint64_t seed = seed_from(1); seed < seed_from(1) + cases; ++seed) {
    const Drawn drawn = draw(seed);
    SCOPED_TRACE(fmt::format("seed {}, {},{},{},{} on {} x {} by {}", seed, drawn.shape.n0,
                             drawn.shape.n1, drawn.shape.n2, drawn.shape.n3, drawn.options.mesh.x,
                             drawn.options.mesh.y, to_string(drawn.options.transpose)));
    if (drawn.options.transpose == FftTranspose::published && seed % 3 == 0)
      continue;  // may end in a deadlock on a random machine
    const Volume input = io::random_volume(drawn.shape, seed);
    const FftRun fft =
        FftPlan(drawn.shape, drawn.precision, drawn.options).run(input, drawn.direction);
    EXPECT_LT(error_of(fft, input, drawn.direction, FftNorm::ortho),
              fft_error_bound(drawn.shape, drawn.precision));
    if (testing::Test::HasFailure()) break;
  }
}

TEST(FourAxes, AreDividedAsTheNormSays) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Volume input = io::random_volume(kBox, 1);
  for (const FftNorm norm : {FftNorm::backward, FftNorm::ortho, FftNorm::forward})
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
      const FftRun fft = FftPlan(kBox, FftPrecision::fp32, {.norm = norm}).run(input, direction);
      EXPECT_LT(error_of(fft, input, direction, norm), fft_error_bound(kBox, FftPrecision::fp32))
          << to_string(norm) << ' ' << to_string(direction);
    }
}

TEST(FourAxes, AreTheSameHoweverTheyAreStepped) {
  const Volume input = io::random_volume(kBox, 1);
  constexpr int kFormCount = static_cast<int>(std::size(kForms));
  for (int form = first_of(kFormCount); form < kFormCount; form += one_of(kFormCount))
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
      const auto run = [&](FftOptions options) {
        options.transpose = kForms[form];
        return FftPlan(kBox, FftPrecision::fp16, std::move(options)).run(input, direction);
      };
      const FftRun by_line = run({});
      FftOptions other{.threads = 2, .engine = Engine::host};
      other.accelerate.by_line = false;
      for (const FftOptions& options : {other, FftOptions{.engine = Engine::reference}}) {
        const FftRun again = run(options);
        EXPECT_EQ(again.output.data, by_line.output.data) << to_string(kForms[form]);
        EXPECT_EQ(again.report.cycles, by_line.report.cycles) << to_string(kForms[form]);
      }
      EXPECT_EQ(run({.data = false}).report.cycles, by_line.report.cycles)
          << to_string(kForms[form]);
    }
}

TEST(FourAxes, OfABatchAreThoseOfEach) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Volume input = io::random_volume({3 * kSmall.n0, 4, 4, 4}, 1);
  const FftRun all = FftPlan(kSmall, FftPrecision::fp32, {.batch = 3}).forward(input);
  const std::size_t size = kSmall.size();
  for (std::size_t k = 0; k < 3; ++k) {
    const auto first = input.data.begin() + static_cast<std::ptrdiff_t>(k * size);
    const Volume one{kSmall, {first, first + static_cast<std::ptrdiff_t>(size)}};
    const FftRun alone = FftPlan(kSmall, FftPrecision::fp32).forward(one);
    EXPECT_TRUE(
        std::ranges::equal(alone.output.data, std::span(all.output.data).subspan(k * size, size)));
  }
}

TEST(FourAxes, ComeBack) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16}) {
    const Volume input = io::random_volume(kBox, 1);
    const FftPlan plan(kBox, precision, {.norm = FftNorm::ortho});
    const Volume back = plan.inverse(plan.forward(input).output).output;
    EXPECT_LT(reference::compare(back.data, wide(input)).rel_l2,
              2 * fft_error_bound(kBox, precision));
  }
}

TEST(FourAxes, AreEstimatedToOnePercent) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const FftTranspose form : {FftTranspose::ring, FftTranspose::halves})
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
      const FftPlan plan({16, 16, 16, 16}, FftPrecision::fp32, {.transpose = form, .data = false});
      const auto cycles =
          static_cast<double>(plan.run({plan.shape(), {}}, direction).report.cycles);
      EXPECT_NEAR(static_cast<double>(plan.estimate(direction).cycles), cycles, 0.01 * cycles)
          << to_string(form);
    }
}

TEST(FourAxes, TakeTheLargestMeshThatFits) {
  const auto mesh_of = [](Shape3 shape, FftPrecision precision) {
    return FftPlan(shape, precision, {.data = false}).options().mesh;
  };
  EXPECT_EQ(mesh_of({16, 16, 16, 16}, FftPrecision::fp32), (FftMesh{16, 16}));
  EXPECT_EQ(mesh_of({64, 8, 4, 4}, FftPrecision::fp32), (FftMesh{16, 8}));  // a plane has 16
  EXPECT_EQ(mesh_of({32, 32, 32, 32}, FftPrecision::fp32), (FftMesh{32, 32}));
  expect_error(
      ErrorCategory::machine_profile,
      [&] {
        mesh_of({16, 16, 64, 64}, FftPrecision::fp32);
      },
      "two buffers of 4096 numbers exceed a PE's 48 KB");
}

TEST(FourAxes, OtherTransformsAreRefused) {
  const auto refuses = [](Shape3 shape, FftOptions options, auto... parts) {
    expect_error(
        ErrorCategory::usage, [&] { FftPlan(shape, FftPrecision::fp32, options); }, parts...);
  };
  refuses(kSmall, {.kind = FftKind::real}, "4,4,4,4", "a real array has one to three axes",
          "take complex numbers");
  refuses(kSmall, {.algorithm = FftAlgorithm::s3dft}, "4,4,4,4",
          "s3dft has arrays of three axes only");
  refuses({4, 1, 4, 4}, {}, "an array of four axes has no side of 1", "leave such axes out");
  refuses({4, 4, 4, 14}, {},
          "side 14 has a prime factor above 5, the nearest without are 12 and 15");
  const FftPlan box(kBox, FftPrecision::fp32, {.data = false});
  expect_error(
      ErrorCategory::usage,
      [&] {
        box.round_trips({kBox, {}}, 1);
      },
      "no round trips for an array of shape 8,4,16,4");
}

}  // namespace
}  // namespace weft::test::fft_four_axes_test
