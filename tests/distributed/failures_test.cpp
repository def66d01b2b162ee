// A process that fails in a run ends it in all threads of all processes: none waits for ever, all
// tell the same, and no message of that run is left over.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "differential/dice.hpp"
#include "distributed/failing_process.hpp"
#include "distributed/streams.hpp"
#include "distributed/thread_processes.hpp"
#include "support/effort.hpp"
#include "weft/fabric.hpp"
#include "weft/processes.hpp"

namespace weft::test::failures_test {
namespace {

using Shared = std::shared_ptr<Processes>;

TEST(FailedProcesses, EndTheRunOfAll) {
  const std::string right = said_of_streams({}, {});
  ASSERT_NE(right.find("40 40 40 40"), std::string::npos) << right;
  Dice dice(mixed(seed_from(33'000'000)));
  for (int n = by_effort(12, 40, 100); n > 0; --n) {
    Team team{.size = dice.roll(2, 4), .delays = static_cast<std::uint64_t>(dice.roll(0, 9))};
    const FabricOptions options{.threads = dice.roll(1, 3)};
    const int rank = dice.roll(0, team.size - 1);
    const auto calls = static_cast<int>(calls_of(team, options, rank));
    ASSERT_GT(calls, 40);
    const Failure failure{.call = static_cast<std::uint64_t>(dice.roll(1, calls)),
                          .no_memory = dice.chance(30)};
    const std::string expected = expected_of_failure(team, rank, failure, right);
    for (const std::string& text : told_of_failure(team, options, rank, failure))
      ASSERT_EQ(text, expected) << "process " << rank << " of " << team.size << " by "
                                << options.threads << " threads in call " << failure.call << " of "
                                << calls;
  }
}

TEST(FailedProcesses, ThatCanTellNobodyThrowWhatWasThrown) {
  const std::vector<std::string> texts = Team{.size = 3}.run([](const Shared& processes) {
    const Failure mine = processes->rank() == 1 ? Failure{.call = 30, .for_good = true} : Failure{};
    run_streams(std::make_shared<Failing>(processes, mine), {.threads = 2});
    return std::string("it has an end");
  });
  EXPECT_EQ(texts[1], "the wire is cut");
  for (const int other : {0, 2})  // they wait, until this imitation tells them
    EXPECT_EQ(texts[static_cast<std::size_t>(other)], "another process has ended");
}

}  // namespace
}  // namespace weft::test::failures_test
