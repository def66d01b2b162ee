// Butterflies between PEs: right within the bound of transforms, on any machine.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdint>
#include <string>

#include "io/volume_file.hpp"
#include "support/box.hpp"
#include "support/expect_error.hpp"
#include "support/mesh.hpp"
#include "support/transform_case.hpp"
#include "weft/fft.hpp"

namespace weft::test::fft_butterflies_test {
namespace {

FftPlan plan_of(const Box& box, FftPrecision precision, FftOptions options = {}) {
  options.mesh = box.mesh;
  options.transpose = FftTranspose::butterflies;
  return {box.shape, precision, options};
}

FftRun run(const Box& box, FftPrecision precision, FftDirection direction, FftOptions options) {
  const FftPlan plan = plan_of(box, precision, options);
  const Volume input = io::random_volume(plan.input_shape(direction), 1);
  return plan.run(options.data ? input : Volume{input.shape, {}}, direction);
}

class Butterflies : public testing::TestWithParam<Box> {
 protected:
  const Box& box() const { return GetParam(); }
  void SetUp() override {
    if (sanitized() && box().shape.size() > 4096) GTEST_SKIP() << "too slow under a sanitizer";
  }
};

TEST_P(Butterflies, AreRightWithEachNorm) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16})
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse})
      for (const FftNorm norm : {FftNorm::backward, FftNorm::ortho, FftNorm::forward}) {
        const Volume input = io::random_volume(box().shape, 7);
        const FftPlan plan = plan_of(box(), precision, {.norm = norm});
        const FftRun butterflies = plan.run(input, direction);
        EXPECT_EQ(butterflies.transpose, FftTranspose::butterflies);
        const FftRun ring =
            FftPlan(box().shape, precision, {.norm = norm, .transpose = FftTranspose::ring})
                .run(input, direction);
        double error = 0, size = 0;
        for (std::size_t k = 0; k < ring.output.data.size(); ++k) {
          error += std::norm(butterflies.output.data[k] - ring.output.data[k]);
          size += std::norm(ring.output.data[k]);
        }
        EXPECT_LE(std::sqrt(error / size), fft_error_bound(box().shape, precision));
      }
}

TEST_P(Butterflies, TakeTheSameCyclesHoweverTheyAreStepped) {
  const auto same = [&](FftOptions options) {
    return run(box(), FftPrecision::fp16, FftDirection::forward, options);
  };
  const FftRun fft = same({});
  EXPECT_EQ(same({.threads = 3}).report.cycles, fft.report.cycles);
  if (looks_for_races()) return;
  FftOptions plain;
  plain.accelerate.by_line = false;
  const FftRun other = same(plain);
  EXPECT_EQ(fft.report.cycles, other.report.cycles);
  EXPECT_EQ(fft.output.data, other.output.data);
  EXPECT_EQ(same({.data = false}).report.cycles, fft.report.cycles);
  if (box().shape.size() > 4096) return;
  plain.engine = Engine::reference;
  const FftRun reference = same(plain);
  EXPECT_EQ(fft.report.cycles, reference.report.cycles);
  EXPECT_EQ(fft.output.data, reference.output.data);
}

TEST_P(Butterflies, AreRightOnRandomMachines) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const FftRun right = run(box(), FftPrecision::fp32, FftDirection::inverse, {});
  const auto seeds = box().shape.size() <= 4096 ? by_effort<std::uint64_t>(2, 10, 40) : 4;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(seed);
    const FftRun other =
        run(box(), FftPrecision::fp32, FftDirection::inverse, {.machine = random_machine(seed)});
    EXPECT_EQ(other.output.data, right.output.data);
  }
}

TEST_P(Butterflies, AreEstimated) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const FftRun fft = run(box(), FftPrecision::fp32, FftDirection::forward, {.data = false});
  const FftEstimate estimate = plan_of(box(), FftPrecision::fp32).estimate();
  const auto cycles = static_cast<double>(fft.report.cycles);
  EXPECT_NEAR(static_cast<double>(estimate.cycles), cycles, 0.03 * cycles);
  EXPECT_EQ(estimate.filters, 0);
}

