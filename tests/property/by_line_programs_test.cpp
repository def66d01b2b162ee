// Programs that use rows first and columns then, stepped by line and otherwise.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "support/by_line.hpp"
#include "support/mesh.hpp"

namespace weft::test::by_line_programs_test {
namespace {

/// A color of one direction, with queues of its own.
struct Stream {
  int color, queue;
};

constexpr Stream kEast{1, 0}, kWest{8, 3}, kSouth{2, 1}, kNorth{5, 2}, kSouthToo{9, 4};
constexpr Reg kLeft{1}, kClock{2}, kZero{15};
constexpr Dsr kFrom{0}, kTo{1};

/// The west PE of each row sends words east, which all of the row take; those who have all wait for
/// as long as their column says, then the north PE of each column sends words south, the same way.
struct Waves {
  const char* name;
  int width, height, words;
  int delay = 0;           ///< rounds that PE (x, y) waits are delay * x + 1
  bool both_ways = false;  ///< the south PE sends north at the same time, and the north PE on two
                           ///< colors: they contend for links and ramps, by the clock
  bool meet_ends = false;  ///< in the rows, too, the east PE sends west at the same time
};

void PrintTo(const Waves& waves, std::ostream* out) { *out << waves.name; }

/// One PE's part in a stream.
enum class Part { none, sends, hears };

struct Parts {
  Part east, west, south, north, south_too;
};

Parts parts_of(const Waves& waves, bool west_end, bool east_end, bool north_end, bool south_end) {
  const auto part = [](bool used, bool sends) {
    return !used ? Part::none : sends ? Part::sends : Part::hears;
  };
  return {part(true, west_end), part(waves.meet_ends, east_end), part(true, north_end),
          part(waves.both_ways, south_end), part(waves.both_ways, north_end)};
}

class Writer {
 public:
  explicit Writer(const Waves& waves) : waves_(waves) {
    for (MemorySpan& words : words_)
      words = b_.reserve(fmt::format("words {}", &words - words_),
                         static_cast<std::uint32_t>(4 * waves.words));
    stamps_ = b_.reserve("stamps", 4 * 8);
  }

  Program write(const Parts& parts) {
    b_.start(b_.local_task(0));
    b_.li(kLeft, 0);
    count(parts.east);
    count(parts.west);
    start(kEast, parts.east, 10);
    start(kWest, parts.west, 11);
    b_.end();

    b_.local_task(1);
    stamp(5);
    start(kSouth, hears(parts.south), 12);
    start(kNorth, hears(parts.north), 13);
    start(kSouthToo, hears(parts.south_too), 14);
    b_.xcoord(kLeft);
    b_.muli(kLeft, kLeft, waves_.delay);
    b_.addi(kLeft, kLeft, 1);
    const Label again = b_.label();
    b_.place(again);
    b_.addi(kLeft, kLeft, -1);
    b_.mov(kClock, kClock);
    b_.bne(kLeft, kZero, again);
    start(kSouth, sends(parts.south), 12);
    start(kNorth, sends(parts.north), 13);
    start(kSouthToo, sends(parts.south_too), 14);
    b_.end();

    for (const int task : {10, 11}) {  // a stream of the rows is over
      const Label more = b_.label();
      b_.local_task(task);
      stamp(task - 10);
      b_.addi(kLeft, kLeft, -1);
      b_.bne(kLeft, kZero, more);
      b_.activate({TaskKind::local, 1});
      b_.place(more);
      b_.end();
    }
    for (const int task : {12, 13, 14}) {  // one of the columns
      b_.local_task(task);
      stamp(task - 10);
      for (int i = 0; i < 16; ++i) b_.mov(kClock, kClock);
      b_.end();
    }
    return b_.build();
  }

 private:
  static Part sends(Part part) { return part == Part::sends ? part : Part::none; }
  static Part hears(Part part) { return part == Part::hears ? part : Part::none; }

  void count(Part part) {
    if (part != Part::none) b_.addi(kLeft, kLeft, 1);
  }

