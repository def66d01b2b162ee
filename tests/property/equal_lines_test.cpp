// Lines in the same state (src/by_line/equal_lines.hpp): which of them a lane stands for.
#include "by_line/equal_lines.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <vector>

#include "by_line/line_clocks.hpp"
#include "by_line/lines.hpp"
#include "fabric/access.hpp"
#include "fabric/build/state.hpp"
#include "fabric/profile/lines.hpp"
#include "fabric/stepper/lane_profile.hpp"
#include "model/core/work.hpp"
#include "support/by_line.hpp"
#include "support/unequal_lines.hpp"

namespace weft::test::equal_lines_test {
namespace {

constexpr int kSide = 8, kOdd = 5;  // one line is to differ
constexpr int kAlong = 0, kAcross = 1;
constexpr Reg kPlace{1};

/// PEs that pass on a color along rows, and one along columns.
struct Mesh {
  Layout layout{kSide, kSide};
  Machine machine{};
  std::vector<std::uint64_t> clocks = std::vector<std::uint64_t>(kSide, 100);
  std::function<void(fabric::State&)> change{};

  explicit Mesh(bool reads_clock = false) {
    ProgramBuilder b("alike");
    b.reserve("words", 64);
    b.start(b.local_task(0));
    if (reads_clock) b.tsc(kPlace);
    b.end();
    layout.place({0, 0, kSide, kSide}, b.build());
    layout.route({0, 0, kSide - 1, kSide}, kAlong, {Port::ramp, Port::east});
    layout.route({0, 0, kSide, kSide - 1}, kAcross, {Port::ramp, Port::south});
  }

