// Transposes by halves: the same numbers as those of the published form, on any machine.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "io/volume_file.hpp"
#include "support/box.hpp"
#include "support/expect_error.hpp"
#include "support/mesh.hpp"
#include "support/transform_case.hpp"
#include "weft/fft.hpp"

namespace weft::test::fft_halves_test {
namespace {

FftRun run(const Box& box, FftPrecision precision, FftDirection direction, FftOptions options) {
  options.mesh = box.mesh;
  const FftPlan plan(box.shape, precision, options);
  Volume input = io::random_volume(plan.input_shape(direction), 1);
  if (options.kind == FftKind::real && direction == FftDirection::forward)
    for (auto& number : input.data) number = number.real();
  return plan.run(options.data ? input : Volume{input.shape, {}}, direction);
}

class Halves : public testing::TestWithParam<Box> {
 protected:
  const Box& box() const { return GetParam(); }
  std::size_t numbers() const { return box().shape.size(); }
  void SetUp() override {
    if (sanitized() && numbers() > 4096) GTEST_SKIP() << "too slow under a sanitizer";
  }
};

TEST_P(Halves, GiveTheSameNumbersAsThePublishedForm) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16})
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
      const FftRun right = run(box(), precision, direction, {});
      const FftRun halves = run(box(), precision, direction, {.transpose = FftTranspose::halves});
      EXPECT_EQ(halves.transpose, FftTranspose::halves);
      EXPECT_EQ(halves.output.data, right.output.data);
    }
}

TEST_P(Halves, TakeTheSameCyclesHoweverTheyAreStepped) {
  FftOptions options{.transpose = FftTranspose::halves};
  const FftRun fft = run(box(), FftPrecision::fp16, FftDirection::forward, options);
  FftOptions plain = options;
  plain.accelerate.by_line = false;
  const FftRun other = run(box(), FftPrecision::fp16, FftDirection::forward, plain);
  EXPECT_EQ(fft.report.cycles, other.report.cycles);
  EXPECT_EQ(fft.output.data, other.output.data);
  options.threads = 3;
  EXPECT_EQ(run(box(), FftPrecision::fp16, FftDirection::forward, options).report.cycles,
            fft.report.cycles);
  options.data = false;
  EXPECT_EQ(run(box(), FftPrecision::fp16, FftDirection::forward, options).report.cycles,
            fft.report.cycles);
  if (numbers() > 4096 || looks_for_races()) return;
  plain.engine = Engine::reference;
  const FftRun reference = run(box(), FftPrecision::fp16, FftDirection::forward, plain);
  EXPECT_EQ(fft.report.cycles, reference.report.cycles);
  EXPECT_EQ(fft.output.data, reference.output.data);
}

TEST_P(Halves, AreRightOnRandomMachines) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const FftRun right = run(box(), FftPrecision::fp32, FftDirection::inverse, {});
  const std::uint64_t seeds = sanitized() ? 2 : numbers() <= 4096 ? 40 : 4;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(seed);
    FftOptions options{.machine = random_machine(seed), .transpose = FftTranspose::halves};
    EXPECT_EQ(run(box(), FftPrecision::fp32, FftDirection::inverse, options).output.data,
              right.output.data);
  }
}

std::string name_of(const testing::TestParamInfo<Box>& info) { return text(info.param); }

INSTANTIATE_TEST_SUITE_P(
    All, Halves,
    testing::Values(Box{{8, 8, 8}, {4, 4}}, Box{{8, 8, 8}, {2, 8}}, Box{{8, 8, 8}, {8, 1}},
                    Box{{8, 8, 8}, {1, 4}}, Box{{8, 8, 8}, {1, 1}}, Box{{16, 16, 16}, {4, 4}},
                    Box{{16, 16, 16}, {16, 16}}, Box{{4, 8, 16}, {}}, Box{{16, 4, 8}, {4, 2}},
                    Box{{8, 32, 4}, {4, 8}}, Box{{32, 8, 16}, {16, 4}}, Box{{32, 32, 32}, {16, 16}},
                    Box{{32, 32, 32}, {32, 32}}, Box{{64, 16, 32}, {32, 16}},
                    Box{{64, 4, 64}, {64, 4}}, Box{{16, 1, 32}, {16, 1}}, Box{{16, 1, 32}, {4, 1}},
                    Box{{16, 1, 16}, {4, 4}}, Box{{16, 1, 32}, {2, 4}}, Box{{64, 1, 16}, {4, 2}},
                    Box{{64, 1, 64}, {8, 8}}, Box{{64, 1, 128}, {64, 1}}, Box{{1, 8, 16}, {1, 4}},
                    Box{{1, 1, 1024}, {16, 1}}, Box{{1, 1, 256}, {4, 1}}, Box{{1, 1, 512}, {1, 16}},
                    Box{{1, 1, 64}, {4, 4}}, Box{{1, 1, 4096}, {16, 8}},
                    Box{{1, 1, 16384}, {8, 16}}),
    name_of);

