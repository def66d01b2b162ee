// Transforms, planted deadlocks and refusals: what a user sees of fabrics that processes share.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "distributed/same_as_one.hpp"
#include "distributed/thread_processes.hpp"
#include "io/volume_file.hpp"
#include "support/deadlocks.hpp"
#include "support/effort.hpp"
#include "support/mesh.hpp"
#include "weft/fabric.hpp"
#include "weft/fft.hpp"
#include "weft/processes.hpp"

namespace weft::test::whole_runs_test {
namespace {

using Shared = std::shared_ptr<Processes>;

/// The numbers of a run as bits, and what it counted.
std::string text(const FftRun& run) {
  std::uint64_t sum = 0;
  for (const std::complex<float> z : run.output.data)
    for (const float part : {z.real(), z.imag()}) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &part, sizeof bits);
      sum = sum * 1099511628211U + bits;
    }
  const FabricCounters& all = run.report.counters;
  return fmt::format("{} cycles, {} in pencils; {} {} {} {}; output {} {:x}", run.report.cycles,
                     run.compute_cycles, all.wavelets, all.hops, all.delivered, all.filtered,
                     run.output.data.size(), sum);
}

FftRun transform(FftOptions options, const Shape3& shape, const Shared& processes, bool by_line) {
  options.engine = Engine::host;
  options.accelerate.by_line = by_line;
  options.processes = processes;
  Volume input = io::random_volume(shape, 5);
  if (options.kind == FftKind::real)
    for (std::complex<float>& z : input.data) z.imag(0);
  return FftPlan(shape, FftPrecision::fp32, options).forward(input);
}

/// Of 1 to 4 processes, by the plain step or by line, and of one by the plain step, or as asked.
void expect_transforms_alike(const FftOptions& options, const Shape3& shape, bool by_line = false,
                             bool one_by_line = false) {
  const std::string one = text(transform(options, shape, {}, one_by_line));
  for (int size = 1; size <= 4; ++size) {
    Team team{.size = size, .delays = size == 3 ? 9U : 0U};
    for (const std::string& shared : team.run([&](const Shared& processes) {
           const FftRun run = transform(options, shape, processes, by_line);
           EXPECT_EQ(run.report.by_line, by_line);
           return text(run);
         }))
      EXPECT_EQ(shared, one) << size << " processes";
  }
}

TEST(SharedTransforms, OfWsfftAreThoseOfOneProcess) {
  expect_transforms_alike({.mesh = {16, 16}}, {16, 16, 16});
}

TEST(SharedTransforms, OfS3dftAreThoseOfOneProcess) {
  expect_transforms_alike({.mesh = {16, 16}, .algorithm = FftAlgorithm::s3dft}, {16, 16, 16});
}

TEST(SharedTransforms, OfRealNumbersByTwoThreadsEachAreThoseOfOneProcess) {
  expect_transforms_alike({.mesh = {8, 16}, .kind = FftKind::real, .threads = 2}, {16, 16, 16});
}

TEST(SharedTransforms, ByLineAreThoseOfOneProcess) {
  expect_transforms_alike({.mesh = {32, 32}}, {32, 32, 32}, true);
}

TEST(SharedTransforms, ByLineWithoutDataAreThoseOfOneProcess) {
  expect_transforms_alike({.mesh = {32, 32}, .data = false}, {32, 32, 32}, true);
}

// Two bundles: of each direction one for two processes, and parts of them for more.
TEST(SharedTransforms, ByLineInSeveralBundlesAreThoseOfOneProcess) {
  if (sanitized()) GTEST_SKIP() << "too slow under a sanitizer";
  expect_transforms_alike({.mesh = {128, 128}, .threads = 2, .data = false}, {128, 128, 128}, true,
                          true);
}

TEST(SharedFabrics, DeadlocksHaveTheSameReport) {
  for (const std::vector<PlantedDeadlock>& deadlocks :
       {planted_deadlocks(), deadlocks_in_circles()})
    for (const PlantedDeadlock& planted : deadlocks) {
      if (planted.layout.height() <= 4) continue;
      Team team{.size = 2};
      for (const std::string& told : team.run([&](const Shared& processes) {
             return error_of_run(planted.layout, test_machine(), {.processes = processes});
           }))
        EXPECT_EQ(told, "program: " + planted.message) << planted.name;
    }
}

TEST(SharedFabrics, WaveletsThatGoRoundForEverEndTheRunInTheSameCycle) {
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 40U;
  const std::string one = error_of_run(wavelets_in_circle(), Machine{}, {}, kLimit);
  EXPECT_NE(one.find("go round in a circle"), std::string::npos) << one;
  for (const std::string& told : Team{.size = 2}.run([&](const Shared& processes) {
         return error_of_run(wavelets_in_circle(), Machine{}, {.processes = processes}, kLimit);
       }))
    EXPECT_EQ(told, one);
}

void expect_refusal(Team team, const Layout& layout, const FabricOptions& options,
                    const std::vector<std::string>& parts) {
  for (const std::string& told : team.run([&](const Shared& processes) {
         FabricOptions shared = options;
         shared.processes = processes;
         return error_of_run(layout, Machine{}, shared);
       }))
    for (const std::string& part : parts)
      EXPECT_NE(told.find(part), std::string::npos) << told << "\nhas not: " << part;
}

TEST(SharedFabrics, WhatProcessesDoNotShareIsRefusedInAllOfThem) {
  const Layout layout(8, 8);
  expect_refusal({.size = 3}, layout, {}, {"usage: 3 processes are too many", "take at most 2"});
  expect_refusal({.size = 2}, layout, {.engine = Engine::reference}, {"no engine reference"});
  expect_refusal({.size = 2}, layout, {.observe = {.counts = true, .path = true}},
                 {"no critical path or events"});
  Layout hosted(8, 8);
  hosted.route({0, 0, 1, 1}, 3, {Port::west, Port::east});
  hosted.host_input("in", {0, 0, 1, 1}, Port::west, 3);
  expect_refusal({.size = 2}, hosted, {}, {"no host streams"});
}

TEST(SharedFabrics, AnErrorInOnePartIsAnErrorOfAll) {
  Layout layout(8, 12);
  layout.route({2, 9, 1, 1}, 3, {Port::west, Port::east});
  layout.route({2, 9, 1, 1}, 3, {Port::west, Port::east});
  expect_refusal({.size = 3}, layout, {},
                 {"layout: PE (2, 9) has a route for color 3 already", "overlap"});
}

TEST(SharedFabrics, AnExceptionOfOneProgressEndsTheRunOfAll) {
  const std::vector<std::string> told = Team{.size = 2}.run([](const Shared& processes) {
    FabricOptions options{.processes = processes};
    options.progress = [rank = processes->rank()](std::uint64_t) {
      if (rank == 1) throw std::runtime_error("enough");
    };
    Fabric fabric(wavelets_in_circle(), Machine{}, options);  // for ever
    fabric.run(std::uint64_t{1} << 40U);
    return std::string("it has an end");
  });
  EXPECT_NE(told[0].find("process 1 has ended the run"), std::string::npos) << told[0];
  EXPECT_EQ(told[1], "enough");
}

}  // namespace
}  // namespace weft::test::whole_runs_test
