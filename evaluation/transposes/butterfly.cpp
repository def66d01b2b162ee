// The exchange by recursive halving: on each level (halves.hpp) a PE sends half of what it holds to
// one PE of the other half, its mirror image: the k-th from the middle on one side and on the other
// exchange. After the last level each number is with its PE.
//
// All senders of a half take turns, the one beside the middle first, and so do the receivers: a
// control wavelet behind each sender's numbers moves that sender's router on, and then the
// receiver's, which from then on lets pass what comes for those behind it. The last one takes all
// routers back.
//
// Place k of a PE holds, before level s (counted from the last level, 0), a number for the PE whose
// bits up to s are k's; the bits of k above s are those of the PE that it is from. In level s the
// numbers go whose bit s is not the PE's own, and at its new PE that bit of the place becomes the
// sender's. As partners mirror each other, that is bit s of the PE, inverted for each time that the
// number has moved; the last bit of the source that is known tells how often that was: whether it
// is odd. So the places are the blocks 0 and 3, or 1 and 2, of each four blocks of 2^s numbers, and
// descriptors of three dimensions reach them. Packing takes no time: what stays is copied while
// microthreads send and receive.

#include "evaluation/transposes/halves.hpp"

namespace weft::transposes {
namespace {

constexpr Dsr kInTo{0}, kInFrom{1}, kOutFrom{2}, kOutTo{3}, kMoveFrom{4}, kMoveTo{5}, kDoneFrom{6},
    kDoneTo{7};
constexpr int kFinishTasks = 16;  // local tasks, one for each level

LevelControls turn_end(const Level& level) {
  ControlWavelet word;
  word.slots[0].command =
      level.farthest() ? ControlWavelet::Command::reset : ControlWavelet::Command::advance;
  return {word.payload(), 0};
}

Dimension words_of(int extent, int stride) {
  return {static_cast<std::uint16_t>(extent), static_cast<std::int16_t>(stride)};
}

/// The places of which bit s is so.
void set_half(const HalvesProgram& t, Dsr d, const MemorySpan& span, const Level& level, int bit) {
  const int block = level.half * t.line.words;
  t.p.dbase(d, static_cast<int>(span.address) + 4 * bit * block);
  t.p.dshape(d, t.p.shape({words_of(t.line.n / (2 * level.half), 2 * block), words_of(block, 1)}));
}

/// The places of which bit s is so if bit s + 1 is 0, and else the other.
void set_mixed(const HalvesProgram& t, Dsr d, const MemorySpan& span, const Level& level, int bit) {
  if (level.number == 0) return set_half(t, d, span, level, bit);
  const int block = level.half * t.line.words;
  t.p.dbase(d, static_cast<int>(span.address) + 4 * bit * block);
  t.p.dshape(d, t.p.shape({words_of(t.line.n / (4 * level.half), 4 * block),
                           words_of(2, bit == 1 ? block : 3 * block), words_of(block, 1)}));
}

void emit_turn_end(const HalvesProgram& t, const Level& level) {
  if (level.half == 1) return;
  set_control(t, kDoneFrom, level, 0);
  t.p.dfabout(kDoneTo, level.out_queue, level.out, true);
  t.p.vmov32(kDoneTo, kDoneFrom);
}

void emit_exchange(const HalvesProgram& t, const Level& level, int then) {
  ProgramBuilder& p = t.p;
  const bool there = level.number % 2 == 0;  // from the numbers to the room, and back
  const MemorySpan &from = there ? t.numbers : t.room, &to = there ? t.room : t.numbers;
  const int own = level.left ? 0 : 1, other = 1 - own;
  const int from_bit = level.number == 0 ? other : other ^ level.parent;
  p.dfabin(kInFrom, level.in_queue);
  p.dlen(kInFrom, t.line.size() / 2);
  set_mixed(t, kInTo, to, level, from_bit);
  const Task next{TaskKind::local, static_cast<std::uint8_t>(then)};
  const bool first = level.order == 0;
  if (first) p.block(next);
  p.vmov32(kInTo, kInFrom, activates(then));
  set_half(t, kOutFrom, from, level, other);
  p.dfabout(kOutTo, level.out_queue, level.out);
  const int finish = kFinishTasks + level.number;
  if (first) p.vmov32(kOutTo, kOutFrom, activates(finish));
  set_half(t, kMoveFrom, from, level, own);
  set_mixed(t, kMoveTo, to, level, 1 - from_bit);
  p.vmov32(kMoveTo, kMoveFrom);
  if (!first) {  // its turn comes later
    p.vmov32(kOutTo, kOutFrom);
    emit_turn_end(t, level);
  }
  p.end();
  if (!first) return;
  p.local_task(finish, TaskPriority::high);
  emit_turn_end(t, level);
  p.unblock(next);
  p.end();
}

constexpr LevelCode kExchange{turn_end, emit_exchange};

}  // namespace

LineProgram build_butterfly(const Line& line) {
  const int levels = levels_of(line.n);
  LineProgram made{Layout(line.n, line.rows), levels % 2 == 0 ? kNumbers : kRoom};
  std::vector<int> order;
  for (int number = 0; number < levels; ++number) {
    lay_out_level(made, line, number, {});
    order.push_back(number);
  }
  place_halves(made, line, order, false, [](int) -> const LevelCode& { return kExchange; });
  return made;
}

}  // namespace weft::transposes