INSTANTIATE_TEST_SUITE_P(All, Butterflies,
                         testing::Values(Box{{8, 8, 8}, {8, 8}}, Box{{4, 4, 4}, {4, 4}},
                                         Box{{16, 16, 16}, {16, 16}}, Box{{4, 8, 16}, {4, 8}},
                                         Box{{16, 4, 64}, {16, 4}}, Box{{32, 1, 64}, {32, 1}},
                                         Box{{16, 8, 4}, {}}, Box{{64, 1, 64}, {64, 1}},
                                         Box{{1, 16, 32}, {1, 16}}, Box{{32, 32, 32}, {32, 32}}),
                         [](const auto& box) { return text(box.param); });

TEST(ButterfliesOfAll, GoThereAndBack) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Box box{{8, 16, 32}, {8, 16}};
  const FftPlan plan = plan_of(box, FftPrecision::fp32);
  const Volume input = io::random_volume(box.shape, 3);
  const Volume back = plan.inverse(plan.forward(input).output).output;
  for (std::size_t k = 0; k < input.data.size(); ++k)
    EXPECT_LT(std::abs(back.data[k] - input.data[k]), 1e-5F);
}

TEST(ButterfliesOfAll, OfBatches) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Box batch{{8, 8, 8}, {16, 8}};
  const Volume input = io::random_volume({40, 8, 8}, 2);
  const Volume all = plan_of(batch, FftPrecision::fp32, {.batch = 5}).forward(input).output;
  const FftPlan one = plan_of({{8, 8, 8}, {8, 8}}, FftPrecision::fp32);
  for (std::size_t k = 0; k < 5; ++k) {
    Volume part{{8, 8, 8}, {}};
    part.data.assign(&input.data[512 * k], &input.data[512 * k] + 512);
    const Volume right = one.forward(part).output;
    for (std::size_t i = 0; i < 512; ++i) EXPECT_EQ(all.data[512 * k + i], right.data[i]);
  }
}

TEST(ButterfliesRefused, WhatDoesNotLieSo) {
  const auto expect_refused = [](Shape3 shape, FftMesh mesh, FftKind kind, const char* why,
                                 const char* remedy) {
    expect_error(
        ErrorCategory::usage,
        [&] {
          plan_of({shape, mesh}, FftPrecision::fp32, {.kind = kind});
        },
        "invalid mesh for butterflies:", why, remedy);
  };
  expect_refused({8, 8, 8}, {4, 8}, FftKind::complex, "as many PEs along axes 0 and 1 as numbers",
                 "take 8 x 8 PEs, or another form");
  expect_refused({128, 128, 128}, {}, FftKind::complex, "a power of two up to 64",
                 "take another form");
  expect_refused({8, 8, 16}, {8, 8}, FftKind::real, "a complex array", "take another form");
  expect_error(
      ErrorCategory::usage,
      [] {
        const Shape3 shape{8, 8, 8};
        plan_of({shape, {8, 8}}, FftPrecision::fp32).round_trips({shape, {}}, 2);
      },
      "no round trips by butterflies", "call forward and inverse in turn");
}

/// Axis 2 may be shorter than the mesh is wide: then no transposes could divide the array.
TEST(ButterfliesFastest, TakesPencilsWhereNoTransposesCouldBe) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const Shape3& shape : {Shape3{16, 16, 4}, Shape3{8, 16, 8}}) {
    const FftPlan plan = plan_of({shape, {}}, FftPrecision::fp32, {.pencil = FftPencil::fastest});
    EXPECT_NE(plan.options().pencil, FftPencil::radix2);
    EXPECT_EQ(plan.fastest().transpose, FftTranspose::butterflies);
    EXPECT_GT(plan.fastest().cycles, 0U);
  }
  EXPECT_NE(plan_of({{16, 16, 16}, {}}, FftPrecision::fp32).fastest().transpose,
            FftTranspose::butterflies);
}

}  // namespace
}  // namespace weft::test::fft_butterflies_test
