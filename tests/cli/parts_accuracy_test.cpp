// The comparison of arrays in parts without FFTW for MPI, or by another reference: the first
// process alone compares, and finds what one process would. Processes are threads here.
#include "cli/fft/parts_accuracy.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/fft/run_parts.hpp"
#include "distributed/thread_processes.hpp"
#include "support/effort.hpp"
#include "weft/error.hpp"
#include "weft/fft.hpp"

namespace weft::test::parts_accuracy_test {
namespace {

using cli::Accuracy;
using cli::Arrays;
using reference::Reference;

struct Case {
  Arrays arrays;
  FftOptions options{};
  bool in_first = true;
};

FftPlan plan_of(const Case& c, const std::shared_ptr<Processes>& processes) {
  FftOptions options = c.options;
  options.engine = Engine::host;
  options.batch = c.arrays.batch;
  options.kind = c.arrays.kind;
  options.processes = processes;
  options.parts = true;
  return {c.arrays.shape, FftPrecision::fp32, std::move(options)};
}

/// Of the transform, or of a `wrong` one.
Accuracy accuracy_of(const Case& c, const Reference& reference, bool wrong,
                     const std::shared_ptr<Processes>& processes) {
  const FftPlan plan = plan_of(c, processes);
  const FftDirection direction = c.arrays.direction;
  Volume input{
      plan.input_shape(direction),
      cli::random_numbers(c.arrays, seed_from(9), cli::runs_of_part(plan.input_part(direction)))};
  FftRun run = plan.run(input, direction);
  if (wrong)
    for (std::complex<float>& number : run.output.data) number *= 1.5F;
  if (processes == nullptr)
    return cli::accuracy_of(reference, c.arrays, plan.options().norm, 1, input, run.output);
  const cli::Comparing comparing = cli::comparing_of(reference, false, plan, direction);
  return cli::accuracy_of_parts(reference, comparing, {}, c.arrays, plan, 1, std::move(input),
                                run.output);
}

TEST(PartsAccuracy, OfWholeArraysInTheFirstProcessIsThatOfOneProcess) {
  const FftOptions cubes{
      .mesh = {32, 16}, .algorithm = FftAlgorithm::s3dft, .s3dft_form = S3dftForm::cubes};
  const Case cases[] = {
      {{{16, 16, 16}}, {.mesh = {16, 16}}},
      {{{16, 20, 12}, FftKind::complex, FftDirection::inverse}, {.mesh = {4, 16}}},
      {{{8, 8, 8}, FftKind::real, FftDirection::forward, 5}, {.mesh = {8, 16}}},
      {{{16, 18, 10}, FftKind::real, FftDirection::inverse}, {.mesh = {4, 16}}},
      {{{1, 1, 4096}}, {.mesh = {16, 16}}},
      {{{16, 16, 16}}, cubes},
      {{{8, 1, 8}, FftKind::complex, FftDirection::forward, 13}, {.mesh = {8, 16}}, false},
  };
  const Reference& fftw = reference::references().front();
  for (const Case& c : cases)
    for (const bool wrong : {false, true}) {
      const Accuracy one = accuracy_of(c, fftw, wrong, nullptr);
      EXPECT_GT(one.difference.rel_l2, wrong ? 1e-3 : 0);
      Team team{.size = 3, .delays = 4};
      for (const std::string& text : team.run([&](const std::shared_ptr<Processes>& shared) {
             const Accuracy all = accuracy_of(c, fftw, wrong, shared);
             EXPECT_EQ(all.in_first, c.in_first);
             const double last_digits = c.in_first ? 0 : 1e-6 * one.difference.rel_l2;
             EXPECT_NEAR(all.difference.rel_l2, one.difference.rel_l2, last_digits);
             EXPECT_EQ(all.difference.max_abs, one.difference.max_abs);
             return std::string();
           }))
        EXPECT_EQ(text, "");
    }
}

/// 16^3 numbers: 64 KiB of parts, 64 KiB of whole arrays, and 64 KiB in double precision.
TEST(PartsAccuracy, ALackOfMemoryForWholeArraysIsFoundBeforeTheRun) {
  const Case c{{{16, 16, 16}}, {.mesh = {16, 16}}};
  const Reference& fftw = reference::references().front();
  Team team{.size = 1};
  for (const std::string& text : team.run([&](const std::shared_ptr<Processes>& shared) {
         const FftPlan plan = plan_of(c, shared);
         cli::check_memory(fftw, cli::Comparing::together, c.arrays, plan, 0);
         cli::check_memory(fftw, cli::Comparing::in_first, c.arrays, plan, 3 * 65536);
         cli::check_memory(fftw, cli::Comparing::in_first, c.arrays, plan, 3 * 65536 - 1);
         return std::string("there was memory");
       }))
    EXPECT_NE(text.find("--reference none"), std::string::npos) << text;
}

/// Another library than FFTW, which only the first process asks, fails there.
TEST(PartsAccuracy, AnErrorOfTheFirstProcessIsThatOfAll) {
  Reference broken = reference::references().front();
  broken.transform = [](const Volume&, FftDirection, FftNorm,
                        reference::Arithmetic) -> reference::Transformed {
    throw Error(ErrorCategory::environment, "it is broken", "", "");
  };
  const Case c{{{16, 16, 16}}, {.mesh = {16, 16}}};
  Team team{.size = 2};
  for (const std::string& text : team.run([&](const std::shared_ptr<Processes>& shared) {
         accuracy_of(c, broken, false, shared);
         return std::string("it was compared");
       }))
    EXPECT_NE(text.find("it is broken"), std::string::npos) << text;
}

}  // namespace
}  // namespace weft::test::parts_accuracy_test
