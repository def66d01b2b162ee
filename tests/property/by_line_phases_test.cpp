// Random programs of several phases, each along rows or along columns, stepped by line and
// otherwise. In a phase two PEs of each line send to all others of it, both ways.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <string>

#include "differential/dice.hpp"
#include "differential/random_case.hpp"
#include "support/by_line.hpp"
#include "support/mesh.hpp"

namespace weft::test::by_line_phases_test {
namespace {

constexpr Reg kLeft{1}, kClock{2}, kWait{3}, kZero{15};
constexpr Dsr kFrom{0}, kTo{1};
constexpr int kFinal = 3;                                   // local task
constexpr int kStreams = 4;                                 // a PE's own, in a phase
enum Role { kHearFirst, kHearSecond, kSendOn, kSendBack };  // of them

struct Phase {
  bool rows;
  int words;
  int wait, wait_x, wait_y;  ///< rounds that PE (x, y) waits are wait + wait_x * x + wait_y * y
};

struct Course {
  int width, height;
  std::array<int, 2> senders[2];  ///< their places in columns, in rows
  std::vector<Phase> phases;

  int length(bool rows) const { return rows ? width : height; }
};

int color_of(bool rows, int sender, bool on) { return (rows ? 0 : 5) + 2 * sender + (on ? 0 : 1); }
int input_of(bool rows, int sender) { return (rows ? 4 : 6) + sender; }
int output_of(bool rows, bool on) { return (rows ? 0 : 2) + (on ? 0 : 1); }

class Writer {
 public:
  Writer(const Course& plan, int x, int y) : plan_(plan), at_{y, x} {}

  Program write() {
    for (std::size_t n = 0; n < plan_.phases.size(); ++n) {
      const auto bytes = static_cast<std::uint32_t>(4 * plan_.phases[n].words);
      for (int s = 0; s < kStreams; ++s)
        words_[n][s] = b_.reserve(fmt::format("{} {}", n, s), bytes);
    }
    stamps_ = b_.reserve("stamps", 4 * 32);
    for (std::size_t n = 0; n < plan_.phases.size(); ++n) phase(static_cast<int>(n));
    b_.local_task(kFinal);
    stamp(kFinal);
    for (int i = 0; i < 40; ++i) b_.mov(kClock, kClock);
    b_.end();
    return b_.build();
  }

 private:
  bool has(bool rows, Role role) const {
    const auto [first, second] = plan_.senders[rows];
    const int at = at_[rows];
    const bool sends = at == first || at == second;
    switch (role) {
      case kHearFirst:
        return at != first;
      case kHearSecond:
        return at != second;
      case kSendOn:
        return sends && at + 1 < plan_.length(rows);
      case kSendBack:
        return sends && at > 0;
    }
    return false;
  }

  static Task done(int n, int s) {
    return {TaskKind::local, static_cast<std::uint8_t>(8 + kStreams * n + s)};
  }

  void phase(int n) {
    const Phase& p = plan_.phases[static_cast<std::size_t>(n)];
    const Task task = b_.local_task(n);
    if (n == 0) b_.start(task);
    stamp(n);
    int streams = 0;
    for (const Role role : {kHearFirst, kHearSecond, kSendOn, kSendBack})
      streams += has(p.rows, role) ? 1 : 0;
    b_.li(kLeft, streams);
    for (const Role role : {kHearFirst, kHearSecond}) start(n, role);
    wait(p);
    for (const Role role : {kSendOn, kSendBack}) start(n, role);
    b_.end();
    const bool last = n + 1 == static_cast<int>(plan_.phases.size());
    for (const Role role : {kHearFirst, kHearSecond, kSendOn, kSendBack}) {
      if (!has(p.rows, role)) continue;
      const Label more = b_.label();
      b_.local_task(done(n, role).id);
      stamp(done(n, role).id);
      b_.addi(kLeft, kLeft, -1);
      b_.bne(kLeft, kZero, more);
      b_.activate({TaskKind::local, static_cast<std::uint8_t>(last ? kFinal : n + 1)});
      b_.place(more);
      b_.end();
    }
  }

  void wait(const Phase& p) {
    b_.xcoord(kWait);
    b_.muli(kWait, kWait, p.wait_x);
    b_.ycoord(kClock);
    b_.muli(kClock, kClock, p.wait_y);
    b_.add(kWait, kWait, kClock);
    b_.addi(kWait, kWait, p.wait + 1);
    const Label again = b_.label();
    b_.place(again);
    b_.addi(kWait, kWait, -1);
    b_.mov(kClock, kClock);
    b_.bne(kWait, kZero, again);
  }

