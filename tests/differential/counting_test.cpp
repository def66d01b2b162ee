// The host's engine counts as the specification does, on random fabrics and programs: each PE,
// color, instruction, phase and window of time, with each combination of accelerations, in one run
// or in pieces.
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "differential/case.hpp"
#include "differential/counted_case.hpp"
#include "differential/valid_case.hpp"
#include "engine/engine.hpp"
#include "engine/left.hpp"
#include "fabric/profile/lines.hpp"
#include "fabric/stepper/lane_profile.hpp"
#include "fabric/stepper/spec_profile.hpp"
#include "io/volume_file.hpp"
#include "support/effort.hpp"
#include "weft/weft.hpp"

namespace weft::test::counting_test {
namespace {

bool differs(const Case& c) { return run(c).difference.has_value(); }

/// `small`: the case of the seed, cut down.
template <class Difference>
void add_failure(std::uint64_t seed, const char* how, const Difference& difference,
                 const Case& small, const Difference& of_small) {
  ADD_FAILURE() << "seed " << seed << how << ": " << describe(difference)
                << "\ncut down: " << describe(of_small) << "\nc.observe = {true, "
                << small.observe.windows << "};\n\n"
                << print(small);
}

/// The first that differs is cut down and shown. Returns the links that wavelets crossed.
std::uint64_t expect_agreement(std::uint64_t first, std::uint64_t cases,
                               const std::function<Case(std::uint64_t)>& draw) {
  std::uint64_t hops = 0;
  for (std::uint64_t seed = seed_from(first), last = seed + cases; seed < last; ++seed) {
    const Case c = counted_case(seed, draw);
    const Outcome outcome = run(c);
    hops += outcome.hops;
    if (!outcome.difference) continue;
    const Case small = shrink(c, differs);
    add_failure(seed, "", *outcome.difference, small, *run(small).difference);
    break;
  }
  return hops;
}

bool differs_ahead(const Case& c) { return run_counting_ahead(c).difference.has_value(); }

/// As expect_agreement, with cores that run ahead. Returns how many cases came to a quiet end, or
/// to their limit, with hops.
std::uint64_t expect_agreement_ahead(std::uint64_t first, std::uint64_t cases,
                                     const std::function<Case(std::uint64_t)>& draw) {
  std::uint64_t ended = 0;
  for (std::uint64_t seed = seed_from(first), last = seed + cases; seed < last; ++seed) {
    const Case c = counted_case(seed, draw);
    const Outcome outcome = run_counting_ahead(c);
    if (outcome.stop != spec::Fabric::Stop::fault && !outcome.deadlock && outcome.hops > 0) ++ended;
    if (!outcome.difference) continue;
    const Case small = shrink(c, differs_ahead);
    add_failure(seed, " ahead", *outcome.difference, small, *run_counting_ahead(small).difference);
    break;
  }
  return ended;
}

bool differs_by_line(const Case& c) { return run_by_line(c).outcome.difference.has_value(); }

/// As expect_agreement, by line where that can be. Returns how many cases ended so.
std::uint64_t expect_agreement_by_line(std::uint64_t first, std::uint64_t cases,
                                       const std::function<Case(std::uint64_t)>& draw) {
  std::uint64_t ended = 0;
  for (std::uint64_t seed = seed_from(first), last = seed + cases; seed < last; ++seed) {
    const Case c = counted_case(seed, draw);
    const ByLine one = run_by_line(c);
    if (one.tried && !one.met) ++ended;
    if (!one.outcome.difference) continue;
    const Case small = shrink(c, differs_by_line);
    add_failure(seed, " by line", *one.outcome.difference, small,
                *run_by_line(small).outcome.difference);
    break;
  }
  return ended;
}

TEST(Counting, RandomFabricsCountAsTheReference) {
  const std::uint64_t hops = expect_agreement(91'000'000, by_effort<std::uint64_t>(100, 600, 1200),
                                              [](std::uint64_t seed) { return random_case(seed); });
  EXPECT_TRUE(hops > 0 || !many_cases());
}

// A wavelet of a color without a task waits in a queue when one of another color comes: that is a
// fault, but in its cycle the other color's task may still take the wavelet that waits.
TEST(Counting, ATaskThatBeginsInTheCycleOfAFaultIsCounted) {
  Case c;
  c.width = c.height = 1;
  c.machine.task_start_cycles = c.machine.microthread_start_cycles = 0;
  Program p = program_of({{Op::dfabout, 8, 3, 14, 0},
                          {Op::dlen, 8, 0, 0, 1},
                          {Op::vmov32r, 8, 0, 3, 0},
                          {Op::dfabout, 3, 0, 15, 0},
                          {Op::dlen, 3, 0, 0, 1},
                          {Op::vmov32r, 3, 0, 7, 0},
                          {Op::end, 0, 0, 0, 0},
                          {Op::end, 0, 0, 0, 0}},
                         {});
  p.local_entry[0] = 0;
  p.data_entry[15] = 7;
  p.started_local = 1;
  c.programs.emplace_back(Rect{0, 0, 1, 1}, p);
  for (const int color : {14, 15})
    c.routes.push_back(
        {{0, 0, 1, 1}, color, {.rx = {Port::ramp}, .tx = {Port::ramp}, .input_queue = 2}});
  c.stops.emplace();
  c.limit = 12;
  c.observe = {true, 16};
  EXPECT_EQ(run(c).difference, std::nullopt);
  c.fast = {.run_ahead = false, .element_rows = false, .shortcuts = false};
  EXPECT_EQ(run(c).difference, std::nullopt);
}

TEST(Counting, HostedFabricsCountAsTheReference) {
  const std::uint64_t hops =
      expect_agreement(92'000'000, by_effort<std::uint64_t>(50, 200, 400), hosted_case);
  EXPECT_TRUE(hops > 0 || !many_cases());
}

TEST(Counting, ValidProgramsCountAsTheReference) {
  const std::uint64_t hops =
      expect_agreement(93'000'000, by_effort<std::uint64_t>(6, 30, 50), valid_case);
  EXPECT_TRUE(hops > 0 || !many_cases());
}

TEST(Counting, RandomFabricsCountAsTheReferenceAheadOfTheirClock) {
  const std::uint64_t ended =
      expect_agreement_ahead(98'000'000, by_effort<std::uint64_t>(100, 600, 1200),
                             [](std::uint64_t seed) { return random_case(seed); });
  EXPECT_TRUE(ended > 0 || !many_cases());
}

TEST(Counting, ValidProgramsCountAsTheReferenceAheadOfTheirClock) {
  const std::uint64_t ended =
      expect_agreement_ahead(99'000'000, by_effort<std::uint64_t>(8, 100, 200), valid_case);
  EXPECT_TRUE(ended > 0 || !many_cases());
}

TEST(Counting, StraightFabricsCountAsTheReferenceByLine) {
  const std::uint64_t ended =
      expect_agreement_by_line(95'000'000, by_effort<std::uint64_t>(100, 300, 600), straight_case);
  EXPECT_TRUE(ended > 0 || !many_cases());
}

TEST(Counting, ValidProgramsCountAsTheReferenceByLine) {
  const std::uint64_t ended = expect_agreement_by_line(
      96'000'000, by_effort<std::uint64_t>(8, 30, 50), valid_straight_case);
  EXPECT_TRUE(ended > 0 || !many_cases());
}

// Of few cases perhaps the lines of all do meet: then they are stepped again without lines.
TEST(Counting, ProgramsWhoseLinesMayMeetCountAsTheReferenceByLine) {
  expect_agreement_by_line(97'000'000, by_effort<std::uint64_t>(4, 30, 50), valid_meeting_case);
}

/// Whether counts are exact after a run: Counts::ahead.
bool are_exact(fabric::State& state, engine::Stop stop) {
  if (!state.counts->view.ahead || stop == engine::Stop::limit) return true;
  return stop == engine::Stop::quiet && !engine::anything_left(state.view());
}

// Such a run ends a little later, between two cycles, and can go on.
TEST(Counting, AThrownCallbackLeavesTheCountsOfTheCyclesBefore) {
  const auto cases = by_effort<std::uint64_t>(4, 30, 40);
  std::uint64_t thrown = 0;
  for (std::uint64_t seed = seed_from(94'000'000), last = seed + cases; seed < last; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Case c = counted_case(seed, valid_case);
    fabric::State state = state_of(c);
    state.counts->view.ahead = seed % 2 != 0;
    const auto programs = fabric::lines_of_programs(layout_of(c), state.programs.size());
    Reference reference(c, c.observe);
    std::uint64_t calls = 0;
    const auto throws = [&](std::uint64_t) {
      if (++calls == 1 + seed % 100) throw std::runtime_error("enough");
    };
    std::uint64_t cycle = 0;
    for (const std::function<void(std::uint64_t)>& progress :
         {std::function<void(std::uint64_t)>(throws), std::function<void(std::uint64_t)>()}) {
      engine::RunOptions options{.limit = c.limit, .threads = c.threads, .progress = progress};
      options.pause = {};
      const engine::RunResult result = engine::run_on_host(state.view(), cycle, options);
      cycle = result.cycle;
      if (result.thrown) ++thrown;
      reference.run(cycle);
      ASSERT_EQ(reference.cycle(), cycle);
      if (are_exact(state, result.stop)) {
        const auto difference = compare_profiles(fabric::profile_of(reference),
                                                 fabric::profile_of(state, programs, cycle, 2));
        ASSERT_FALSE(difference.has_value()) << describe(*difference);
      }
      if (result.stop != engine::Stop::limit) break;
    }
  }
  EXPECT_TRUE(thrown > 0 || !many_cases());
}

// Its programs have phases, and subroutines that these share.
TEST(Counting, ATransformCountsAsTheReference) {
  const Volume input = io::random_volume({16, 16, 16}, 16);
  const auto profile = [&](Engine engine, int threads) {
    FftOptions options{.mesh = {8, 4}};
    options.engine = engine;
    options.threads = threads;
    options.observe = {true, 64};
    return FftPlan({16, 16, 16}, FftPrecision::fp32, options)
        .run(input, FftDirection::forward)
        .report.profile;
  };
  const auto reference = profile(Engine::reference, 1);
  ASSERT_GT(reference->phases.size(), 3U);
  for (const int threads : {1, 2}) {
    const auto difference = compare_profiles(*reference, *profile(Engine::host, threads));
    EXPECT_FALSE(difference.has_value()) << describe(*difference);
  }
}

// These are stepped by line, rows and then columns; without data, only those that differ. The
// specification takes long for a large one, so each commit has one of these.
TEST(Counting, TransformsCountAsTheReferenceByLine) {
  const std::vector<FftTranspose> transposes{FftTranspose::published, FftTranspose::interlocked,
                                             FftTranspose::ring, FftTranspose::halves,
                                             FftTranspose::butterflies};
  const FftTranspose large = transposes[static_cast<std::size_t>(drawn_of(5))];
  for (const FftTranspose transpose : transposes) {
    SCOPED_TRACE(static_cast<int>(transpose));
    const std::size_t n = transpose == large ? by_effort<std::size_t>(16, 16, 32) : 16;
    // The reference takes minutes where both sides are long.
    const Shape3 shape{n, n == 16 ? n : 8, n};
    const Volume input = io::random_volume(shape, 16);
    const auto profile = [&](Engine engine, int threads, bool data = true) {
      FftOptions options{.mesh = {static_cast<int>(shape.n0), static_cast<int>(shape.n1)}};
      options.transpose = transpose;
      options.engine = engine;
      options.threads = threads;
      options.data = data;
      options.observe = {true, 128};
      return FftPlan(shape, FftPrecision::fp32, options)
          .run(input, FftDirection::forward)
          .report.profile;
    };
    const auto reference = profile(Engine::reference, 1);
    for (const bool data : {true, false})
      for (const int threads : {1, 2}) {
        const auto difference = compare_profiles(*reference, *profile(Engine::host, threads, data));
        EXPECT_FALSE(difference.has_value()) << describe(*difference);
      }
  }
}

// More of them than a bundle has, each column with a clock of its own.
TEST(Counting, EqualLinesOfATransformCountAsEachOfThem) {
  if (sanitized()) GTEST_SKIP() << too_long();
  const Volume input = io::random_volume({128, 128, 128}, 16);
  const auto profile = [&](bool equal_lines) {
    FftOptions options{.mesh = {128, 128}};
    options.data = false;
    options.accelerate.equal_lines = equal_lines;
    options.observe = {true, 128};
    return FftPlan({128, 128, 128}, FftPrecision::fp32, options)
        .run(input, FftDirection::forward)
        .report.profile;
  };
  const auto difference = compare_profiles(*profile(false), *profile(true));
  EXPECT_FALSE(difference.has_value()) << describe(*difference);
}

}  // namespace
}  // namespace weft::test::counting_test
