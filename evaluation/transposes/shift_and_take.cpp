// Shift and take: numbers go from core to core along the row, in both directions at once. Each PE
// first sends all its own numbers for the PEs on a side, the nearest one's first. Then it takes its
// number from the start of each stream that comes, and passes on the rest, which is shorter by one
// number. An open row does with half of the hops of a ring, and its streams end where they are
// empty.
//
// The rest of a stream goes through a FIFO in memory. One microthread fills it, stream by stream;
// another empties it, in one instruction for all streams. So a stream goes on while it still comes,
// and a PE that turns to its next stream holds up neither the one before it nor the one after it.
// Both directions share the ramp of a core.

#include <fmt/format.h>

#include <array>
#include <string>

#include "evaluation/transposes/line_program.hpp"
#include "patterns/place.hpp"
#include "weft/design.hpp"
#include "weft/error.hpp"

namespace weft::transposes {
namespace {

constexpr int kStreamsInFifo = 4;  ///< the longest of them

/// One direction in the program of a PE.
struct Direction {
  const char* name;
  ColorPair color;
  int streams;  ///< that come
  int after;    ///< PEs that they go on to
  int step;     ///< from a PE to the one before it in the direction: -1 or 1
  int in_queue, out_queue;
  Dsr push, coming, pop, going;
  int pass_task;  ///< local task
};

/// A PE of the line.
struct ShiftPe {
  const Line& line;
  int pe;
  PeVector numbers, room, done;
  PeScalar left;  ///< chains of instructions that are not done
};

/// The task that ends a chain.
Task end_of(PeProgram& pe, const ShiftPe& place, const std::string& chain) {
  return pe.task(chain + " ends", [&] {
    pe.add(place.left, place.left, -1);
    pe.when(place.left == 0, [&] {
      const PeScalar now = pe.scalar<std::uint32_t>("clock " + chain);
      pe.tsc(now);
      pe.store(place.done, now);
    });
  });
}

VectorOptions then(Task task) {
  return {.async = true, .at_end = VectorOptions::AtEnd::activate, .task_id = task.id};
}

/// Takes the PE's number of each stream that comes, and puts the rest into the FIFO.
void write_taking(PeProgram& pe, const ShiftPe& place, const Direction& d) {
  const std::string name = d.name;
  const int words = place.line.words, at = words * (place.pe + d.step);
  const PeScalar moved = pe.scalar<std::int32_t>(name + " moved");
  const PeScalar coming = pe.scalar<std::int32_t>(name + " coming");
  pe.set(moved, 0);
  pe.set(coming, d.streams);
  pe.dfabin(d.coming, d.in_queue);
  pe.dlen(d.coming, words * d.after);
  // To the west, streams have words in reverse.
  const PeVector to =
      d.step < 0 ? place.room.slice(at, words) : place.room.slice(at + words - 1, words, -1);
  // Each of the two tasks activates the other, so one has a number that is known before.
  const Task pass{TaskKind::local, static_cast<std::uint8_t>(d.pass_task)};
  const Task take = pe.task(name + " take", [&] {
    pe.receive(to.moved_by_bytes(moved), d.color.odd).then_activate(pass);
    pe.add(moved, moved, 4 * d.step * words);
    pe.add(coming, coming, -1);
  });
  const Task end = end_of(pe, place, name + " taking");
  const auto go_on = [&](Task task) {
    if (d.after > 0)
      pe.vmov32(d.push, d.coming, then(task));
    else
      pe.activate(task);
  };
  pe.task(
      name + " pass",
      [&] {
        pe.when(
            coming == 0, [&] { go_on(end); }, [&] { go_on(take); });
      },
      d.pass_task);
  pe.activate(take);
}

/// Sends the PE's own stream, and then all that is put into the FIFO.
void write_sending(PeProgram& pe, const ShiftPe& place, const Direction& d) {
  const std::string name = d.name;
  const int words = place.line.words;
  const PeVector own = d.step < 0 ? place.numbers.slice(words * (place.pe + 1), words * d.after)
                                  : place.numbers.slice(words * place.pe - 1, words * d.after, -1);
  const Task end = end_of(pe, place, name + " sending");
  if (d.streams == 0) {
    pe.send(d.color.even, own).then_activate(end);
    return;
  }
  const FifoId fifo =
      pe.fifo(name + " FIFO", static_cast<std::uint32_t>(kStreamsInFifo * place.line.size()));
  pe.dfifo(d.push, fifo);
  pe.dfifo(d.pop, fifo);
  pe.dlen(d.pop, words * d.after * d.streams);
  pe.dfabout(d.going, d.out_queue, d.color.even);
  const Task all = pe.task(name + " all", [&] { pe.vmov32(d.going, d.pop, then(end)); });
  pe.send(d.color.even, own).then_activate(all);
}

void write_text(PeProgram& pe, const Line& line, int number,
                const std::array<ColorPair, 2>& colors) {
  const ShiftPe place{line,
                      number,
                      pe.array<std::uint32_t>(kNumbers, line.size()),
                      pe.array<std::uint32_t>(kRoom, line.size()),
                      pe.array<std::uint32_t>(kDone, 1),
                      pe.scalar<std::int32_t>("left")};
  const int before = number, after = line.n - 1 - number;
  const std::array<Direction, 2> directions = {
      Direction{"east", colors[0], before, after, -1, 0, 2, {12}, {13}, {14}, {15}, 20},
      Direction{"west", colors[1], after, before, 1, 1, 3, {8}, {9}, {10}, {11}, 21}};
  int chains = 0;
  for (const Direction& d : directions) chains += (d.streams > 0 ? 1 : 0) + (d.after > 0 ? 1 : 0);
  pe.set(place.left, chains);
  for (const Direction& d : directions) {
    if (d.streams > 0) pe.input_queue(d.color.odd, d.in_queue);
    if (d.after > 0) pe.output_queue(d.color.even, d.out_queue);
    if (d.after > 0) write_sending(pe, place, d);
    if (d.streams > 0) write_taking(pe, place, d);
  }
  pe.copy(place.room.slice(line.words * number, line.words),
          place.numbers.slice(line.words * number, line.words));
}

}  // namespace

LineProgram build_shift_and_take(const Line& line) {
  constexpr int kLongest = 65535;  // of an instruction
  if (const int most = line.n / 2 * (line.n / 2 - 1) * line.words; most > kLongest)
    throw Error(
        ErrorCategory::usage, fmt::format("no shift and take on {} PEs", line.n),
        fmt::format("one instruction would pass on {} wavelets, of {} at most", most, kLongest),
        "choose a smaller n");
  Design design(line.n, line.rows);
  const std::array<ColorPair, 2> colors = {design.color_pair("east"), design.color_pair("west")};
  patterns::route_shift(design, design.all(), Port::east, colors[0]);
  patterns::route_shift(design, design.all(), Port::west, colors[1]);
  design.program(design.all(), "shift and take", [&](PeProgram& pe) {
    write_text(pe, line, pe.pick([](int x, int) { return x; }), colors);
  });
  return {design.layout(), kRoom};
}

}  // namespace weft::transposes
