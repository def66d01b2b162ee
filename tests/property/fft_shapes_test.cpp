// Transforms of boxes, on meshes of several pencils a PE.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/volume_file.hpp"
#include "reference/reference.hpp"
#include "support/box.hpp"
#include "support/expect_error.hpp"
#include "support/mesh.hpp"
#include "support/transform_case.hpp"

namespace weft::test::fft_shapes_test {
namespace {

FftRun run(const Box& box, FftPrecision precision, FftDirection direction, FftOptions options) {
  options.mesh = box.mesh;
  return FftPlan(box.shape, precision, std::move(options))
      .run(io::random_volume(box.shape, 1), direction);
}

class Boxes : public testing::TestWithParam<Box> {
 protected:
  const Box& box() const { return GetParam(); }
  std::size_t numbers() const { return box().shape.size(); }
  void SetUp() override {
    if (sanitized() && numbers() > 4096) GTEST_SKIP() << "too slow under a sanitizer";
  }
};

TEST_P(Boxes, AgreeWithFftw) {
  const Volume input = io::random_volume(box().shape, 1);
  for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16})
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
      const FftRun fft = run(box(), precision, direction, {.norm = FftNorm::ortho});
      std::vector<std::complex<double>> exact = reference::fftw(input, direction);
      const double root = std::sqrt(static_cast<double>(numbers()));
      const double factor = direction == FftDirection::forward ? 1 / root : root;
      for (auto& value : exact) value *= factor;
      EXPECT_LT(reference::compare(fft.output.data, exact).rel_l2,
                fft_error_bound(box().shape, precision))
          << to_string(precision) << ' ' << to_string(direction);
    }
}

/// A mesh of one PE for each pencil gives the same numbers, as each pencil is transformed alone.
TEST_P(Boxes, GiveTheSameNumbersOnEachMesh) {
  if (box().shape.n0 * box().shape.n1 == 1 && box().mesh != FftMesh{})
    GTEST_SKIP() << "digits of an index, which differ by mesh, and so do roundings";
  const FftRun here = run(box(), FftPrecision::fp32, FftDirection::forward, {});
  const FftRun there = run({box().shape, {}}, FftPrecision::fp32, FftDirection::forward, {});
  EXPECT_EQ(here.output.data, there.output.data);
}

TEST_P(Boxes, TakeTheSameCyclesHoweverTheyAreStepped) {
  for (const FftTranspose form :
       {FftTranspose::published, FftTranspose::interlocked, FftTranspose::ring}) {
    FftOptions by_line{.transpose = form};
    const FftRun fft = run(box(), FftPrecision::fp16, FftDirection::forward, by_line);
    FftOptions plain = by_line;
    plain.accelerate.by_line = false;
    const FftRun other = run(box(), FftPrecision::fp16, FftDirection::forward, plain);
    EXPECT_EQ(fft.report.cycles, other.report.cycles);
    EXPECT_EQ(fft.output.data, other.output.data);
    by_line.data = false;
    EXPECT_EQ(run(box(), FftPrecision::fp16, FftDirection::forward, by_line).report.cycles,
              fft.report.cycles);
  }
}

TEST_P(Boxes, AreRightOnRandomMachines) {
  const FftRun right = run(box(), FftPrecision::fp32, FftDirection::inverse, {});
  for (std::uint64_t seed = 1; seed <= (numbers() <= 4096 ? 8U : 2U); ++seed) {
    SCOPED_TRACE(seed);
    FftOptions options{.machine = random_machine(seed)};
    EXPECT_EQ(run(box(), FftPrecision::fp32, FftDirection::inverse, options).output.data,
              right.output.data);
  }
}

TEST_P(Boxes, AreTheSameAroundARing) {
  for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16})
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
      const FftRun right = run(box(), precision, direction, {});
      FftOptions options{.transpose = FftTranspose::ring};
      const auto machines = numbers() <= 4096 ? by_effort<std::uint64_t>(2, 6, 6) : 1;
      for (std::uint64_t seed = 0; seed <= machines; ++seed) {
        SCOPED_TRACE(seed);
        if (seed > 0) options.machine = random_machine(seed);
        const FftRun ring = run(box(), precision, direction, options);
        EXPECT_EQ(ring.transpose, FftTranspose::ring);
        EXPECT_EQ(ring.output.data, right.output.data);
      }
    }
}

std::string name_of(const testing::TestParamInfo<Box>& info) { return text(info.param); }

INSTANTIATE_TEST_SUITE_P(
    All, Boxes,
    testing::Values(Box{{8, 8, 8}, {4, 4}}, Box{{8, 8, 8}, {2, 8}}, Box{{8, 8, 8}, {8, 1}},
                    Box{{8, 8, 8}, {1, 4}}, Box{{8, 8, 8}, {1, 1}}, Box{{16, 16, 16}, {4, 4}},
                    Box{{4, 8, 16}, {}}, Box{{16, 4, 8}, {4, 2}}, Box{{8, 32, 4}, {4, 8}},
                    Box{{32, 8, 16}, {16, 4}}, Box{{32, 32, 32}, {16, 16}},
                    Box{{64, 16, 32}, {32, 16}}, Box{{16, 1, 32}, {}}, Box{{16, 1, 32}, {4, 1}},
                    Box{{16, 1, 16}, {4, 4}}, Box{{16, 1, 32}, {2, 4}}, Box{{64, 1, 16}, {4, 2}},
                    Box{{64, 1, 64}, {8, 8}}, Box{{1, 8, 16}, {1, 4}}, Box{{1, 1, 1024}, {}},
                    Box{{1, 1, 256}, {4, 1}}, Box{{1, 1, 512}, {1, 16}}, Box{{1, 1, 64}, {4, 4}},
                    Box{{1, 1, 4096}, {16, 8}}, Box{{1, 1, 16384}, {8, 16}}, Box{{1, 1, 8192}, {}}),
    name_of);