  void stamp(int n) {
    b_.tsc(kClock);
    b_.sw(kClock, kZero, static_cast<std::int32_t>(stamps_.address) + 4 * n);
  }

  void start(const Stream& stream, Part part, int then) {
    if (part == Part::none) return;
    const Dsr fabric = part == Part::sends ? kTo : kFrom;
    const Dsr memory = part == Part::sends ? kFrom : kTo;
    b_.dbase(memory, static_cast<std::int32_t>(words_[stream.queue].address));
    b_.dstride(memory, 1);
    b_.dlen(memory, waves_.words);
    if (part == Part::sends) {
      b_.dfabout(fabric, stream.queue, stream.color);
    } else {
      b_.dfabin(fabric, stream.queue);
      b_.dlen(fabric, waves_.words);
    }
    VectorOptions options;
    options.async = true;
    options.at_end = VectorOptions::AtEnd::activate;
    options.task_id = static_cast<std::uint8_t>(then);
    b_.vmov32(kTo, kFrom, options);
  }

  const Waves& waves_;
  ProgramBuilder b_{"waves"};
  MemorySpan words_[5], stamps_;  ///< words by queue
};

/// A multicast from one end of all lines to the other.
void route(Layout& layout, const Stream& stream, Port to) {
  const bool along_x = to == Port::east || to == Port::west;
  const int length = along_x ? layout.width() : layout.height();
  const int first = to == Port::east || to == Port::south ? 0 : length - 1;
  for (int place = 0; place < length; ++place) {
    const Rect where =
        along_x ? Rect{place, 0, 1, layout.height()} : Rect{0, place, layout.width(), 1};
    Route route{opposite(to), {to, Port::ramp}};
    if (place == first) route = {Port::ramp, to};
    if (place == length - 1 - first) route.tx = Port::ramp;
    route.input_queue = stream.queue;
    layout.route(where, stream.color, route);
  }
}

Setting setting_of(const Waves& waves, int threads) {
  const int w = waves.width, h = waves.height;
  Layout layout(w, h);
  for (const Rect& where :
       {Rect{0, 0, 1, 1}, Rect{1, 0, w - 2, 1}, Rect{w - 1, 0, 1, 1}, Rect{0, 1, 1, h - 2},
        Rect{1, 1, w - 2, h - 2}, Rect{w - 1, 1, 1, h - 2}, Rect{0, h - 1, 1, 1},
        Rect{1, h - 1, w - 2, 1}, Rect{w - 1, h - 1, 1, 1}})
    layout.place(where, Writer(waves).write(parts_of(waves, where.x == 0, where.x == w - 1,
                                                     where.y == 0, where.y == h - 1)));
  route(layout, kEast, Port::east);
  route(layout, kSouth, Port::south);
  if (waves.meet_ends) route(layout, kWest, Port::west);
  if (waves.both_ways) {
    route(layout, kNorth, Port::north);
    route(layout, kSouthToo, Port::south);
  }
  const auto prepare = [w, h, each = 5 * waves.words](Fabric& fabric) {
    std::vector<std::uint32_t> words;
    for (int i = 0; i < w * h * each; ++i)
      words.push_back(static_cast<std::uint32_t>(i) * 2654435761U);
    fabric.write({0, 0, w, h}, 0, words);
  };
  return {layout, Machine{}, threads, true, prepare};
}

class WavesByLine : public testing::TestWithParam<Waves> {};

TEST_P(WavesByLine, EndAsOtherwise) {
  for (const int threads : {1, 2, 3}) {
    if (looks_for_races() && threads == 1) continue;
    SCOPED_TRACE(fmt::format("{} threads", threads));
    expect_same_by_line(setting_of(GetParam(), threads));
  }
}

TEST_P(WavesByLine, EndAsOtherwiseOnTheTestsMachine) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  Setting setting = setting_of(GetParam(), 1);
  setting.machine = test_machine();
  expect_same_by_line(setting);
}

TEST_P(WavesByLine, EndAsOtherwiseWithoutData) {
  Setting setting = setting_of(GetParam(), 2);
  setting.data = false;
  expect_same_by_line(setting);
}

TEST_P(WavesByLine, HaveThePathOfThePlainStep) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const bool data : {true, false}) {
    if (!data && !many_cases()) continue;
    Setting setting = setting_of(GetParam(), 2);
    setting.data = data;
    EXPECT_TRUE(expect_same_path(setting));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, WavesByLine,
    testing::Values(
        Waves{.name = "Small", .width = 3, .height = 3, .words = 2},
        Waves{.name = "NoFullBundle", .width = 70, .height = 37, .words = 9},
        Waves{.name = "Wide", .width = 130, .height = 3, .words = 5},
        Waves{.name = "High", .width = 3, .height = 130, .words = 5},
        Waves{.name = "ColumnsAtTheirTimes", .width = 70, .height = 37, .words = 9, .delay = 1},
        Waves{.name = "ColumnsFarApart", .width = 20, .height = 6, .words = 3, .delay = 100},
        Waves{.name = "ClockDecides",
              .width = 70,
              .height = 37,
              .words = 20,
              .delay = 1,
              .both_ways = true},
        Waves{.name = "ClockDecidesInAFewLines",
              .width = 9,
              .height = 5,
              .words = 40,
              .delay = 3,
              .both_ways = true},
        Waves{.name = "RowsBothWays",
              .width = 33,
              .height = 40,
              .words = 40,
              .delay = 2,
              .both_ways = true,
              .meet_ends = true}),
    [](const auto& waves) { return std::string(waves.param.name); });