  /// The rows, by state.
  std::optional<by_line::EqualLines> sorted(bool data = false) const {
    fabric::State state = fabric::build(layout, machine);
    state.data = data;
    if (change) change(state);
    const model::View v = state.view();
    by_line::PeTimes times{{}, std::vector<std::uint64_t>(kSide * kSide, model::kNever)};
    by_line::LineGroup rows = by_line::neighbours(true, 0, kSide, 0, true);
    for (const std::uint64_t clock : clocks) {
      times.from.insert(times.from.end(), kSide, clock);
      rows.start = std::max(rows.start, clock);
    }
    for (std::size_t row = 0; row < kSide; ++row) {
      rows.clock_lag[row] = rows.start - clocks[row];
      // What has a cycle has it by the line's clock.
      for (int x = 0; x < kSide; ++x) {
        const model::LaneAddress at = model::address_of(v.strips, x, static_cast<int>(row));
        for (auto* cycle : {v.core[at.strip].wake, v.core[at.strip].deadline})
          cycle[at.lane] = clocks[row];
      }
    }
    return by_line::equal_lines(v, *by_line::lines_of(v), times, {rows});
  }
};

void expect_states(const std::optional<by_line::EqualLines>& lines,
                   const std::vector<std::uint64_t>& sizes) {
  ASSERT_TRUE(lines.has_value());
  ASSERT_EQ(lines->stepped.count, static_cast<int>(sizes.size()));
  for (std::size_t lane = 0; lane < sizes.size(); ++lane)
    EXPECT_EQ(lines->stepped.stands_for[lane], sizes[lane]) << lane;
}

std::uint32_t& word_of(fabric::State& state, int row, std::size_t word) {
  return state.memory_of(3, row)[word * model::kLanes];
}

TEST(EqualLines, RowsThatAreAlikeAreInOneState) {
  expect_states(Mesh().sorted(false), {kSide});
  expect_states(Mesh().sorted(true), {kSide});
}

TEST(EqualLines, ARegisterThatDiffersMakesAStateOfItsOwn) {
  Mesh mesh;
  mesh.change = [](fabric::State& state) {
    const model::LaneAddress at = model::address_of(state.strips, 2, kOdd);
    state.core[static_cast<std::size_t>(at.strip)].reg[7].at[at.lane] = 1;
  };
  const auto lines = mesh.sorted();
  expect_states(lines, {kSide - 1, 1});
  EXPECT_EQ(lines->lane[kOdd], 1);
  EXPECT_EQ(lines->stepped.line[1], kOdd);
}

TEST(EqualLines, MemoryEndsWhereItDiffersWithoutData) {
  Mesh mesh;
  mesh.change = [](fabric::State& state) { word_of(state, kOdd, 9) = 1; };
  const auto lines = mesh.sorted(false);
  expect_states(lines, {kSide});
  EXPECT_EQ(lines->stepped.memory_bytes, 4 * 9);
  expect_states(mesh.sorted(true), {kSide - 1, 1});
}

TEST(EqualLines, RoutesMatterAlongTheLineOnly) {
  Mesh across, along;
  across.layout.route({0, kSide - 1, kSide, 1}, kAcross, {Port::ramp, Port::north});
  expect_states(across.sorted(), {kSide});
  along.layout.route({0, kOdd, 1, 1}, 2, {Port::ramp, Port::east});
  expect_states(along.sorted(), {kSide - 1, 1});
}

TEST(EqualLines, ClocksMayDifferWhereNobodyReadsThem) {
  Mesh mesh;
  mesh.clocks[kOdd] += 64;
  const auto lines = mesh.sorted();
  expect_states(lines, {kSide});
  EXPECT_EQ(lines->stepped.line[0], kOdd);  // the latest
  mesh.clocks[kOdd] += 1;                   // colors and queues have their turns in other cycles
  expect_states(mesh.sorted(), {kSide - 1, 1});
  Mesh reading(true);
  reading.clocks[kOdd] += 64;
  expect_states(reading.sorted(), {kSide - 1, 1});
}

TEST(EqualLines, WhatTheyCountNextMattersAndWhatTheyHaveCountedDoesNot) {
  Mesh mesh;
  const auto with_counts = [&](const std::function<void(model::StripCounts&, int lane)>& change) {
    mesh.change = [&](fabric::State& state) {
      fabric::start_counting(state, mesh.layout,
                             fabric::lines_of_programs(mesh.layout, state.programs.size()),
                             {.counts = true, .windows = 16});
      const model::LaneAddress at = model::address_of(state.strips, 2, kOdd);
      change(state.counts->strip[static_cast<std::size_t>(at.strip)], at.lane);
    };
    return mesh.sorted();
  };
  expect_states(with_counts([](model::StripCounts& s, int lane) { s.sum[0].at[lane] = 7; }),
                {kSide});
  expect_states(
      with_counts([](model::StripCounts& s, int lane) { s.data |= model::lane_bit(lane); }),
      {kSide - 1, 1});
  expect_states(
      with_counts([](model::StripCounts& s, int lane) { s.in_task |= model::lane_bit(lane); }),
      {kSide - 1, 1});
}

// Lanes of a microthread's form share its work: what they keep by lane says nothing of it.
TEST(EqualLines, ElementsThatAreLeftMatterAndWordsThatLanesNoLongerReadDoNot) {
  const auto sending = [](int more) {
    Mesh mesh;
    mesh.change = [=](fabric::State& state) {
      using model::Operand;
      const model::Work work{
          .where = {Operand::pack(Operand::fabric_out, 1), Operand::memory, Operand::absent},
          .at = {0, 64, 0},
          .step = {0, 4, 0},
          .pc = 0,
          .left = 8};
      for (int row = 0; row < kSide; ++row) {
        const model::LaneAddress at = model::address_of(state.strips, 2, row);
        model::Microthread& t = state.core[static_cast<std::size_t>(at.strip)].microthread[0];
        t.live |= model::lane_bit(at.lane);
        model::keep_work(t, at.lane, work);
        model::share_work(t, model::lane_bit(at.lane), work);
        t.left.at[at.lane] = t.at[1].at[at.lane] = static_cast<std::uint32_t>(row);
        for (int done = row == kOdd ? -more : 0; done < 3; ++done)
          model::keep_progress(t, at.lane, work);
      }
    };
    return mesh.sorted();
  };
  expect_states(sending(0), {kSide});
  expect_states(sending(1), {kSide - 1, 1});
}

TEST(EqualLines, LeaveTheirWindowsInOrderEachByItsOwnClock) {
  constexpr std::uint32_t kWindows = 16;
  const std::vector<model::LineInLane> lines{{0, 0, 0}, {1, 0, 5}, {2, 1, 1000}};
  constexpr std::uint64_t kFirst = 1003;
  by_line::LineClocks clocks;
  clocks.begin(lines, kWindows, kFirst);
  model::WindowEnds& ends = clocks.ends();
  std::vector<std::uint64_t> last(lines.size(), kFirst);
  for (std::size_t n = 0; n < 500; ++n) {
    if (n >= ends.known) ends.find_more(ends);
    ASSERT_LT(n, ends.known);
    const model::WindowEnd end = ends.end[n];
    if (n > 0) {
      ASSERT_GE(end.cycle, ends.end[n - 1].cycle);
    }
    const std::uint64_t lag = lines[end.line].clock_lag;
    const std::uint64_t own = last[end.line] - lag;
    std::uint64_t length = 1;  // of a window, so that so many hold its cycle
    while (own >= kWindows * length) length *= 2;
    EXPECT_EQ(end.cycle - lag, (own / length + 1) * length);
    last[end.line] = end.cycle;
  }
}

TEST(EqualLines, EachInAStateOfItsOwnAreLeftAlone) {
  Mesh mesh;
  mesh.change = [](fabric::State& state) {
    for (int row = 0; row < kSide; ++row) word_of(state, row, 0) = static_cast<std::uint32_t>(row);
  };
  EXPECT_FALSE(mesh.sorted(true).has_value());
}

TEST(EqualLines, GoOnApartWhereAProgramReadsItsPlace) {
  for (const bool reads : {false, true}) {
    SCOPED_TRACE(reads);
    expect_same_by_line(rows_that_read_their_place(reads));
  }
}

struct CountedRun {
  Profile profile;
  bool by_line = false;
};

CountedRun counted(const Setting& setting, bool by_line, int windows, int threads) {
  FabricOptions options;
  options.threads = threads;
  options.data = setting.data;
  options.accelerate.by_line = false;
  options.observe = {true, windows};
  Fabric fabric = FabricAccess::make(setting.layout, setting.machine, options, {.always = by_line});
  setting.prepare(fabric);
  fabric.run_until_idle(setting.limit);
  return {fabric.profile(), fabric.report().by_line};
}

// In a later phase lines that were equal turn out to differ: the run is made by line again, with
// each of them apart, and nothing is counted twice.
TEST(EqualLines, ThatDifferLateAreCountedByLineOnceMore) {
  Setting setting = columns_that_differ_late();
  expect_same_by_line(setting);
  for (const bool data : {false, true})
    for (const int windows : {0, 16, 64, 128})
      for (const int threads : {1, 2}) {
        SCOPED_TRACE(testing::Message() << data << " " << windows << " " << threads);
        setting.data = data;
        const CountedRun otherwise = counted(setting, false, windows, threads);
        const CountedRun by_line = counted(setting, true, windows, threads);
        EXPECT_FALSE(otherwise.by_line);
        EXPECT_TRUE(by_line.by_line);
        EXPECT_EQ(by_line.profile, otherwise.profile);
      }
}

}  // namespace
}  // namespace weft::test::equal_lines_test
