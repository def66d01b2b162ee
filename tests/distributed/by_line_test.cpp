// Runs by line that processes share: rows apart, then columns, and PEs go over between phases. They
// end as those of one process in the plain step, whatever ends them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "by_line/shared_lines.hpp"
#include "differential/case.hpp"
#include "differential/dice.hpp"
#include "differential/valid_case.hpp"
#include "distributed/failing_process.hpp"
#include "distributed/same_as_one.hpp"
#include "distributed/thread_processes.hpp"
#include "fabric/access.hpp"
#include "model/lanes/lanes.hpp"
#include "support/effort.hpp"
#include "support/mesh.hpp"
#include "weft/fabric.hpp"
#include "weft/processes.hpp"

namespace weft::test::shared_by_line_test {
namespace {

using Shared = std::shared_ptr<Processes>;

/// Of cases on meshes of several strips.
void expect_same(Case (*make)(std::uint64_t), std::uint64_t first) {
  const auto cases = by_effort<std::uint64_t>(6, 40, 120);
  std::uint64_t tall = 0;
  for (std::uint64_t seed = first; tall < cases && !testing::Test::HasFailure(); ++seed) {
    const Case c = make(seed);
    if (c.height <= model::kStripHeight) continue;
    ++tall;
    Team team{.size = 2 + static_cast<int>(seed % 3), .delays = seed % 4 == 0 ? seed : 0};
    team.size = std::min(team.size, model::strips_down(c.height));
    EXPECT_EQ(difference(compared_by_line(c), team), "") << "seed " << seed << "\n" << print(c);
  }
}

TEST(SharedByLine, RightProgramsEndAsOfOneProcess) {
  expect_same(valid_straight_case, seed_from(35'000'000));
}

TEST(SharedByLine, WhereLinesMeetProgramsEndAsOfOneProcess) {
  expect_same(valid_meeting_case, seed_from(36'000'000));
}

constexpr int kWidth = 36, kHeight = 12;  // 3 x 3 strips: one of each for three processes
constexpr int kRow = 3, kColumn = 6;      // colors
constexpr std::uint64_t kEnd = 100'000;

/// Each row sends to its last PE, and each column later, too, but for `without` and the next one.
Mesh streams(int without = kWidth, int height = kHeight) {
  constexpr int kWords = 20;
  Mesh mesh(kWidth, height);
  Route from_west{Port::west, Port::ramp}, from_north{Port::north, Port::ramp};
  from_west.input_queue = 0;
  from_north.input_queue = 1;
  mesh.route({0, 0, 1, height}, kRow, {Port::ramp, Port::east});
  mesh.route({1, 0, kWidth - 2, height}, kRow, {Port::west, Port::east});
  mesh.route({kWidth - 1, 0, 1, height}, kRow, from_west);
  mesh.route({0, 0, kWidth, 1}, kColumn, {Port::ramp, Port::south});
  mesh.route({0, 1, kWidth, height - 2}, kColumn, {Port::north, Port::south});
  mesh.route({0, height - 1, kWidth, 1}, kColumn, from_north);
  for (int y = 0; y < height; ++y) {
    mesh.pe(0, y).send(0, kRow, counting(kWords, static_cast<std::uint32_t>(100 * y)));
    mesh.pe(kWidth - 1, y).receive(0, kWords);
  }
  for (int x = 0; x < kWidth; ++x) {
    if (x == without || x == without + 1) continue;
    mesh.pe(x, 0).wait(300).send(1, kColumn, counting(kWords, static_cast<std::uint32_t>(x)));
    mesh.pe(x, height - 1).catch_data(kColumn);
  }
  return mesh;
}

std::unique_ptr<fabric::Stepper> stepper_of(Mesh mesh, Shared processes) {
  FabricOptions options;
  options.accelerate.by_line = false;
  const bool shared = processes != nullptr;
  options.processes = std::move(processes);
  Fabric fabric = FabricAccess::make(mesh.layout(), mesh.machine(), options, {.always = shared});
  mesh.fill(fabric);
  return FabricAccess::take_stepper(std::move(fabric));
}

/// Expects the same of so many processes. `by_line`: they come to its end.
void expect_same(Team team, const std::function<Mesh()>& make, bool by_line, std::uint64_t limit,
                 int height = kHeight) {
  int was = 0;
  Compared compared{.width = kWidth,
                    .height = height,
                    .memory_words = 256,
                    .stops = {limit},
                    .until_idle = true,
                    .make = [&](Shared processes) { return stepper_of(make(), processes); },
                    .by_line = &was};
  EXPECT_EQ(difference(compared, team), "") << team.size << " processes";
  EXPECT_EQ(was != 0, by_line) << team.size << " processes";
}

void expect_same(const std::function<Mesh()>& make, bool by_line, std::uint64_t limit = kEnd) {
  for (int size = 1; size <= 3; ++size)
    expect_same({.size = size, .delays = size == 3 ? 7U : 0U}, make, by_line, limit);
}

TEST(SharedByLine, RowsAndThenColumnsAreSteppedApart) {
  expect_same([] { return streams(); }, true);
}

TEST(SharedByLine, ProcessesWithoutColumnsWaitForTheOthers) {
  constexpr int kSize = 6, kTall = kSize * model::kStripHeight;  // three strips of columns
  for (const std::uint64_t delays : {0, 5})
    expect_same(
        {.size = kSize, .delays = delays}, [] { return streams(kWidth, kTall); }, true, kEnd,
        kTall);
}

/// PE (x, row) sends to the east a thousand instructions after the launch. PE (x + 1, 1) sends down
/// to the same one after `wait`, so that its column has begun by then.
Mesh meeting(int x, int row, int wait) {
  Mesh mesh = streams(x);
  Route from_west{Port::west, Port::ramp}, from_north{Port::north, Port::ramp};
  from_west.input_queue = 4;
  from_north.input_queue = 5;
  mesh.route({x, row, 1, 1}, 8, {Port::ramp, Port::east});
  mesh.route({x + 1, row, 1, 1}, 8, from_west);
  mesh.route({x + 1, 1, 1, 1}, 9, {Port::ramp, Port::south});
  if (row > 2) mesh.route({x + 1, 2, 1, row - 2}, 9, {Port::north, Port::south});
  mesh.route({x + 1, row, 1, 1}, 9, from_north);
  mesh.pe(x, row).wait(1000).send(2, 8, counting(5));
  mesh.pe(x + 1, 1).wait(wait).send(2, 9, counting(5, 100));
  mesh.pe(x + 1, row).catch_data(8).catch_data(9);
  return mesh;
}

// The row is another process's than that of the PE that sends down, so a phase of columns finds it.
TEST(SharedByLine, ColumnsThatMeetInOneProcessEndItInAll) {
  for (const int x : {2, 20, 33}) expect_same([=] { return meeting(x, 9, 250); }, false);
}

// A strip of one process stops in the first phase, and then a wavelet comes to it.
TEST(SharedByLine, RowsThatMeetInOneProcessEndItInAll) {
  expect_same([] { return meeting(2, 2, 250); }, false);
}

TEST(SharedByLine, ALimitInAPhaseEndsItThere) {
  for (const std::uint64_t limit : {1, 40, 600, 1300})
    expect_same([] { return streams(); }, false, limit);
}

TEST(SharedByLine, AFaultIsThatOfOneProcess) {
  expect_same(
      [] {
        Mesh mesh = streams();
        mesh.pe(20, 5).wait(400).run([](ProgramBuilder& b) { b.lw(Reg{1}, Reg{15}, 1 << 20); });
        return mesh;
      },
      false);
}

TEST(SharedByLine, AnExceptionOfOneProgressEndsTheRunOfAll) {
  const auto end_of = [](fabric::Stepper& stepper) {
    const engine::RunResult result = stepper.run_until_idle({.limit = kEnd}, [] { return false; });
    const engine::Totals all = stepper.totals();
    return fmt::format("{} {} {}", result.cycle, all.hops, stepper.anything_left());
  };
  const std::string one = end_of(*stepper_of(streams(), {}));
  for (const std::uint64_t from : {0, 1000}) {
    std::vector<std::string> told = Team{.size = 3}.run([&](const Shared& processes) {
      const auto stepper = stepper_of(streams(), processes);
      const auto progress = [&](std::uint64_t cycle) {
        if (processes->rank() == 1 && cycle >= from) throw std::runtime_error("enough");
      };
      std::string text;
      try {
        stepper->run_until_idle(
            {.limit = kEnd, .progress = progress, .pause = std::chrono::milliseconds(0)},
            [] { return false; });
      } catch (const std::exception& error) {
        text = error.what();
      }
      return text + "; " + end_of(*stepper);
    });
    EXPECT_EQ(told[1], "enough; " + one);
    for (const std::size_t rank : {0U, 2U}) {
      EXPECT_NE(told[rank].find("process 1 has ended the run"), std::string::npos) << told[rank];
      EXPECT_TRUE(told[rank].ends_with("; " + one)) << told[rank];
    }
  }
}

/// How a run ends, and the next one.
std::string told_by(const Shared& processes) {
  const auto stepper = stepper_of(streams(), processes);
  std::string text;
  for (int runs = 0; runs < 2; ++runs) try {
      text += fmt::format(
          "{} cycles; ",
          stepper->run_until_idle({.limit = kEnd, .threads = 2}, [] { return false; }).cycle);
    } catch (const std::exception& error) {
      text += fmt::format("{}; ", error.what());
    }
  return text;
}

// It sends and takes strips: all end, no message is left over, and another fabric can be made.
TEST(SharedByLine, AProcessThatFailsBetweenPhasesEndsTheRunOfAll) {
  Team team{.size = 3};
  const std::string right = team.run(told_by).front();
  for (int rank = 0; rank < team.size; ++rank) {
    std::uint64_t calls = 0;
    team.run([&](const Shared& processes) {
      const auto counted = std::make_shared<Failing>(processes, Failure{});
      stepper_of(streams(), counted)->run_until_idle({.limit = kEnd}, [] { return false; });
      if (processes->rank() == rank) calls = counted->calls();
      return std::string();
    });
    ASSERT_GE(calls, 8U);
    for (std::uint64_t call = 1; call <= calls; ++call) {
      const std::vector<std::string> told = team.run([&](const Shared& processes) {
        const Failure mine = processes->rank() == rank ? Failure{.call = call} : Failure{};
        return told_by(std::make_shared<Failing>(processes, mine)) + told_by(processes);
      });
      const std::string error = fmt::format("process {} of 3 failed in a run", rank);
      for (const std::string& text : told)
        EXPECT_EQ(text, fmt::format("{} (the wire is cut); mend that, and start all again; the "
                                    "fabric is lost ({}); make it again, in all processes; {}",
                                    error, error, right))
            << "process " << rank << " in call " << call << " of " << calls;
    }
  }
}

/// The second process learns of more words than memory holds.
class Overstating : public Failing {
 public:
  explicit Overstating(Shared all) : Failing(std::move(all), {}) {}
  void gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
    Failing::gather(mine, all);
    const std::uint64_t words = std::uint64_t{1} << 61U;
    if (rank() == 1 && !std::exchange(told_, true)) std::memcpy(all.data(), &words, sizeof words);
  }