// A fabric that came to rest and is run again: nothing happens, and the clock stands still.
TEST(ByLine, AnIdleFabricStaysAsItIs) {
  const Setting setting = setting_of({.name = "", .width = 5, .height = 4, .words = 3}, 1);
  FabricCounters counters[2];
  for (const bool by_line : {false, true}) {
    Fabric fabric = by_line ? fabric_by_line(setting.layout, setting.machine)
                            : Fabric(setting.layout, setting.machine);
    fabric.run_until_idle(setting.limit);
    const std::uint64_t cycle = fabric.cycle();
    fabric.run_until_idle(setting.limit);
    EXPECT_EQ(fabric.cycle(), cycle) << (by_line ? "by line" : "otherwise");
    counters[by_line ? 1 : 0] = fabric.counters();
  }
  EXPECT_EQ(counters[0].cycle, counters[1].cycle);
  EXPECT_EQ(counters[0].wavelets, counters[1].wavelets);
}

// The path of all runs together: those after the first are not by line.
TEST(ByLine, AFabricWhosePathWasFoundGoesOn) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const Setting setting =
      setting_of({.name = "", .width = 9, .height = 5, .words = 20, .delay = 3}, 1);
  FabricOptions options;
  options.observe = {.counts = true, .path = true};
  Profile profiles[2];
  for (const bool by_line : {false, true}) {
    Fabric fabric = by_line ? fabric_by_line(setting.layout, setting.machine, options)
                            : Fabric(setting.layout, setting.machine, options);
    setting.prepare(fabric);
    fabric.run_until_idle(setting.limit);
    const std::uint64_t cycles = fabric.cycle();
    EXPECT_EQ(fabric.report().by_line, by_line);
    EXPECT_EQ(fabric.profile().path.back().to, cycles);
    fabric.activate({0, 0, 9, 5}, Task{TaskKind::local, 0});
    fabric.run_until_idle(setting.limit);
    EXPECT_GT(fabric.cycle(), cycles);
    profiles[by_line ? 1 : 0] = fabric.profile();
  }
  EXPECT_TRUE(profiles[0] == profiles[1]);
}

TEST(ByLine, AFabricWithoutProgramsIsIdle) { expect_same_by_line({Layout(70, 5)}); }

}  // namespace
}  // namespace weft::test::by_line_programs_test
