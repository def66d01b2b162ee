// Each number goes straight to its PE, and to no other core, by routes that are set for it.
//
// By halves (halves.hpp). On a level, the senders of a half send to one receiver at a time: first
// to the one beside the middle, each its one number, then to the next. After its number each sender
// lets pass what those behind it send to the same receiver, by a control wavelet that advances its
// own router only. (The router removes the advance from what it passes on.) The farthest sender's
// control wavelet goes all the way: it resets the routers of the other senders, which then send to
// the next receiver. The sender beside the middle removes the reset, so that an advance is left for
// the receivers: the one that has its numbers lets pass what comes from now on. At the end a reset
// is left for them.
//
// So each link carries what must cross it, and a control wavelet for each number. Routers are set
// by wavelets only: a core's write would take longer than a number does. A core has as long as all
// others of its half take to send until its next turn, for the two instructions of a number.

#include "evaluation/transposes/halves.hpp"

namespace weft::transposes {
namespace {

using Command = ControlWavelet::Command;

constexpr Reg kRounds{1};
constexpr Dsr kSendFrom{2}, kSendTo{3}, kControlFrom{4}, kControlTo{5};

LevelControls controls(const Level& level) {
  ControlWavelet word, last;
  word.slots[0].command = last.slots[0].command =
      level.farthest() ? Command::reset : Command::advance;
  if (level.farthest()) {
    word.slots[1].command = Command::advance;
    last.slots[1].command = Command::reset;
  }
  return {word.payload(), last.payload()};
}

void emit(const HalvesProgram& t, const Level& level, int then) {
  ProgramBuilder& p = t.p;
  const int words = t.line.words;
  emit_take_numbers(t, level, then);
  // From the receiver beside the middle on; to the right with the words in reverse.
  const int first = level.left ? (level.middle() + 1) * words - 1 : (level.middle() - 1) * words;
  set_words(p, kSendFrom, t.numbers, first, words, level.left ? -1 : 1);
  p.dfabout(kSendTo, level.out_queue, level.out);
  if (level.half == 1) {
    p.vmov32(kSendTo, kSendFrom);
    p.end();
    return;
  }
  set_control(t, kControlFrom, level, 0);
  p.dfabout(kControlTo, level.out_queue, level.out, true);
  p.li(kRounds, level.half - 1);
  const Label again = p.label();
  p.place(again);
  p.vmov32(kSendTo, kSendFrom);
  p.vmov32(kControlTo, kControlFrom);
  p.dadd(kSendFrom, kZero, 4 * (level.left ? words : -words));
  p.addi(kRounds, kRounds, -1);
  p.bne(kRounds, kZero, again);
  set_control(t, kControlFrom, level, 1);
  p.vmov32(kSendTo, kSendFrom);
  p.vmov32(kControlTo, kControlFrom);
  p.end();
}

}  // namespace

const LevelRules kDirectRules{PopMode::pop_on_advance, PopMode::always_pop, false};
const LevelCode kDirect{controls, emit};

LineProgram build_point_to_point(const Line& line) {
  LineProgram made{Layout(line.n, line.rows), kRoom};
  std::vector<int> order;  // neighbours first
  for (int number = levels_of(line.n) - 1; number >= 0; --number) {
    lay_out_level(made, line, number, kDirectRules);
    order.push_back(number);
  }
  place_halves(made, line, order, true, [](int) -> const LevelCode& { return kDirect; });
  return made;
}

}  // namespace weft::transposes
