// Each number goes straight to its PE, and one PE after the other sends, as a program of messages
// would have it. A direction has one color.
//
// The routers beyond the sender begin with {behind -> ramp}. It sends the nearest PE its number,
// and then a control wavelet that advances that PE's router to {behind -> ahead}: the next number
// goes to the next PE. At the end a reset takes all routers back, and the last control wavelet
// starts the turn of the next PE, whose core writes {ramp -> ahead} into its router.
//
// A number takes two instructions, because data and control wavelets are of different descriptors.

#include <array>
#include <string>

#include "evaluation/transposes/line_program.hpp"

namespace weft::transposes {
namespace {

using Command = ControlWavelet::Command;

constexpr Reg kNil{15}, kLeft{1}, kMessages{2}, kValue{3};
constexpr const char* kSymbol[] = {"controls east", "controls west"};

/// One direction, at a PE.
struct Turn {
  int color;  ///< also the number of its queues and descriptors
  Port ahead;
  int before, after;  ///< PEs
  int sign;           ///< of the way through memory
  MemorySpan controls;

  Dsr dsr(int k) const { return {static_cast<std::uint8_t>(6 * color + k)}; }
};

/// An advance for the receiver, the reset, and the wavelet that gives the turn to the next PE.
std::vector<std::uint32_t> controls_of(int color) {
  ControlWavelet advance, reset, turn;
  advance.slots[0].command = Command::advance;
  reset.slots[0].command = Command::reset;
  turn.slots[0] = {Command::advance, false};
  turn.entry = color;
  return {advance.payload(), reset.payload(), turn.payload()};
}

void set_words(ProgramBuilder& p, Dsr d, std::uint32_t address, int length, int stride) {
  p.dbase(d, static_cast<int>(address));
  p.dlen(d, length);
  p.dstride(d, stride);
}

/// The numbers that a PE sends in its turn, to `after` PEs.
void emit_messages(ProgramBuilder& p, const Line& line, const Turn& t, const MemorySpan& numbers,
                   int pe) {
  const int words = line.words;
  const Dsr from = t.dsr(0), to = t.dsr(1), control = t.dsr(2), control_to = t.dsr(3);
  const int first = t.sign > 0 ? (pe + 1) * words : pe * words - 1;
  set_words(p, from, numbers.address + 4 * static_cast<std::uint32_t>(first), words, t.sign);
  p.dfabout(to, 2 + t.color, t.color);
  set_words(p, control, t.controls.address, 1, 1);
  p.dfabout(control_to, 2 + t.color, t.color, true);
  if (t.after > 1) {
    p.li(kMessages, t.after - 1);
    const Label again = p.label();
    p.place(again);
    p.vmov32(to, from);
    p.vmov32(control_to, control);
    p.dadd(from, kNil, 4 * t.sign * words);
    p.addi(kMessages, kMessages, -1);
    p.bne(kMessages, kNil, again);
  }
  p.vmov32(to, from);
  set_words(p, control, t.controls.address + 4, 2, 1);
  p.vmov32(control_to, control);
}

void emit_end(ProgramBuilder& p, const MemorySpan& done) {
  const Label more = p.label();
  p.addi(kLeft, kLeft, -1);
  p.bne(kLeft, kNil, more);
  p.tsc(kValue);
  p.sw(kValue, kNil, static_cast<int>(done.address));
  p.place(more);
  p.end();
}

std::int32_t bits_of(PortSet rx, PortSet tx) { return rx.bits() << 5 | tx.bits(); }

Program build_pe(const Line& line, int pe) {
  const auto bytes = static_cast<std::uint32_t>(4 * line.size());
  const int words = line.words;
  ProgramBuilder p("in turn " + std::to_string(pe));
  const MemorySpan numbers = p.reserve(kNumbers, bytes, ElementType::u32);
  const MemorySpan room = p.reserve(kRoom, bytes, ElementType::u32);
  const MemorySpan done = p.reserve<std::uint32_t>(kDone, 1);
  std::array<Turn, 2> turns = {Turn{0, Port::east, pe, line.n - 1 - pe, 1, {}},
                               Turn{1, Port::west, line.n - 1 - pe, pe, -1, {}}};
  for (Turn& t : turns) t.controls = p.reserve<std::uint32_t>(kSymbol[t.color], 3);

  p.start(p.local_task(0));
  p.li(kNil, 0);
  p.li(kLeft, 2);
  for (const Turn& t : turns) {
    if (t.before == 0) {
      p.activate({TaskKind::local, 1});
      continue;
    }
    // The senders come in order, from the end of the row on.
    const int first = t.sign > 0 ? 0 : line.size() - 1, length = t.before * words;
    set_words(p, t.dsr(4), room.address + 4 * static_cast<std::uint32_t>(first), length, t.sign);
    p.dfabin(t.dsr(5), t.color);
    p.dlen(t.dsr(5), length);
    p.vmov32(t.dsr(4), t.dsr(5),
             {.async = true,
              .at_end = VectorOptions::AtEnd::unblock,
              .task_kind = TaskKind::data,
              .task_id = static_cast<std::uint8_t>(t.color)});
  }
  for (int word = 4 * pe * words; word < 4 * (pe + 1) * words; word += 4) {
    p.lw(kValue, kNil, static_cast<int>(numbers.address) + word);
    p.sw(kValue, kNil, static_cast<int>(room.address) + word);
  }
  p.end();

  for (const Turn& t : turns) {
    if (t.before == 0) {
      p.local_task(1);
    } else {
      p.control_task(t.color);
      if (t.after > 0) {
        p.li(kValue, bits_of(Port::ramp, t.ahead));
        p.setroute(t.color, kValue);
      }
    }
    if (t.after > 0) emit_messages(p, line, t, numbers, pe);
    emit_end(p, done);
  }
  return p.build();
}

}  // namespace

LineProgram build_point_to_point_in_turn(const Line& line) {
  LineProgram made{Layout(line.n, line.rows), kRoom};
  for (int pe = 0; pe < line.n; ++pe) {
    made.layout.place(line.column(pe), build_pe(line, pe));
    for (const int color : {0, 1}) {
      const Port ahead = color == 0 ? Port::east : Port::west;
      const int order = color == 0 ? pe : line.n - 1 - pe;
      Route route{.rx = opposite(ahead), .tx = Port::ramp};
      route.input_queue = color;
      if (order == 0) route = {.rx = Port::ramp, .tx = ahead};
      if (order > 0 && order < line.n - 1) route.positions = {SwitchPosition::send(ahead)};
      made.layout.route(line.column(pe), color, route);
      made.at_launch.push_back({line.column(pe), kSymbol[color], controls_of(color)});
    }
  }
  return made;
}

}  // namespace weft::transposes
