// One plan, executed by several threads at once. ThreadSanitizer runs it too.
#include <gtest/gtest.h>

#include <cstddef>
#include <thread>
#include <vector>

#include "io/volume_file.hpp"
#include "support/transform_case.hpp"
#include "weft/fft.hpp"

namespace weft::test::fft_threads_test {
namespace {

constexpr std::size_t kCallers = 2, kRuns = 2;

void expect_same(const FftRun& one, const FftRun& other) {
  EXPECT_EQ(one.output.data, other.output.data);
  EXPECT_EQ(one.report.cycles, other.report.cycles);
  EXPECT_EQ(one.transpose, other.transpose);
  EXPECT_EQ(one.report.counters.hops, other.report.counters.hops);
}

/// The runs of each caller, all at once from one plan.
std::vector<std::vector<FftRun>> run_at_once(const FftPlan& plan, const Volume& input) {
  std::vector<std::vector<FftRun>> runs(kCallers);
  std::vector<std::jthread> callers;
  for (std::vector<FftRun>& mine : runs)
    callers.emplace_back([&] {
      for (std::size_t run = 0; run < kRuns; ++run) mine.push_back(plan.forward(input));
    });
  callers.clear();  // joins
  return runs;
}

void expect_that_of_one_caller(const FftOptions& options) {
  const Shape3 shape{16, 16, 16};
  const Volume input = io::random_volume(shape, 7);
  const FftRun alone = FftPlan(shape, FftPrecision::fp32, options).forward(input);
  const FftPlan shared(shape, FftPrecision::fp32, options);
  for (const std::vector<FftRun>& runs : run_at_once(shared, input)) {
    ASSERT_EQ(runs.size(), kRuns);
    for (const FftRun& run : runs) expect_same(run, alone);
  }
}

TEST(FftThreads, ExecuteOnePlanAtOnce) {
  expect_that_of_one_caller({.threads = 2, .engine = Engine::host});
}

TEST(FftThreads, ExecuteOnePlanAroundARingAtOnce) {
  expect_that_of_one_caller(
      {.transpose = FftTranspose::ring, .threads = 2, .engine = Engine::host});
}

// The first run that ends tells the plan that the published transposes are too late.
TEST(FftThreads, FindTheFormOfTheTransposesAtOnce) {
  FftOptions options;
  options.engine = Engine::host;
  const Shape3 shape{16, 16, 16};
  const auto is_too_slow_for_the_published_form = [&](std::uint64_t seed) {
    options.machine = random_machine(seed);
    return FftPlan(shape, FftPrecision::fp32, options)
               .forward(io::random_volume(shape, 7))
               .transpose == FftTranspose::interlocked;
  };
  std::uint64_t seed = 0;
  while (seed < 100 && !is_too_slow_for_the_published_form(seed)) ++seed;
  ASSERT_LT(seed, 100u) << "no machine is too slow for the published form";
  expect_that_of_one_caller(options);
}

}  // namespace
}  // namespace weft::test::fft_threads_test