/// Section 4.4: p (p - 1) / 2 messages of m^3 numbers on the busiest link, and a turn for each PE.
TEST(SeveralPencils, AnExchangeTakesAWaveletACycleAndATurnForEachPe) {
  for (const FftPrecision precision : {FftPrecision::fp16, FftPrecision::fp32}) {
    const int words = precision == FftPrecision::fp16 ? 1 : 2;
    for (const int p : {8, 16, 32}) {
      const auto n = static_cast<std::size_t>(2 * p);
      const FftRun fft =
          run({{n, n, n}, {p, p}}, precision, FftDirection::forward, {.data = false});
      const double busiest = p * (p - 1) / 2.0 * 8 * words;
      for (const RunPhase& phase : fft.report.phases) {
        if (!phase.communication) continue;
        const double turn = (static_cast<double>(phase.cycles) - busiest) / (p - 1);
        EXPECT_GT(turn, 70) << phase.name << ", p = " << p;
        EXPECT_LT(turn, 100) << phase.name << ", p = " << p;
      }
    }
  }
}

TEST(SeveralPencils, NumbersThatDoNotFitAreRefusedWithAMeshThatWould) {
  const Shape3 shape{256, 256, 256};
  expect_error(
      ErrorCategory::machine_profile,
      [&] {
        FftPlan(shape, FftPrecision::fp32, {.mesh = {64, 64}});
      },
      "4096 numbers", "49152", "128 x 64");
  expect_error(
      ErrorCategory::machine_profile,
      [&] {
        FftPlan({512, 512, 512}, FftPrecision::fp32, {.mesh = {16, 16}});
      },
      "524288 numbers", "65535 elements", "256 x 256");
  expect_error(
      ErrorCategory::machine_profile,
      [&] {
        FftPlan({4096, 4096, 4096}, FftPrecision::fp16, {.mesh = {1, 1}});
      },
      "68719476736 numbers");
  FftOptions more{.mesh = {64, 64}};
  more.machine.pe_memory_bytes = 80 * 1024;
  EXPECT_EQ(FftPlan(shape, FftPrecision::fp32, more).options().mesh, (FftMesh{64, 64}));
}

TEST(BatchesMesh, HasAsManyPesAsTheyHaveRoomFor) {
  const auto mesh = [](FftMesh asked, int batch) {
    return FftPlan({32, 32, 32}, FftPrecision::fp32, {.mesh = asked, .batch = batch, .data = false})
        .options()
        .mesh;
  };
  EXPECT_EQ(mesh({}, 1), (FftMesh{32, 32}));
  EXPECT_EQ(mesh({}, 4), (FftMesh{64, 64}));
  EXPECT_EQ(mesh({}, 5), (FftMesh{128, 64}));
  EXPECT_EQ(mesh({32, 0}, 16), (FftMesh{32, 512}));
  EXPECT_EQ(mesh({64, 32}, 16), (FftMesh{64, 32}));
  EXPECT_EQ(mesh({}, std::numeric_limits<int>::max()), (FftMesh{1024, 1024}));
}

class Batches : public testing::TestWithParam<FftTranspose> {};

INSTANTIATE_TEST_SUITE_P(All, Batches, testing::Values(FftTranspose::automatic, FftTranspose::ring),
                         [](const auto& form) { return std::string(to_string(form.param)); });

TEST_P(Batches, RunInRoundsWhereTheMeshIsSmall) {
  const Shape3 shape{4, 8, 4};
  const FftOptions options{.mesh = {8, 4}, .batch = 5, .transpose = GetParam()};
  const FftPlan plan(shape, FftPrecision::fp32, options);
  const Volume input = io::random_volume(plan.input_shape(), 1);
  int calls = 0;
  const FftRun run = plan.forward(input, [&](const FftProgress&) { ++calls; });
  EXPECT_EQ(run.rounds, 3);
  EXPECT_GE(calls, 3);
  const FftPlan one(shape, FftPrecision::fp32);
  const auto size = static_cast<std::ptrdiff_t>(shape.size());
  for (std::ptrdiff_t n = 0; n < 5; ++n) {
    const auto at = [&](const Volume& v) { return v.data.begin() + n * size; };
    const FftRun alone = one.forward({shape, {at(input), at(input) + size}});
    EXPECT_TRUE(std::equal(alone.output.data.begin(), alone.output.data.end(), at(run.output)));
  }
  const FftRun there = plan.inverse(run.output);
  const std::vector<std::complex<double>> wide(input.data.begin(), input.data.end());
  EXPECT_LT(reference::compare(there.output.data, wide).rel_l2,
            2 * fft_error_bound(shape, FftPrecision::fp32));
}

TEST(SeveralPencils, MeshesLargerThanTheArrayAreRefused) {
  for (const auto& [mesh, why] : std::initializer_list<std::pair<FftMesh, const char*>>{
           {{17, 4}, "invalid mesh: 17 PEs along x"},
           {{4, 16}, "invalid mesh: 16 PEs along y"},
           {{32, 8}, "1 to 16"},
           {{-2, 8}, "1 to 16"}})
    expect_error(
        ErrorCategory::usage,
        [mesh = mesh] {
          FftPlan({16, 8, 32}, FftPrecision::fp32, {.mesh = mesh});
        },
        why);
}

}  // namespace
}  // namespace weft::test::fft_shapes_test