 private:
  bool told_ = false;
};

class Bits : public by_line::SharedLines {
 public:
  using SharedLines::SharedLines;
  engine::Rows lines(bool) const override { return {}; }

 private:
  void move(bool, by_line::PeTimes&) override {}
};

TEST(SharedByLine, AProcessWithoutMemoryForTheSteppedCyclesEndsTheRunOfAll) {
  for (const std::string& told : Team{.size = 2}.run([](const Shared& processes) {
         Overstating mine(processes);
         std::vector<std::uint64_t> words(3);
         Bits(mine).add_bits(words);
         return std::string("it ended");
       }))
    EXPECT_NE(told.find("process 1 of 2 failed in a run"), std::string::npos) << told;
}

TEST(SharedByLine, AProcessThatCanTellNobodyThrowsWhatWasThrown) {
  const std::vector<std::string> texts = Team{.size = 3}.run([](const Shared& processes) {
    const Failure mine = processes->rank() == 1 ? Failure{.call = 3, .for_good = true} : Failure{};
    const auto failing = std::make_shared<Failing>(processes, mine);
    stepper_of(streams(), failing)->run_until_idle({.limit = kEnd}, [] { return false; });
    return std::string("it has an end");
  });
  EXPECT_EQ(texts[1], "the wire is cut");
  for (const std::size_t other : {0U, 2U})  // they wait, until this imitation tells them
    EXPECT_EQ(texts[other], "another process has ended");
}

// By the plain step.
TEST(SharedByLine, TheNextRunGoesOnFromThere) {
  const auto run = [](const Shared& processes) {
    Mesh mesh = streams();
    FabricOptions options;
    options.accelerate.by_line = false;
    options.processes = processes;
    Fabric fabric = FabricAccess::make(mesh.layout(), mesh.machine(), options,
                                       {.always = processes != nullptr});
    mesh.fill(fabric);
    fabric.run_until_idle(kEnd);
    const std::string first = fmt::format("{} ", fabric.cycle());
    for (const int x : {0, kWidth - 1})
      fabric.activate({x, 0, 1, kHeight}, Task{TaskKind::local, 0});
    fabric.activate({1, 0, kWidth - 2, 1}, Task{TaskKind::local, 0});
    fabric.activate({1, kHeight - 1, kWidth - 2, 1}, Task{TaskKind::local, 0});
    fabric.run_until_idle(kEnd);
    const FabricCounters all = fabric.counters();
    std::vector<std::uint32_t> words(std::size_t{kWidth} * kHeight * 64);
    fabric.read({0, 0, kWidth, kHeight}, 0, words);
    std::uint64_t sum = 0;
    for (const std::uint32_t word : words) sum = sum * 1099511628211U + word;
    return first + fmt::format("{} {} {} {:x}", all.cycle, all.hops, all.delivered, sum);
  };
  const std::string one = run({});
  for (const std::string& shared : Team{.size = 3}.run(run)) EXPECT_EQ(shared, one);
}

}  // namespace
}  // namespace weft::test::shared_by_line_test
