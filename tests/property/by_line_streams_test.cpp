// Random streams along lines, of which filters let some wavelets through: where nothing hinders
// them they stay in delay lines (by_line/delay_lines.hpp), but slow cores, streams that meet, and
// control wavelets do. Then, perhaps too early, the first line sends to the others. Not by line,
// streams go straight through strips (fast/shortcuts.hpp) where long stretches take nothing of
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include "differential/dice.hpp"
#include "differential/random_case.hpp"
#include "support/by_line.hpp"
#include "support/mesh.hpp"

namespace weft::test::by_line_streams_test {
namespace {

/// The streams of a line: one each way, from its ends.
struct Stream {
  int color, queue;
  bool on;  ///< to the east or south
};
constexpr std::array<Stream, 2> kStreams{{{3, 0, true}, {7, 1, false}}};
constexpr int kAcross = 12, kAcrossQueue = 2;  ///< color and queue from line to line

/// A fabric whose lines are rows, or columns.
struct Lines {
  bool rows;
  int length, count;

  Mesh mesh(const Machine& machine) const {
    return rows ? Mesh(length, count, machine) : Mesh(count, length, machine);
  }
  /// The PEs at a place of all lines.
  Rect across(int place) const {
    return rows ? Rect{place, 0, 1, count} : Rect{0, place, count, 1};
  }
  Rect along(int line) const { return rows ? Rect{0, line, length, 1} : Rect{line, 0, 1, length}; }
  Pe& pe(Mesh& mesh, int line, int place) const {
    return rows ? mesh.pe(place, line) : mesh.pe(line, place);
  }
  Port way(bool on) const {
    if (rows) return on ? Port::east : Port::west;
    return on ? Port::south : Port::north;
  }
};

CounterFilter random_filter(Dice& dice) {
  CounterFilter filter;
  filter.limit1 = static_cast<std::uint32_t>(dice.chance(10) ? dice.roll(0, 2) : dice.roll(3, 40));
  filter.max_counter =
      static_cast<std::uint32_t>(dice.chance(70) ? dice.roll(0, 1) : dice.roll(0, 3));
  filter.counter = static_cast<std::uint32_t>(dice.roll(0, static_cast<int>(filter.limit1)));
  filter.count_control = dice.chance(15);
  return filter;
}

/// Places whose cores get nothing of a stream.
struct Stretch {
  int first = 0, end = 0;
  bool has(int place) const { return place >= first && place < end; }
};

Stretch random_stretch(Dice& dice, int length) {
  if (length < 20 || dice.chance(40)) return {};
  const int first = dice.roll(0, length - 18);
  return {first, dice.roll(first + 17, length)};
}

void route(Mesh& mesh, Dice& dice, const Lines& lines, const Stream& stream, int place,
           const Stretch& passed) {
  const int first = stream.on ? 0 : lines.length - 1, last = lines.length - 1 - first;
  const Port out = lines.way(stream.on), in = lines.way(!stream.on);
  if (place == first) {
    mesh.route(lines.across(place), stream.color, {Port::ramp, out});
    return;
  }
  if (place != last && (passed.has(place) || dice.chance(10))) {
    mesh.route(lines.across(place), stream.color, {in, out});
    return;
  }
  Route route{in, Port::ramp};
  if (place != last) route.tx = {out, Port::ramp};
  route.input_queue = stream.queue;
  mesh.route(lines.across(place), stream.color, route);
  if (!dice.chance(4)) mesh.filter(lines.across(place), stream.color, random_filter(dice));
}

void route_across(Mesh& mesh, const Lines& lines) {
  const Port out = lines.rows ? Port::south : Port::east,
             in = lines.rows ? Port::north : Port::west;
  mesh.route(lines.along(0), kAcross, {Port::ramp, out});
  for (int line = 1; line < lines.count; ++line) {
    Route route{in, Port::ramp};
    if (line + 1 < lines.count) route.tx = {out, Port::ramp};
    route.input_queue = kAcrossQueue;
    mesh.route(lines.along(line), kAcross, route);
  }
}

/// Words, pauses and control wavelets, as all lines send them.
void send(Dice dice, Pe& pe, const Stream& stream, int own_wait) {
  int left = dice.roll(20, 70);
  if (own_wait != 0) pe.wait(own_wait);
  while (left > 0) {
    const int words = std::min(left, dice.roll(1, 40));
    pe.send(stream.queue, stream.color, counting(words, static_cast<std::uint32_t>(1000 * left)));
    left -= words;
    if (dice.chance(60)) pe.wait(dice.roll(1, 30));
    if (dice.chance(40)) {
      ControlWavelet nothing;
      pe.send_control(stream.queue, stream.color, {nothing.payload()});
    }
  }
}

Setting setting_of(std::uint64_t seed) {
  Dice dice(mixed(seed));
  const bool wide = dice.chance(8);
  const Lines lines{dice.chance(50), wide ? dice.roll(3, 24) : dice.roll(2, 150),
                    wide ? dice.roll(60, 70) : dice.roll(1, 4)};
  Machine machine;
  if (dice.chance(25)) {
    machine = random_machine_for_lines(dice);
    machine.pe_memory_bytes = Machine{}.pe_memory_bytes;
  }
  auto mesh = std::make_shared<Mesh>(lines.mesh(machine));
  for (const Stream& stream : kStreams) {
    const Stretch passed = random_stretch(dice, lines.length);
    for (int place = 0; place < lines.length; ++place)
      route(*mesh, dice, lines, stream, place, passed);
  }
  const bool both = dice.chance(70);
  const int busy = dice.chance(50) ? 0 : dice.roll(10, 400);
  // Lines that begin at their own times: what meets meets otherwise in each.
  const int own_wait = dice.chance(40) ? dice.roll(1, 9) : 0;
  const std::array<std::uint64_t, 2> words{dice.bits(), dice.bits()};
  const bool across = lines.count > 1 && dice.chance(50);
  if (across) route_across(*mesh, lines);
  const int later = dice.roll(0, 600);
  for (int place = 0; place < lines.length; ++place) {
    const bool slow = dice.chance(20);
    for (int line = 0; line < lines.count; ++line) {
      Pe& pe = lines.pe(*mesh, line, place);
      for (const Stream& stream : kStreams) pe.catch_data(stream.color);
      if (place == 0) send(Dice(words[0]), pe, kStreams[0], own_wait * line);
      if (place == lines.length - 1 && both) send(Dice(words[1]), pe, kStreams[1], 0);
      if (slow && busy != 0) pe.wait(busy);
      if (across && line == 0) pe.wait(later).send(kAcrossQueue, kAcross, counting(3));
      if (across && line > 0) pe.catch_data(kAcross);
    }
  }
  return {mesh->layout(), mesh->machine(), dice.roll(1, 3), dice.chance(80),
          [mesh](Fabric& fabric) { mesh->fill(fabric); }};
}

TEST(RandomStreamsByLine, EndAsOtherwise) {
  const int cases = by_effort(15, 30, 120);
  const int ended = expect_same_unless_lines_meet(cases, setting_of);
  std::cout << cases << " programs, " << ended << " stepped by line to their end\n";
  EXPECT_TRUE(ended > cases / 3 || !many_cases());
}

TEST(RandomStreamsByLine, HaveThePathOfThePlainStep) {
  const int cases = by_effort(10, 30, 80);
  const int found = expect_same_paths(cases, setting_of);
  std::cout << cases << " programs, the path of " << found << " found by line\n";
  EXPECT_TRUE(found > cases / 10 || !many_cases());
}

}  // namespace
}  // namespace weft::test::by_line_streams_test