  void start(int n, Role role) {
    const Phase& p = plan_.phases[static_cast<std::size_t>(n)];
    if (!has(p.rows, role)) return;
    const bool sends = role == kSendOn || role == kSendBack, on = role == kSendOn;
    const Dsr memory = sends ? kFrom : kTo;
    b_.dbase(memory, static_cast<std::int32_t>(words_[static_cast<std::size_t>(n)][role].address));
    b_.dstride(memory, 1);
    b_.dlen(memory, p.words);
    if (sends) {
      const int sender = at_[p.rows] == plan_.senders[p.rows][0] ? 0 : 1;
      b_.dfabout(kTo, output_of(p.rows, on), color_of(p.rows, sender, on));
    } else {
      b_.dfabin(kFrom, input_of(p.rows, role));
      b_.dlen(kFrom, p.words);
    }
    VectorOptions options;
    options.async = true;
    options.at_end = VectorOptions::AtEnd::activate;
    options.task_id = done(n, role).id;
    b_.vmov32(kTo, kFrom, options);
  }

  void stamp(int n) {
    b_.tsc(kClock);
    b_.sw(kClock, kZero, static_cast<std::int32_t>(stamps_.address) + 4 * n);
  }

  const Course& plan_;
  const std::array<int, 2> at_;  ///< its place in its column, in its row
  ProgramBuilder b_{"phases"};
  std::array<std::array<MemorySpan, kStreams>, 3> words_{};
  MemorySpan stamps_;
};

/// From a sender to both ends of all lines.
void route(Layout& layout, const Course& plan, bool rows, int sender) {
  const int from = plan.senders[rows][static_cast<std::size_t>(sender)], length = plan.length(rows);
  for (const bool on : {true, false}) {
    const Port to = rows ? (on ? Port::east : Port::west) : (on ? Port::south : Port::north);
    const int step = on ? 1 : -1, last = on ? length - 1 : 0;
    if (from == last) continue;
    for (int place = from;; place += step) {
      Route route{opposite(to), {to, Port::ramp}};
      if (place == from) route = {Port::ramp, to};
      if (place == last) route.tx = Port::ramp;
      route.input_queue = input_of(rows, sender);
      layout.route(rows ? Rect{place, 0, 1, plan.height} : Rect{0, place, plan.width, 1},
                   color_of(rows, sender, on), route);
      if (place == last) break;
    }
  }
}

Course random_course(Dice& dice) {
  Course plan{};
  const int most = dice.chance(20) ? 70 : 20;
  plan.width = dice.roll(2, most);
  plan.height = dice.roll(2, most > 20 ? 6 : 20);
  if (dice.chance(50)) std::swap(plan.width, plan.height);
  for (const bool rows : {false, true}) {
    const int length = plan.length(rows), first = dice.roll(0, length - 1);
    plan.senders[rows] = {first, (first + dice.roll(1, length - 1)) % length};
  }
  bool rows = dice.chance(50);
  for (int n = dice.roll(1, 3); n > 0; --n) {
    Phase phase{rows, dice.roll(1, 12), dice.chance(50) ? 0 : dice.roll(1, 40), 0, 0};
    // Lines that begin at their own times, and, sometimes, PEs of a line that do.
    const bool own_time = dice.chance(plan.phases.empty() ? 10 : 40);
    (rows == dice.chance(15) ? phase.wait_x : phase.wait_y) = own_time ? dice.roll(1, 5) : 0;
    plan.phases.push_back(phase);
    if (dice.chance(85)) rows = !rows;
  }
  return plan;
}

Setting setting_of(std::uint64_t seed) {
  Dice dice(mixed(seed));
  const Course plan = random_course(dice);
  Layout layout(plan.width, plan.height);
  for (int y = 0; y < plan.height; ++y)
    for (int x = 0; x < plan.width; ++x) layout.place({x, y, 1, 1}, Writer(plan, x, y).write());
  for (const bool rows : {false, true})
    for (const int sender : {0, 1}) route(layout, plan, rows, sender);
  Machine machine;
  if (dice.chance(30)) {
    machine = random_machine_for_lines(dice);
    machine.pe_memory_bytes = Machine{}.pe_memory_bytes;
  }
  int each = 0;
  for (const Phase& phase : plan.phases) each += kStreams * phase.words;
  std::vector<std::uint32_t> words;
  for (int i = 0; i < plan.width * plan.height * each; ++i)
    words.push_back(static_cast<std::uint32_t>(dice.bits()));
  const auto prepare = [width = plan.width, height = plan.height, words](Fabric& fabric) {
    fabric.write({0, 0, width, height}, 0, words);
  };
  return {layout, machine, dice.roll(1, 3), dice.chance(80), prepare};
}

TEST(RandomPhasesByLine, EndAsOtherwiseOrLinesMeet) {
  const int cases = by_effort(15, 60, 120);
  const int ended = expect_same_unless_lines_meet(cases, setting_of);
  std::cout << cases << " programs, " << ended << " stepped by line to their end\n";
  EXPECT_TRUE(ended > cases / 10 || !many_cases());
}

TEST(RandomPhasesByLine, HaveThePathOfThePlainStep) {
  const int cases = by_effort(10, 40, 80);
  const int found = expect_same_paths(cases, setting_of);
  std::cout << cases << " programs, the path of " << found << " found by line\n";
  EXPECT_TRUE(found > cases / 10 || !many_cases());
}

}  // namespace
}  // namespace weft::test::by_line_phases_test
