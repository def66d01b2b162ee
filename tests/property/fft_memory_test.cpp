// PEs whose memory is short: all that fits with the published exchange fits with the others, and
// transforms with the least roots are right.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fft/fitting.hpp"
#include "fft/planning.hpp"
#include "fft/wsfft/pencil.hpp"
#include "io/volume_file.hpp"
#include "reference/reference.hpp"
#include "support/box.hpp"
#include "support/effort.hpp"
#include "support/mesh.hpp"
#include "weft/error.hpp"
#include "weft/fft.hpp"

namespace weft::test::fft_memory_test {
namespace {

constexpr std::array kPencils{FftPencil::radix2, FftPencil::radix4, FftPencil::stockham,
                              FftPencil::split_radix};
constexpr std::array kPrecisions{FftPrecision::fp32, FftPrecision::fp16};

/// The division of a box whose PEs have `numbers` numbers, if there is one.
std::optional<wsfft::Division> full(const Box& box, int numbers, const FftOptions& options,
                                    fft::PeBytes& bytes) {
  const FftMesh& mesh = box.mesh;
  const Shape3& shape = box.shape;
  if (shape.size() != static_cast<std::size_t>(numbers) * static_cast<std::size_t>(mesh.x * mesh.y))
    return {};
  try {
    const wsfft::Division d = fft::division_of(shape, options, bytes);
    return d.px == mesh.x && d.py == mesh.y ? std::optional(d) : std::nullopt;
  } catch (const Error&) {  // the mesh does not divide it
    return {};
  }
}

/// f(box) of all of three axes or less on meshes of up to 1024 PEs a line.
template <class F>
void for_boxes(F f) {
  const std::array<std::size_t, 12> sides{1, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
  for (const std::size_t n0 : sides)
    for (const std::size_t n1 : sides)
      for (const std::size_t n2 : sides)
        for (int x = 1; x <= 1024; x *= 2)
          for (int y = 1; y <= 1024; y *= 2) f(Box{{n0, n1, n2}, {x, y}});
}

TEST(Memory, HoldsWithEachExchangeWhatItHoldsWithThePublishedOne) {
  if (sanitized()) GTEST_SKIP() << too_long();
  const Machine machine;
  const auto one_of_them = by_effort<std::uint64_t>(16, 16, 4);
  std::uint64_t tried = seed_from(0);
  for (const FftPrecision precision : kPrecisions)
    for (const FftPencil pencil : kPencils) {
      if (pencil == FftPencil::split_radix) continue;  // its shapes are too many first
      const int most = wsfft::algorithm_of(FftPencil::radix4).longest(precision);
      int boxes = 0;
      fft::PeBytes published(precision, pencil), ring(precision, pencil, FftTranspose::ring),
          halves(precision, pencil, FftTranspose::halves);
      for_boxes([&](const Box& box) {
        FftOptions options{.mesh = box.mesh};
        const auto as_published = full(box, most, options, published);
        if (!as_published || ++tried % one_of_them != 0) return;
        if (!fft::fits_pe(*as_published, published, machine)) return;
        ++boxes;
        const std::string what =
            fmt::format("{} {} {}", text(box), to_string(pencil), to_string(precision));
        options.transpose = FftTranspose::ring;
        EXPECT_TRUE(fft::fits_pe(*full(box, most, options, ring), ring, machine)) << what;
        options.transpose = FftTranspose::halves;
        if (!fft::has_lines(*as_published, FftTranspose::halves)) return;
        EXPECT_TRUE(fft::fits_pe(*full(box, most, options, halves), halves, machine)) << what;
      });
      EXPECT_GT(boxes, 30) << to_string(pencil);
    }
}

TEST(Memory, IsCountedOnceForAllThatAPlanAsks) {
  const wsfft::Division cube = wsfft::cube(8);
  const fft::PeBytes published(FftPrecision::fp32, FftPencil::radix2);
  const auto ring = [&] { return published.of_others(FftPencil::radix4, FftTranspose::ring); };
  EXPECT_EQ(&ring().of(cube), &ring().of(cube));
  EXPECT_NE(*ring().of(cube).bytes, *published.of(cube).bytes);
}

/// The bytes of a PE with each root, and with the least.
struct Bytes {
  std::uint32_t whole, least;
};

Bytes bytes_of(const Box& box, FftPrecision precision, const FftOptions& options) {
  const fft::PeBytes bytes(precision, options.pencil, options.transpose);
  const wsfft::Division division = fft::division_of(box.shape, options, bytes);
  return {bytes.of(division).bytes.value(), bytes.least_of(division).value()};
}

/// Forward and back on a machine that has no byte more than that takes.
void expect_right(const Box& box, FftPrecision precision, FftOptions options) {
  SCOPED_TRACE(fmt::format("{} {} {} {}", text(box), to_string(options.transpose),
                           to_string(options.pencil), to_string(precision)));
  options.mesh = box.mesh;
  const std::uint32_t least = bytes_of(box, precision, options).least;
  options.machine.pe_memory_bytes = static_cast<int>(least);
  const FftPlan plan(box.shape, precision, options);
  EXPECT_EQ(plan.estimate().pe_bytes, least);
  const Volume input = io::random_volume(box.shape, 5);
  for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
    const FftRun run = plan.run(input, direction);
    EXPECT_LT(reference::compare(run.output.data, reference::fftw(input, direction)).rel_l2,
              fft_error_bound(box.shape, precision));
    const auto cycles = static_cast<double>(run.report.cycles);
    EXPECT_NEAR(static_cast<double>(plan.estimate(direction).cycles), cycles, 0.05 * cycles);
  }
}

TEST(LeastRoots, AreEnoughForEachPencilAndExchange) {
  for (const FftPencil pencil : kPencils)
    for (const FftPrecision precision : kPrecisions)
      for (const Box& box : {Box{{4, 8, 16}, {4, 4}}, Box{{8, 8, 64}, {8, 8}},
                             Box{{1, 16, 128}, {1, 8}}, Box{{1, 1, 512}, {4, 1}}}) {
        if (sanitized() && box.shape.size() > 4096) continue;
        for (const FftTranspose transpose : {FftTranspose::automatic, FftTranspose::ring,
                                             FftTranspose::halves, FftTranspose::butterflies})
          if (transpose != FftTranspose::butterflies || box.shape.n0 == 8)
            expect_right(box, precision, {.transpose = transpose, .pencil = pencil});
      }
}

/// Passes of radix 3 and 5 have odd numbers of rows, too.
TEST(LeastRoots, AreEnoughForLengthsThatAreNoPowersOfTwo) {
  if (sanitized()) GTEST_SKIP() << too_long();
  for (const FftPencil pencil : {FftPencil::radix4, FftPencil::stockham})
    for (const FftPrecision precision : kPrecisions)
      for (const Box& box : {Box{{12, 8, 20}, {4, 4}}, Box{{9, 5, 135}, {3, 2}},
                             Box{{6, 24, 72}, {5, 4}}, Box{{5, 360, 5}, {5, 4}}})
        for (const FftTranspose transpose : {FftTranspose::automatic, FftTranspose::ring}) {
          const FftOptions options{.transpose = transpose, .pencil = pencil};
          if (std::max(box.shape.n1, box.shape.n2) > 100) {
            FftOptions there = options;
            there.mesh = box.mesh;
            const Bytes bytes = bytes_of(box, precision, there);
            EXPECT_LT(bytes.least, bytes.whole) << text(box);
          }
          expect_right(box, precision, options);
        }
}

TEST(LeastRoots, CostFewCyclesInTheLongestPencils) {
  if (sanitized()) GTEST_SKIP() << "too slow under a sanitizer";
  for (const auto& [precision, n] :
       {std::pair{FftPrecision::fp32, 2048}, {FftPrecision::fp16, 4096}})
    for (const FftTranspose transpose : {FftTranspose::ring, FftTranspose::halves}) {
      FftOptions options{.transpose = transpose, .pencil = FftPencil::radix4, .data = false};
      const Shape3 shape{4, static_cast<std::size_t>(n), 4};
      const auto cycles = [&] {
        const FftPlan plan(shape, precision, options);
        return static_cast<double>(plan.run({shape, {}}, FftDirection::forward).report.cycles);
      };
      const double with_least = cycles();
      options.machine.pe_memory_bytes = 1 << 16;
      EXPECT_NE(with_least, cycles());
      EXPECT_LT(with_least, 1.01 * cycles());
    }
}

/// Round trips are right on the smallest machine that has them.
void expect_right_trips(const Shape3& shape, FftOptions options) {
  SCOPED_TRACE(fmt::format("{}^3 {}", shape.n0, to_string(options.transpose)));
  const Volume input = io::random_volume(shape, 6);
  const Volume right = FftPlan(shape, FftPrecision::fp32, options).round_trips(input, 2).output;
  const std::vector<std::complex<double>> exact(right.data.begin(), right.data.end());
  // Trips take more than a transform: from the largest machine that is too small on.
  int bytes = static_cast<int>(bytes_of({shape, options.mesh}, FftPrecision::fp32, options).least);
  std::optional<Volume> output;
  for (const int end = options.machine.pe_memory_bytes; !output && bytes <= end; bytes += 4) {
    options.machine.pe_memory_bytes = bytes;
    try {
      output = FftPlan(shape, FftPrecision::fp32, options).round_trips(input, 2).output;
    } catch (const Error& error) {
      ASSERT_EQ(error.category(), ErrorCategory::machine_profile) << error.what();
    }
  }
  ASSERT_TRUE(output);
  EXPECT_LT(reference::compare(output->data, exact).rel_l2, 1e-6);
}

TEST(LeastRoots, AreEnoughForRoundTrips) {
  for (const FftTranspose transpose : {FftTranspose::automatic, FftTranspose::ring})
    expect_right_trips({8, 8, 8},
                       {.mesh = {4, 4}, .transpose = transpose, .pencil = FftPencil::stockham});
}

TEST(LeastRoots, AreEnoughForRoundTripsOfLengthsThatAreNoPowersOfTwo) {
  if (sanitized()) GTEST_SKIP() << too_long();
  for (const FftTranspose transpose : {FftTranspose::automatic, FftTranspose::ring})
    expect_right_trips({24, 24, 24},
                       {.mesh = {12, 12}, .transpose = transpose, .pencil = FftPencil::radix4});
}

}  // namespace
}  // namespace weft::test::fft_memory_test
