#pragma once

#include "counting/lacks.hpp"
#include "counting/lines.hpp"
#include "model/core/vector_operands.hpp"

/// The states of cores. A core computes from one cycle to another; both are noted where they are
/// known, and counted when the next such stretch begins. What a core waits for is found in each
/// visit to its strip, and stays so until the next one.
namespace weft::counting {

/// A lane's stretch of computing is over or counted up to here.
template <class L>
WEFT_INLINE void count_computing(const View& v, int strip, int lane, std::uint64_t end) {
  StripCounts& s = v.counts->strip[strip];
  add_cycles<L>(v, strip, s.sum[static_cast<int>(Count::computing)], series_of(Count::computing),
                lane, s.since[lane], end);
}

/// These lanes compute from this cycle on.
template <class L>
WEFT_INLINE void begin_computing(const View& v, int strip, Mask lanes, std::uint64_t first) {
  StripCounts& s = v.counts->strip[strip];
  for_each(lanes & s.open, [&](int lane) { count_computing<L>(v, strip, lane, s.until[lane]); });
  fill(lanes, s.since, first);
  fill(lanes, s.until, kNever);
  s.open |= lanes;
}

/// A lane computes no longer than up to a cycle.
WEFT_INLINE void end_computing(StripCounts& s, int lane, std::uint64_t end) {
  if (end < s.until[lane]) s.until[lane] = end;
}

/// Lanes that compute, as the core is, but for those that execute in this cycle.
WEFT_INLINE Mask computing(const StripCounts& s, const CoreState& core) {
  return core.running & (~core.waiting | s.starting);
}

/// What cores have waited for since the last visit is counted up to this cycle.
template <class L>
WEFT_INLINE void count_waits(const View& v, int strip, std::uint64_t now) {
  StripCounts& s = v.counts->strip[strip];
  if (s.settled >= now) return;
  const auto count = [&](Mask lanes, Count what) {
    if (lanes != 0)
      add_cycles<L>(v, strip, lanes, of(s, what), s.sum[static_cast<int>(what)], series_of(what),
                    s.settled, now);
  };
  count(s.data, Count::waits_data);
  count(s.room, Count::waits_room);
  s.settled = now;
}

/// Step 3 of a strip begins.
template <class L>
WEFT_INLINE void begin_visit(const View& v, int strip, const CoreState& core, std::uint64_t now) {
  count_waits<L>(v, strip, now);
  StripCounts& s = counts_at<L>(v, strip, now);
  if (s.starting != 0) s.starting &= ~due(s.starting, s.until, now);
  s.computes = computing(s, core);
  s.waited = core.waiting;
  s.moved = s.lacks_data = s.lacks_room = 0;
}

/// Step 3 of a strip ends; its cores are looked at again in cycle `wake`.
template <class L>
WEFT_INLINE void end_visit(const View& v, int strip, const CoreState& core, std::uint64_t now,
                           std::uint64_t wake) {
  StripCounts& s = v.counts->strip[strip];
  const Mask moving = s.moved & ~s.computes, rest = ~s.moved & ~s.computes;
  add(of(s, Count::moving), moving);
  add(of(s, Count::waits_data), s.lacks_data & rest);
  add(of(s, Count::waits_room), s.lacks_room & ~s.lacks_data & rest);
  s.settled = now + 1;
  s.data = s.room = 0;
  if (wake <= now + 1 || core.live == 0) return;
  const Lacks lacks = lacks_of_all(v, core);
  s.data = lacks.data & ~computing(s, core);
  s.room = lacks.room & ~lacks.data & ~computing(s, core);
}

/// What an instruction that is no vector one counts as.
WEFT_INLINE Count class_of(Op op) {
  switch (isa::cost_of(op)) {
    case isa::Cost::branch:
      return Count::branches;
    case isa::Cost::router_write:
      return Count::router_writes;
    default:
      return Count::scalars;
  }
}

/// Of a group at a vector instruction, the lanes in which it has a fabric operand.
static WEFT_INLINE Mask streams(const Group& g, const VectorOperands& o) {
  Mask lanes = 0;
  for (const VectorOperand& operand : o.at) {
    if (operand.kind != Operand::memory) continue;
    lanes |= where(g.lanes & g.core.fabric_dsr[operand.index] & ~lanes, [&](int lane) {
      return Operand::kind(g.core.where[operand.index].at[lane]) != Operand::fifo;
    });
  }
  return lanes;
}

/// An instruction is issued by lanes of a group.
template <class L>
[[gnu::noinline]] void count_issue(const Group& g) {
  StripCounts& s = g.v.counts->strip[g.at.index];
  const Instruction& i = g.v.code[g.pc];
  const isa::Format format = isa::format_of(i.op);
  if (isa::is_vector(format)) {
    const Mask with_queue = streams(g, operands_of(format, i));
    add(of(s, Count::streams), with_queue);
    add(of(s, Count::vectors), g.lanes & ~with_queue);
  } else {
    add(of(s, class_of(i.op)), g.lanes);
  }
  come_to_line(g);
}

}  // namespace weft::counting
