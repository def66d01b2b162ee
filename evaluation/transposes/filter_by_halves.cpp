// Broadcast and filter, by halves (halves.hpp): on a level, each sender sends one stream with its
// numbers for all PEs of the other half. Routers offer the streams to all these PEs, and filters
// let each number in where it is meant to go.
//
// All streams of a level have one length, so the filters' limits stay as they are at launch. And
// streams follow one another without a gap, because no core gives a turn: the control wavelet at
// the end of a stream opens the sender's router for the one behind it, and that of the last stream
// takes all routers back.
//
// A PE needs a filter for each level. Where it has too few, the last levels are those of
// point_to_point.cpp, which take little time there. The last level has one sender and one receiver,
// and no need of a filter.

#include <algorithm>

#include "evaluation/transposes/halves.hpp"

namespace weft::transposes {
namespace {

constexpr Dsr kStreamFrom{2}, kStreamTo{3}, kEndFrom{4}, kEndTo{5};

LevelControls stream_end(const Level& level) {
  ControlWavelet word;
  word.slots[0].command =
      level.farthest() ? ControlWavelet::Command::reset : ControlWavelet::Command::advance;
  return {word.payload(), 0};
}

void emit_stream(const HalvesProgram& t, const Level& level, int then) {
  ProgramBuilder& p = t.p;
  const int words = t.line.words, length = level.half * words;
  emit_take_numbers(t, level, then);
  // The number for the farthest PE is the first.
  const int first = level.left ? (level.middle() + level.half) * words - 1 : level.first * words;
  set_words(p, kStreamFrom, t.numbers, first, length, level.left ? -1 : 1);
  p.dfabout(kStreamTo, level.out_queue, level.out);
  set_control(t, kEndFrom, level, 0);
  p.dfabout(kEndTo, level.out_queue, level.out, true);
  p.vmov32(kStreamTo, kStreamFrom);
  p.vmov32(kEndTo, kEndFrom);
  p.end();
}

constexpr LevelCode kStreams{stream_end, emit_stream};
constexpr LevelRules kStreamRules{PopMode::no_pop, PopMode::no_pop, true};

}  // namespace

LineProgram build_filter_by_halves(const Line& line) {
  LineProgram made{Layout(line.n, line.rows), kRoom};
  const int levels = levels_of(line.n), with_filters = std::min(levels - 1, line.filters);
  std::vector<int> order;  // neighbours first
  for (int number = levels - 1; number >= 0; --number) {
    lay_out_level(made, line, number, number < with_filters ? kStreamRules : kDirectRules);
    order.push_back(number);
  }
  place_halves(made, line, order, true, [with_filters](int number) -> const LevelCode& {
    return number < with_filters ? kStreams : kDirect;
  });
  return made;
}

}  // namespace weft::transposes
