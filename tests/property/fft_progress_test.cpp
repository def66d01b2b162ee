// Progress of a run while it lasts, on machines that are slower than the published model.
#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "fft/expectation.hpp"
#include "io/volume_file.hpp"
#include "support/mesh.hpp"
#include "support/resource_limit.hpp"
#include "weft/error.hpp"
#include "weft/fft.hpp"

namespace weft::test::fft_progress_test {
namespace {

struct Watched {
  FftRun run;
  std::vector<FftProgress> progress;  ///< each still has what it expects
};

Watched run(std::size_t n, FftPrecision precision, const Machine& machine, FftDirection direction) {
  Watched watched;
  FftOptions options;
  options.machine = machine;
  options.threads = 2;
  const Shape3 shape{n, n, n};
  watched.run = FftPlan(shape, precision, std::move(options))
                    .run(io::random_volume(shape, 1), direction,
                         [&](const FftProgress& now) { watched.progress.push_back(now); });
  return watched;
}

Machine slow_tasks() {
  Machine machine;
  machine.router_write_cycles = 100;
  machine.task_start_cycles = 60;
  machine.scalar_cycles = 4;
  return machine;
}

Machine narrow_links() {
  Machine machine;
  machine.router_queue_depth = 1;
  machine.hop_cycles = 2;
  return machine;
}

TEST(FftProgress, BeginsWithTheFirstPhaseAtCycleZero) {
  for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse}) {
    const Watched watched = run(4, FftPrecision::fp16, {}, direction);
    ASSERT_FALSE(watched.progress.empty());
    EXPECT_EQ(watched.progress[0].cycle, 0u);
    const auto expected = watched.progress[0].expectation();
    ASSERT_TRUE(expected);
    EXPECT_EQ(expected->fraction, 0);
    EXPECT_EQ(expected->phase, watched.run.report.phases[0].name);
  }
}

TEST(FftProgress, ExpectsAboutTheCyclesThatItTakes) {
  if (sanitized()) GTEST_SKIP() << "too slow under a sanitizer";
  const std::pair<Machine, FftPrecision> cases[] = {{Machine{}, FftPrecision::fp16},
                                                    {slow_tasks(), FftPrecision::fp32},
                                                    {narrow_links(), FftPrecision::fp16}};
  for (const auto& [machine, precision] : cases) {
    const Watched watched = run(64, precision, machine, FftDirection::forward);
    const auto total = static_cast<double>(watched.run.report.cycles);
    const auto expected = watched.progress[0].expectation();
    ASSERT_TRUE(expected);
    EXPECT_NEAR(static_cast<double>(expected->cycles) / total, 1, 0.15);
  }
}

TEST(FftProgress, NamesThePhaseUnderWay) {
  if (sanitized()) GTEST_SKIP() << "too slow under a sanitizer";
  const Watched watched = run(64, FftPrecision::fp32, slow_tasks(), FftDirection::inverse);
  const double total = static_cast<double>(watched.run.report.cycles);
  for (const FftProgress& now : watched.progress) {
    const auto expected = now.expectation();
    ASSERT_TRUE(expected);
    // Near the end of a phase either name will do.
    const double slack = 0.15 * total;
    const auto cycle = static_cast<double>(now.cycle);
    double begin = 0;
    for (const RunPhase& phase : watched.run.report.phases) {
      const double end = begin + static_cast<double>(phase.cycles);
      if (phase.name == expected->phase) {
        EXPECT_GE(cycle, begin - slack) << phase.name;
        EXPECT_LE(cycle, end + slack) << phase.name;
      }
      begin = end;
    }
    EXPECT_GE(expected->cycles, now.cycle);
  }
}

TEST(FftProgress, AskingWhatIsExpectedDoesNotChangeTheRun) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Shape3 shape{64, 64, 64};
  FftOptions options;
  options.data = false;
  const FftRun alone = FftPlan(shape, FftPrecision::fp32, options).forward({shape, {}});
  std::uint64_t expected_cycles = 0;
  const FftRun run =
      FftPlan(shape, FftPrecision::fp32, options).forward({shape, {}}, [&](const FftProgress& now) {
        expected_cycles = now.expectation().value_or(FftExpectation{}).cycles;
      });
  EXPECT_EQ(run.report.cycles, alone.report.cycles);
  EXPECT_GE(expected_cycles, run.report.cycles / 2);
}

TEST(FftProgress, TheRunGoesOnWithoutWhatIsExpected) {
  if (sanitized()) GTEST_SKIP() << "a sanitizer ends a process that gets no memory";
  const Shape3 shape{64, 64, 64};
  int calls = 0;
  const Volume input = io::random_volume(shape, 1);
  const FftRun run = FftPlan(shape, FftPrecision::fp32).forward(input, [&](const FftProgress& now) {
    ++calls;
    const ResourceLimit no_more_memory(RLIMIT_AS, 1);
    EXPECT_FALSE(now.expectation());
  });
  EXPECT_GE(calls, 1);
  EXPECT_EQ(run.output.data, FftPlan(shape, FftPrecision::fp32).forward(input).output.data);
}

TEST(FftProgress, WhatIsExpectedIsAskedForOnce) {
  int made = 0;
  fft::ExpectationOnDemand works([&] {
    ++made;
    return fft::Expectation::published(wsfft::cube(8), FftPrecision::fp32, FftDirection::forward);
  });
  EXPECT_EQ(made, 0) << "nobody has asked";
  EXPECT_EQ(works.at(0).value().fraction, 0);
  EXPECT_GT(works.at(100).value().fraction, 0);
  EXPECT_EQ(made, 1);
  fft::ExpectationOnDemand fails([&]() -> fft::Expectation {
    ++made;
    throw Error(ErrorCategory::program, "a small transform", "it faulted", "look for the cause");
  });
  EXPECT_FALSE(fails.at(0));
  EXPECT_FALSE(fails.at(100));
  EXPECT_EQ(made, 2);
}

TEST(FftProgress, EachRunHasItsOwn) {
  int of_one = 0, of_other = 0;
  const Shape3 shape{4, 4, 4};
  const FftPlan plan(shape, FftPrecision::fp32);
  const Volume input = io::random_volume(shape, 1);
  plan.forward(input, [&](const FftProgress&) { ++of_one; });
  EXPECT_GE(of_one, 1);
  of_one = 0;
  plan.round_trips(input, 1, {}, [&](const FftProgress&) { ++of_other; });
  EXPECT_EQ(of_one, 0);
  EXPECT_GE(of_other, 1);
}

TEST(FftProgress, AnExceptionEndsTheRunBeforeItsFirstCycle) {
  int calls = 0;
  const auto throws = [&](const FftProgress&) {
    ++calls;
    throw std::runtime_error("enough");
  };
  const Shape3 shape{8, 8, 8};
  const FftPlan plan(shape, FftPrecision::fp32);
  EXPECT_THROW(plan.forward(io::random_volume(shape, 1), throws), std::runtime_error);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace weft::test::fft_progress_test
