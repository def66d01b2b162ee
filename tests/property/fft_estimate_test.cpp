// What a plan expects of a transform, against its run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/mesh.hpp"
#include "support/random_transform.hpp"
#include "weft/fft.hpp"

namespace weft::test::fft_estimate_test {
namespace {

struct Case {
  std::string what;
  Shape3 shape;
  FftMesh mesh;
  FftTranspose transpose;
  FftKind kind = FftKind::complex;
  Machine machine{};
  FftPrecision precision = FftPrecision::fp32;
};

/// Columns receive by those queues in an exchange around a ring, rows do not.
Machine shallow_queues() {
  Machine machine;
  machine.input_queue_2_3_depth = 1;
  return machine;
}

Machine late_tasks() {
  Machine machine;
  machine.task_start_cycles = 179;
  return machine;
}

/// No link along rows rests.
Machine low_dies() {
  Machine machine;
  machine.link_busy_cycles = 1;
  machine.die_height = 4;
  return machine;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const FftTranspose transpose :
       {FftTranspose::automatic, FftTranspose::ring, FftTranspose::halves}) {
    const std::string name(to_string(transpose));
    all.push_back({"digits, " + name, {1, 1, 4096}, {16, 16}, transpose});
    all.push_back({"digits in FP16, " + name,
                   {1, 1, 1024},
                   {8, 8},
                   transpose,
                   FftKind::complex,
                   {},
                   FftPrecision::fp16});
  }
  for (const FftTranspose transpose : {FftTranspose::ring, FftTranspose::halves}) {
    const std::string name(to_string(transpose));
    all.push_back({"real, " + name, {32, 32, 32}, {16, 32}, transpose, FftKind::real});
    for (const auto& [machine, odd] : {std::pair{shallow_queues(), "shallow queues"},
                                       {late_tasks(), "late tasks"},
                                       {low_dies(), "low dies"}})
      all.push_back({std::string(odd) + ", " + name,
                     {16, 16, 16},
                     {16, 16},
                     transpose,
                     FftKind::complex,
                     machine});
  }
  return all;
}

TEST(FftEstimate, ListsThePhasesOfARun) {
  if (sanitized()) GTEST_SKIP() << "too slow under a sanitizer";
  for (const Case& one : cases())
    for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
      SCOPED_TRACE(one.what + (direction == FftDirection::forward ? ", forward" : ", inverse"));
      FftOptions options;
      options.mesh = one.mesh;
      options.transpose = one.transpose;
      options.kind = one.kind;
      options.machine = one.machine;
      options.data = false;
      const FftPlan plan(one.shape, one.precision, options);
      const FftEstimate estimate = plan.estimate(direction);
      const FftRun run = plan.run({}, direction);
      ASSERT_EQ(estimate.phases.size(), run.report.phases.size());
      // Turns come from smaller transforms, with messages of one number.
      const bool turns = one.transpose == FftTranspose::automatic;
      for (std::size_t k = 0; k < estimate.phases.size(); ++k) {
        const RunPhase& phase = run.report.phases[k];
        const auto took = static_cast<double>(phase.cycles);
        const double slack = phase.communication ? (turns ? 0.1 : 0.03) * took : 0;
        EXPECT_NEAR(static_cast<double>(estimate.phases[k].cycles), took, slack) << phase.name;
      }
      const auto took = static_cast<double>(run.report.cycles);
      EXPECT_NEAR(static_cast<double>(estimate.cycles), took, (turns ? 0.03 : 0.01) * took);
    }
}

/// Lines of 64 PEs are estimated from shorter ones.
TEST(FftEstimate, SlowsWhatCrossesLinksBetweenDies) {
  if (sanitized()) GTEST_SKIP() << "too slow under a sanitizer";
  constexpr int kSide = 64;
  for (const FftTranspose transpose : {FftTranspose::published, FftTranspose::ring})
    for (const int die : {0, 16, 32, 40}) {
      SCOPED_TRACE(fmt::format("{}, dies of {}", to_string(transpose), die));
      FftOptions options{.mesh = {kSide, 1}, .transpose = transpose, .data = false};
      options.machine.link_busy_cycles = 1;
      options.machine.link_rest_cycles = 7;
      options.machine.die_width = die;
      const FftPlan plan({kSide, 8, kSide}, FftPrecision::fp32, options);
      const FftRun run = plan.run({}, FftDirection::forward);
      const auto took = static_cast<double>(run.report.phases.at(1).cycles);
      // Where all links rest, contests of streams around a ring take some more.
      const double share = transpose == FftTranspose::ring && die == 0 ? 0.1 : 0.05;
      EXPECT_NEAR(static_cast<double>(plan.estimate().phases.at(1).cycles), took, share * took);
    }
}

