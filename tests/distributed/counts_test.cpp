// Processes that share a fabric count what one process does: in all PEs, windows of time, colors,
// lines of programs, and phases.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "differential/case.hpp"
#include "differential/dice.hpp"
#include "differential/valid_case.hpp"
#include "distributed/same_as_one.hpp"
#include "distributed/thread_processes.hpp"
#include "fabric/access.hpp"
#include "io/volume_file.hpp"
#include "model/lanes/lanes.hpp"
#include "support/effort.hpp"
#include "support/unequal_lines.hpp"
#include "weft/fabric.hpp"
#include "weft/fft.hpp"
#include "weft/processes.hpp"
#include "weft/profile.hpp"

namespace weft::test::counts_test {
namespace {

using Shared = std::shared_ptr<Processes>;

Profile counted(const Case& c, const Layout& layout, const Shared& processes) {
  FabricOptions options{.threads = c.threads, .accelerate = c.fast, .observe = c.observe};
  options.accelerate.by_line = false;
  options.processes = processes;
  Fabric fabric(layout, c.machine, options);
  try {
    fabric.run_until_idle(c.limit);
  } catch (const FaultError&) {  // what was counted up to there
  }
  return fabric.profile();
}

TEST(SharedCounts, OfRandomFabricsAreThoseOfOneProcess) {
  const int cases = by_effort(6, 30, 200);
  std::uint64_t windows = 0;
  const std::uint64_t first = seed_from(34'000'000);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(cases); ++seed) {
    Dice dice(mixed(seed));
    Case c = random_case(seed, dice.roll(1, 20), dice.roll(5, 18));
    c.threads = dice.roll(1, 2);
    c.observe = {.counts = true, .windows = dice.chance(60) ? 16 : 0};
    const Layout layout = layout_of(c);
    const Profile one = counted(c, layout, {});
    windows += static_cast<std::uint64_t>(one.windows);
    Team team{.size = 2 + static_cast<int>(seed % static_cast<std::uint64_t>(std::min(
                                                      3, model::strips_down(c.height) - 1)))};
    for (const std::string& told : team.run([&](const Shared& processes) {
           return difference(one, counted(c, layout, processes));
         }))
      ASSERT_EQ(told, "") << "seed " << seed << "\n" << print(c);
  }
  EXPECT_TRUE(windows > 0 || !many_cases());
}

/// Of a transform by one process in the plain step, and by 2 and 3 as asked.
void expect_profiles_alike(FftOptions options, const Shape3& shape) {
  options.engine = Engine::host;
  options.observe = {.counts = true, .windows = 16};
  const auto counted = [&](const Shared& processes, bool by_line) {
    FftOptions own = options;
    own.accelerate.by_line = by_line;
    own.processes = processes;
    const FftRun run = FftPlan(shape, FftPrecision::fp32, own).forward(io::random_volume(shape, 3));
    EXPECT_EQ(run.report.by_line, by_line);
    return run.report.profile;
  };
  const std::shared_ptr<const Profile> one = counted({}, false);
  ASSERT_GT(one->phases.size(), 2U);
  for (const int size : {2, 3}) {
    Team team{.size = size};
    for (const std::string& told : team.run([&](const Shared& processes) {
           return difference(*one, *counted(processes, options.accelerate.by_line));
         }))
      EXPECT_EQ(told, "") << size << " processes";
  }
}

TEST(SharedCounts, OfATransformHaveItsPhases) {
  expect_profiles_alike({.mesh = {8, 16}, .accelerate = {.by_line = false}}, {16, 16, 16});
}

TEST(SharedCounts, OfATransformByLineAreThoseOfThePlainStep) {
  expect_profiles_alike({.mesh = {32, 32}}, {32, 32, 32});
}

TEST(SharedCounts, OfATransformByLineWithoutDataToo) {
  expect_profiles_alike({.mesh = {32, 32}, .data = false}, {32, 32, 32});
}

// Lines that were equal differ in a later phase, in one process: all run by line once more.
TEST(SharedCounts, WhereEqualLinesDifferLateAreThoseOfThePlainStep) {
  const Setting setting = columns_that_differ_late();
  for (const int windows : {0, 16}) {
    const auto counted = [&](const Shared& processes) {
      FabricOptions options{.data = setting.data};
      options.accelerate.by_line = false;
      options.observe = {.counts = true, .windows = windows};
      options.processes = processes;
      const bool shared = processes != nullptr;
      Fabric fabric =
          FabricAccess::make(setting.layout, setting.machine, options, {.always = shared});
      setting.prepare(fabric);
      fabric.run_until_idle(setting.limit);
      EXPECT_EQ(fabric.report().by_line, shared);
      return fabric.profile();
    };
    const Profile one = counted({});
    for (const std::string& told : Team{.size = 2}.run(
             [&](const Shared& processes) { return difference(one, counted(processes)); }))
      EXPECT_EQ(told, "") << windows << " windows";
  }
}

}  // namespace
}  // namespace weft::test::counts_test
