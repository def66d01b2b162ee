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
#include "support/by_line.hpp"

namespace weft::test::equal_lines_test {
namespace {

constexpr int kSide = 8, kOdd = 5;  // one line is to differ
constexpr int kAlong = 0, kAcross = 1;
constexpr Reg kWord{0}, kPlace{1}, kZero{2}, kRounds{3};

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

/// The first PE of each row sends along it, that of each column along that.
void route_both(Layout& layout) {
  constexpr int kLast = kSide - 1;
  const auto route = [&](int color, Rect first, Rect next, Rect last, Port from, Port to) {
    layout.route(first, color, {Port::ramp, to});
    layout.route(next, color, {.rx = from, .tx = {to, Port::ramp}, .input_queue = 2 + color});
    layout.route(last, color, {.rx = from, .tx = Port::ramp, .input_queue = 2 + color});
  };
  route(kAlong, {0, 0, 1, kSide}, {1, 0, kSide - 2, kSide}, {kLast, 0, 1, kSide}, Port::west,
        Port::east);
  route(kAcross, {0, 0, kSide, 1}, {0, 1, kSide, kSide - 2}, {0, kLast, kSide, 1}, Port::north,
        Port::south);
}

/// A PE whose place is 0 sends word 0.
void send_if_first(ProgramBuilder& b, const MemorySpan& words, Reg place, int color, int queue) {
  const Label others = b.label();
  b.bne(place, kZero, others);
  b.dbase({0}, static_cast<std::int32_t>(words.address));
  b.dlen({0}, 1);
  b.dfabout({1}, queue, color);
  b.dlen({1}, 1);
  b.vmov32({1}, {0});
  b.place(others);
}

void count_down(ProgramBuilder& b) {
  const Label again = b.label();
  b.place(again);
  b.addi(kRounds, kRounds, -1);
  b.bne(kRounds, kZero, again);
}

void wait_some(ProgramBuilder& b) {
  b.li(kRounds, 100);
  count_down(b);
}

/// The byte of a PE's words.
using WordAt = std::function<std::int32_t(int)>;

/// A program of all PEs: rows send, wait some, and then columns send.
struct TwoPhases {
  const char* name;
  int threads;
  std::function<void(ProgramBuilder&, const WordAt&)> between;    ///< the two
  std::function<void(ProgramBuilder&, const WordAt&)> on_column;  ///< in PEs that a column sends to
  std::function<void(Fabric&)> prepare;
};

Setting setting_of(const TwoPhases& phases) {
  ProgramBuilder b(phases.name);
  const MemorySpan words = b.reserve("words", 64);
  const WordAt word = [&](int n) { return static_cast<std::int32_t>(words.address) + 4 * n; };
  b.start(b.local_task(0));
  b.li(kZero, 0);
  b.xcoord(kPlace);
  send_if_first(b, words, kPlace, kAlong, 0);
  wait_some(b);
  phases.between(b, word);
  b.ycoord(kPlace);
  send_if_first(b, words, kPlace, kAcross, 1);
  b.end();
  b.data_task(kAlong);
  b.sw(kWord, kZero, word(2));
  b.end();
  b.data_task(kAcross);
  phases.on_column(b, word);
  b.sw(kWord, kZero, word(3));
  b.end();
  Setting setting{Layout(kSide, kSide), {}, phases.threads, false, phases.prepare};
  setting.layout.place({0, 0, kSide, kSide}, b.build());
  route_both(setting.layout);
  return setting;
}

/// All rows are in one state until PEs ask for their row. Words 14 and 15 differ from row to row,
/// and are written; `reads`: and read again.
Setting reads_its_row(bool reads) {
  const auto between = [=](ProgramBuilder& b, const WordAt& word) {
    b.tsc(kRounds);
    b.sw(kRounds, kZero, word(14));
    if (reads) b.lw(kRounds, kZero, word(14));
    b.sw(kRounds, kZero, word(15));
    b.ycoord(kPlace);
    b.sw(kPlace, kZero, word(1));
  };
  const auto prepare = [](Fabric& fabric) {
    std::vector<std::uint32_t> differ;
    differ.reserve(2 * kSide * kSide);
    for (std::uint32_t pe = 0; pe < kSide * kSide; ++pe)
      for (const unsigned other : {14U, 15U}) differ.push_back(pe / kSide + other);
    fabric.write({0, 0, kSide, kSide}, 4 * 14, differ);
  };
  const auto nothing = [](ProgramBuilder&, const WordAt&) {};
  return setting_of({"reads its row", 2, between, nothing, prepare});
}

TEST(EqualLines, GoOnApartWhereAProgramReadsItsPlace) {
  for (const bool reads : {false, true}) {
    SCOPED_TRACE(reads);
    expect_same_by_line(reads_its_row(reads));
  }
}

/// Word 14 is another one in each column, and PEs read it when a column has sent to them: they
/// count as many rounds.
Setting differs_late() {
  const auto on_column = [](ProgramBuilder& b, const WordAt& word) {
    b.lw(kRounds, kZero, word(14));
    count_down(b);
  };
  const auto prepare = [](Fabric& fabric) {
    std::vector<std::uint32_t> rounds;
    rounds.reserve(kSide * kSide);
    for (std::uint32_t pe = 0; pe < kSide * kSide; ++pe) rounds.push_back(50 + 30 * (pe % kSide));
    fabric.write({0, 0, kSide, kSide}, 4 * 14, rounds);
  };
  const auto nothing = [](ProgramBuilder&, const WordAt&) {};
  return setting_of({"differs late", 1, nothing, on_column, prepare});
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
  Setting setting = differs_late();
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