TEST(HalvesOfAll, OfRealArraysBatchesAndRoundTrips) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16})
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
      const Box real{{16, 8, 16}, {4, 4}};
      EXPECT_EQ(run(real, precision, direction,
                    {.kind = FftKind::real, .transpose = FftTranspose::halves})
                    .output.data,
                run(real, precision, direction, {.kind = FftKind::real}).output.data);
      const Box batch{{8, 8, 8}, {16, 8}};
      EXPECT_EQ(run(batch, precision, direction, {.batch = 5, .transpose = FftTranspose::halves})
                    .output.data,
                run(batch, precision, direction, {.batch = 5}).output.data);
    }
}

TEST(HalvesRefused, LinesThatAreTooLongWithAMeshThatWouldDo) {
  const auto plan = [](Shape3 shape, FftMesh mesh, FftKind kind = FftKind::complex) {
    return FftPlan(shape, FftPrecision::fp32,
                   {.mesh = mesh, .kind = kind, .transpose = FftTranspose::halves});
  };
  expect_error(
      ErrorCategory::usage,
      [&] {
        plan({128, 128, 128}, {128, 128});
      },
      "invalid mesh for transposes by halves: 128 x 128 PEs", "64 at most", "take 64 x 64 PEs");
  expect_error(
      ErrorCategory::usage,
      [&] {
        plan({8, 8, 16}, {3, 4}, FftKind::real);
      },
      "halves: 3 x 4 PEs", "a power of two", "take 8 x 8 PEs");
  expect_error(
      ErrorCategory::usage,
      [&] {
        plan({512, 512, 512}, {});
      },
      "take another form");
  EXPECT_EQ(plan({128, 128, 128}, {}).options().mesh, (FftMesh{64, 64}));
  EXPECT_EQ(plan({8, 8, 16}, {}, FftKind::real).options().mesh, (FftMesh{8, 8}));
}

TEST(HalvesRefused, MachinesWithTooFewFilters) {
  FftOptions options{.transpose = FftTranspose::halves};
  options.machine.filters_per_pe = 3;
  const auto plan = [&](Shape3 shape, FftMesh mesh) {
    options.mesh = mesh;
    return FftPlan(shape, FftPrecision::fp32, options);
  };
  expect_error(
      ErrorCategory::machine_profile,
      [&] {
        plan({8, 8, 8}, {8, 8});
      },
      "no transposes by halves", "4 filters of a PE, filters_per_pe is 3",
      "take transposes around a ring");
  const FftPlan small = plan({8, 8, 8}, {8, 4});  // one level of columns has filters
  EXPECT_EQ(small.estimate().filters, 3);
  EXPECT_EQ(small.forward(io::random_volume({8, 8, 8}, 1)).transpose, FftTranspose::halves);
  options.transpose = FftTranspose::ring;
  EXPECT_NE(plan({8, 8, 8}, {8, 8}).fastest().transpose, FftTranspose::halves);
}

TEST(HalvesOfAll, AreEstimated) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16})
    for (const Box& box : {Box{{16, 16, 16}, {16, 16}}, Box{{64, 16, 32}, {32, 8}}}) {
      const FftOptions options{.transpose = FftTranspose::halves, .data = false};
      const FftRun fft = run(box, precision, FftDirection::forward, options);
      FftOptions there = options;
      there.mesh = box.mesh;
      const FftEstimate estimate = FftPlan(box.shape, precision, there).estimate();
      const auto cycles = static_cast<double>(fft.report.cycles);
      EXPECT_NEAR(static_cast<double>(estimate.cycles), cycles, 0.03 * cycles);
      EXPECT_EQ(estimate.filters, 4);
    }
}

TEST(HalvesOfAll, GoThereAndBackInOneProgram) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const auto machines = by_effort<std::uint64_t>(2, 8, 20);
  for (const auto& [n, pes] : {std::pair{8, 8}, std::pair{8, 4}, std::pair{16, 16}}) {
    const auto side = static_cast<std::size_t>(n);
    const Shape3 shape{side, side, side};
    const Volume input = io::random_volume(shape, 3);
    FftOptions options{.mesh = {pes, pes}};
    const FftTrips right = FftPlan(shape, FftPrecision::fp32, options).round_trips(input, 3);
    options.transpose = FftTranspose::halves;
    for (std::uint64_t seed = 0; seed <= machines; ++seed) {
      SCOPED_TRACE(seed);
      if (seed > 0) options.machine = random_machine(seed);
      const FftTrips trips = FftPlan(shape, FftPrecision::fp32, options).round_trips(input, 3);
      EXPECT_EQ(trips.transpose, FftTranspose::halves);
      EXPECT_EQ(trips.output.data, right.output.data);
    }
  }
}

}  // namespace
}  // namespace weft::test::fft_halves_test
