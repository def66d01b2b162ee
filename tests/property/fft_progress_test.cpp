// What is told of a run while it lasts, on machines that are slower than the published model.
#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "io/volume_file.hpp"
#include "support/mesh.hpp"
#include "weft/fft.hpp"

namespace weft::test {
namespace {

struct Told {
  FftRun run;
  std::vector<FftProgress> progress;
};

Told run(std::size_t n, Precision precision, const Machine& machine, Direction direction) {
  Told told;
  FftOptions options;
  options.machine = machine;
  options.threads = 2;
  options.progress = [&](const FftProgress& now) { told.progress.push_back(now); };
  const Shape3 shape{n, n, n};
  told.run =
      FftPlan(shape, precision, std::move(options)).run(io::random_volume(shape, 1), direction);
  return told;
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
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    const Told told = run(4, Precision::fp16, {}, direction);
    ASSERT_FALSE(told.progress.empty());
    EXPECT_EQ(told.progress[0].cycle, 0u);
    EXPECT_EQ(told.progress[0].fraction, 0);
    EXPECT_EQ(told.progress[0].phase, told.run.cycles.phases[0].name);
  }
}

TEST(FftProgress, ExpectsAboutTheCyclesThatItTakes) {
  if (sanitized()) GTEST_SKIP() << "too slow under a sanitizer";
  const std::pair<Machine, Precision> cases[] = {{Machine{}, Precision::fp16},
                                                 {slow_tasks(), Precision::fp32},
                                                 {narrow_links(), Precision::fp16}};
  for (const auto& [machine, precision] : cases) {
    const Told told = run(64, precision, machine, Direction::forward);
    const auto total = static_cast<double>(told.run.cycles.total);
    EXPECT_NEAR(static_cast<double>(told.progress[0].expected_cycles) / total, 1, 0.15);
  }
}

TEST(FftProgress, NamesThePhaseUnderWay) {
  if (sanitized()) GTEST_SKIP() << "too slow under a sanitizer";
  const Told told = run(64, Precision::fp32, slow_tasks(), Direction::inverse);
  const double total = static_cast<double>(told.run.cycles.total);
  for (const FftProgress& now : told.progress) {
    // Near the end of a phase either name will do.
    const double slack = 0.15 * total;
    const auto cycle = static_cast<double>(now.cycle);
    double begin = 0;
    for (const FftPhase& phase : told.run.cycles.phases) {
      const double end = begin + static_cast<double>(phase.cycles);
      if (phase.name == now.phase) {
        EXPECT_GE(cycle, begin - slack) << now.phase;
        EXPECT_LE(cycle, end + slack) << now.phase;
      }
      begin = end;
    }
    EXPECT_GE(now.expected_cycles, now.cycle);
  }
}

TEST(FftProgress, AnExceptionEndsTheRunBeforeItsFirstCycle) {
  FftOptions options;
  int calls = 0;
  options.progress = [&](const FftProgress&) {
    ++calls;
    throw std::runtime_error("enough");
  };
  const Shape3 shape{8, 8, 8};
  const FftPlan plan(shape, Precision::fp32, options);
  EXPECT_THROW(plan.forward(io::random_volume(shape, 1)), std::runtime_error);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace weft::test