/// Of few numbers, on a mesh of powers of two, with any pencils and form.
RandomTransform powers_of_two(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto power = [&](int least, int most) {  // of two
    const auto choices = static_cast<std::uint64_t>(most - least + 1);
    return 1 << (least + static_cast<int>(random() % choices));
  };
  const auto side = [&] { return static_cast<std::size_t>(power(2, 6)); };
  constexpr FftTranspose kForms[] = {FftTranspose::published, FftTranspose::interlocked,
                                     FftTranspose::ring, FftTranspose::halves,
                                     FftTranspose::butterflies};
  constexpr FftPencil kPencils[] = {FftPencil::radix2, FftPencil::radix4, FftPencil::stockham,
                                    FftPencil::split_radix};
  RandomTransform drawn{};
  constexpr std::size_t kMostNumbers = 1 << 14;  // that a PE may have
  do drawn.shape = {side(), random() % 4 == 0 ? 1 : side(), side()};
  while (drawn.shape.size() > kMostNumbers);
  FftOptions& options = drawn.options;
  options.transpose = kForms[random() % std::size(kForms)];
  options.pencil = kPencils[random() % std::size(kPencils)];
  options.norm = random() % 2 == 0 ? FftNorm::backward : FftNorm::ortho;
  if (options.transpose == FftTranspose::butterflies) {
    if (drawn.shape.n1 == 1) drawn.shape.n1 = 4;
    options.mesh = {static_cast<int>(drawn.shape.n0), static_cast<int>(drawn.shape.n1)};
  } else {
    const auto pes = [&](std::size_t most) {
      return power(0, static_cast<int>(std::bit_width(most)) - 1);
    };
    options.mesh = {pes(std::min(drawn.shape.n0, drawn.shape.n2)),
                    drawn.shape.n1 == 1 ? 1 : pes(std::min(drawn.shape.n1, drawn.shape.n0))};
    options.kind = drawn.shape.n1 > 1 && random() % 4 == 0 ? FftKind::real : FftKind::complex;
    if (options.kind == FftKind::real) options.mesh.x = std::max(options.mesh.x / 2, 1);
  }
  drawn.precision = random() % 2 == 0 ? FftPrecision::fp16 : FftPrecision::fp32;
  drawn.direction = random() % 2 == 0 ? FftDirection::forward : FftDirection::inverse;
  return drawn;
}

/// Estimates are within 3 % of runs (5 % with a transpose back), or, of few cycles, within some for
/// each exchange.
void expect_estimated(RandomTransform drawn) {
  constexpr double kSlackOfAnExchange = 8;
  // A line begins a transpose back out of step, unlike the line that is run alone.
  const double share = drawn.options.back ? 0.05 : 0.03;
  drawn.options.data = false;
  drawn.options.machine = {};
  drawn.options.machine.pe_memory_bytes = 1 << 20;
  const FftPlan plan(drawn.shape, drawn.precision, drawn.options);
  const FftRun run = plan.run({plan.input_shape(drawn.direction), {}}, drawn.direction);
  const FftEstimate estimate = plan.estimate(drawn.direction);
  const auto took = static_cast<double>(run.report.cycles);
  const double slack = std::max(share * took, 2 * kSlackOfAnExchange * run.rounds);
  EXPECT_NEAR(static_cast<double>(estimate.cycles), took, slack);
}

TEST(FftEstimate, IsAboutTheCyclesOfARun) {
  const auto cases = by_effort<std::uint64_t>(1, 12, 40);
  const std::uint64_t first = seed_from(1);
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    for (const ArrayKind kind : kArrayKinds) {
      const RandomTransform drawn = random_transform(kind, seed);
      SCOPED_TRACE(fmt::format("seed {}: {}", seed, text(drawn)));
      expect_estimated(drawn);
    }
    const RandomTransform drawn = powers_of_two(seed);
    SCOPED_TRACE(fmt::format("seed {}, powers of two: {}", seed, text(drawn)));
    expect_estimated(drawn);
  }
}

/// A plan for `fastest` serves both directions: what takes the fewest cycles forward is within 1 %
/// of the best inverse.
TEST(FftFastest, ServesBothDirections) {
  if (sanitized()) GTEST_SKIP() << "too slow under a sanitizer";
  for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16})
    for (const auto& [shape, mesh] : {std::pair{Shape3{8, 8, 8}, FftMesh{}},
                                      {Shape3{16, 16, 16}, FftMesh{8, 8}},
                                      {Shape3{32, 32, 32}, FftMesh{}},
                                      {Shape3{32, 32, 32}, FftMesh{8, 8}},
                                      {Shape3{64, 64, 64}, FftMesh{32, 32}},
                                      {Shape3{64, 16, 32}, FftMesh{}},
                                      {Shape3{64, 1, 64}, FftMesh{8, 8}},
                                      {Shape3{1, 1, 4096}, FftMesh{16, 8}}}) {
      FftOptions options{.mesh = mesh, .transpose = FftTranspose::fastest, .data = false};
      options.pencil = FftPencil::fastest;
      const FftPlan plan(shape, precision, options);
      std::uint64_t sum = 0;
      for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
        const FftFastest best = plan.fastest(direction);
        sum += best.cycles;
        options.fastest_for = direction;
        const FftOptions chosen = FftPlan(shape, precision, options).options();
        EXPECT_EQ(chosen.transpose, best.transpose);
        EXPECT_EQ(chosen.pencil, best.pencil);
        const auto cycles = static_cast<double>(plan.run({shape, {}}, direction).report.cycles);
        EXPECT_EQ(best.transpose, plan.options().transpose) << to_string(direction);
        EXPECT_NEAR(static_cast<double>(best.cycles), cycles, 0.03 * cycles);
        EXPECT_LE(static_cast<double>(plan.estimate(direction).cycles),
                  1.01 * static_cast<double>(best.cycles));
      }
      options.fastest_for = std::nullopt;  // there and back
      const FftPlan both(shape, precision, options);
      EXPECT_LE(
          static_cast<double>(both.estimate().cycles + both.estimate(FftDirection::inverse).cycles),
          1.01 * static_cast<double>(sum));
    }
}

}  // namespace
}  // namespace weft::test::fft_estimate_test
