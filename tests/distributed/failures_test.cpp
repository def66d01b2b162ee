// A process that fails in a run ends it in all threads of all processes: none waits for ever, all
// tell the same, and no message of that run is left over.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "differential/dice.hpp"
#include "distributed/failing_process.hpp"
#include "distributed/thread_processes.hpp"
#include "support/effort.hpp"
#include "support/mesh.hpp"
#include "weft/fabric.hpp"
#include "weft/processes.hpp"

namespace weft::test::failures_test {
namespace {

using Shared = std::shared_ptr<Processes>;

constexpr int kHeight = 16;  // four rows of strips

/// Streams down and up over all cuts.
Mesh streams() {
  constexpr int kWords = 40, kLast = kHeight - 1;
  Mesh mesh(4, kHeight);
  for (int x = 0; x < 4; ++x) {
    const bool down = x % 2 == 0;
    const Port from = down ? Port::north : Port::south;
    const int first = down ? 0 : kLast;
    Route stop{from, Port::ramp};
    stop.input_queue = 1;
    mesh.pe(x, first).send(0, x, counting(kWords));
    mesh.pe(x, kLast - first).receive(1, kWords);
    mesh.route({x, first, 1, 1}, x, {Port::ramp, opposite(from)});
    mesh.route({x, 1, 1, kHeight - 2}, x, {from, opposite(from)});
    mesh.route({x, kLast - first, 1, 1}, x, stop);
  }
  return mesh;
}

/// How a run ends, and all words that came through; then how the next one does.
std::string said_by(const Shared& processes, int threads) {
  Mesh mesh = streams();
  std::string text;
  FabricOptions options{.threads = threads};
  options.processes = processes;
  Fabric& fabric = mesh.start(options);
  for (int runs = 0; runs < 2; ++runs) try {
      fabric.run_until_idle(5000);
      text += fmt::format("{} cycles; ", fabric.cycle());
    } catch (const std::exception& error) {
      text += fmt::format("{}; ", error.what());
    }
  for (int x = 0; x < 4; ++x)
    text += fmt::format("{} ", mesh.received(x, x % 2 == 0 ? kHeight - 1 : 0, 1).size());
  return text;
}

/// What each process tells, where `rank` fails so; and of a fabric after that.
std::vector<std::string> told(Team& team, int threads, int rank, const Failure& failure) {
  return team.run([&](const Shared& processes) {
    const Failure mine = processes->rank() == rank ? failure : Failure{};
    std::string text = said_by(std::make_shared<Failing>(processes, mine), threads);
    text.resize(text.rfind(';'));  // memory is that of no one cycle
    return text + " -- " + said_by(processes, threads);
  });
}

/// The calls of send and receive of a process.
std::uint64_t calls_of(Team& team, int threads, int rank) {
  const std::vector<std::string> calls = team.run([&](const Shared& processes) {
    const auto counted = std::make_shared<Failing>(processes, Failure{});
    said_by(counted, threads);
    return fmt::format("{}", counted->calls());
  });
  return std::stoull(calls[static_cast<std::size_t>(rank)]);
}

TEST(FailedProcesses, EndTheRunOfAll) {
  const std::string right = said_by({}, 1);
  ASSERT_NE(right.find("40 40 40 40"), std::string::npos) << right;
  Dice dice(mixed(seed_from(33'000'000)));
  for (int n = by_effort(12, 40, 100); n > 0; --n) {
    Team team{.size = dice.roll(2, 4), .delays = static_cast<std::uint64_t>(dice.roll(0, 9))};
    const int threads = dice.roll(1, 3), rank = dice.roll(0, team.size - 1);
    const auto calls = static_cast<int>(calls_of(team, threads, rank));
    ASSERT_GT(calls, 40);
    const Failure failure{.call = static_cast<std::uint64_t>(dice.roll(1, calls)),
                          .no_memory = dice.chance(30)};
    const std::string error = fmt::format("process {} of {} failed in a run", rank, team.size);
    const std::string expected = fmt::format(
        "{} ({}); mend that, and start all again; the fabric is lost ({}); make it "
        "again, in all processes -- {}",
        error, failure.no_memory ? "it has no memory left" : "the wire is cut", error, right);
    for (const std::string& text : told(team, threads, rank, failure))
      ASSERT_EQ(text, expected) << "process " << rank << " of " << team.size << " by " << threads
                                << " threads in call " << failure.call << " of " << calls;
  }
}

TEST(FailedProcesses, ThatCanTellNobodyThrowWhatWasThrown) {
  const std::vector<std::string> texts = Team{.size = 3}.run([](const Shared& processes) {
    const Failure mine = processes->rank() == 1 ? Failure{.call = 30, .for_good = true} : Failure{};
    Mesh mesh = streams();
    FabricOptions options{.threads = 2};
    options.processes = std::make_shared<Failing>(processes, mine);
    mesh.start(options).run_until_idle(5000);
    return std::string("it has an end");
  });
  EXPECT_EQ(texts[1], "the wire is cut");
  for (const int other : {0, 2})  // they wait, until this imitation tells them
    EXPECT_EQ(texts[static_cast<std::size_t>(other)], "another process has ended");
}

}  // namespace
}  // namespace weft::test::failures_test
