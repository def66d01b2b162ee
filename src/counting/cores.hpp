#pragma once

#include "counting/instructions.hpp"
#include "counting/lacks.hpp"
#include "counting/lines.hpp"
#include "counting/phases.hpp"
#include "counting/together.hpp"
#include "model/core/vector_operands.hpp"

/// The states of cores. What a core waits for is found in each visit to its strip, and stays so
/// until the next one.
namespace weft::counting {

/// Lanes that compute, as the core is, but for those that execute in this cycle.
WEFT_INLINE Mask computing(const StripCounts& s, const CoreState& core) {
  return core.running & (~core.waiting | s.starting);
}

/// What cores have waited for since the last visit is counted up to this cycle.
template <class L>
WEFT_INLINE void count_waits(const View& v, int strip, std::uint64_t now) {
  StripCounts& s = v.counts->strip[strip];
  if (s.settled >= now) return;
  const auto waited = [&](Mask lanes, Count what) {
    if (lanes == 0) return;
    if constexpr (kByLine<L>) {
      counts_at<L>(v, strip, have_own_clocks(v) ? now : s.settled);
      if (lanes == v.counts->all_lanes) return count_cycles_alike(v, strip, what, s.settled, now);
    }
    add_cycles<L>(v, strip, lanes, of(s, what), s.sum[static_cast<int>(what)], series_of(what),
                  s.settled, now);
  };
  waited(s.data, Count::waits_data);
  waited(s.room, Count::waits_room);
  s.settled = now;
}

/// Step 3 of a strip begins.
template <class L>
WEFT_INLINE void begin_visit(const View& v, int strip, const CoreState& core, std::uint64_t now) {
  count_waits<L>(v, strip, now);
  StripCounts& s = counts_at<L>(v, strip, now);
  if (s.starting != 0 && s.soonest <= now) {
    s.starting &= ~due(s.starting, s.until, now);
    s.soonest = s.starting == 0 ? kNever : least(s.starting, s.until);
  }
  s.computes = computing(s, core);
  s.waited = core.waiting;
  s.moved = s.lacks_data = s.lacks_room = 0;
}

/// Step 3 of a strip ends; its cores are looked at again in cycle `wake`.
template <class L>
WEFT_INLINE void end_visit(const View& v, int strip, const CoreState& core, std::uint64_t now,
                           std::uint64_t wake) {
  note_streams(v, strip, core);
  StripCounts& s = v.counts->strip[strip];
  const Mask moving = s.moved & ~s.computes, rest = ~s.moved & ~s.computes;
  count<L>(v, strip, Count::moving, moving);
  count<L>(v, strip, Count::waits_data, s.lacks_data & rest);
  count<L>(v, strip, Count::waits_room, s.lacks_room & ~s.lacks_data & rest);
  s.settled = now + 1;
  s.data = s.room = 0;
  if (wake <= now + 1 || core.live == 0) return;
  const Lacks lacks = lacks_of_all(v, core);
  s.data = lacks.data & ~computing(s, core);
  s.room = lacks.room & ~lacks.data & ~computing(s, core);
}

/// A lane's task had the cycles up to `end`.
WEFT_INLINE void end_task_cycles(const View& v, int strip, int lane, std::uint64_t end) {
  StripCounts& s = v.counts->strip[strip];
  if (has_phases(v))
    note_last(v, strip, lane, v.counts->phases.strip[strip].phase.at[lane], end - 1);
  end_instruction(v, s, lane, end);
  end_line(v, s, lane, end);
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
  bool together = false;
  if constexpr (kByLine<L>) together = come_together(g);
  if (!together) come_to_phase<L>(g.v, g.at.index, g.lanes, g.pc, g.now);
  const Instruction& i = g.v.code[g.pc];
  const isa::Format format = isa::format_of(i.op);
  if (isa::is_vector(format)) {
    const Mask with_queue = streams(g, operands_of(format, i));
    count<L>(g.v, g.at.index, Count::streams, with_queue);
    count<L>(g.v, g.at.index, Count::vectors, g.lanes & ~with_queue);
  } else {
    count<L>(g.v, g.at.index, class_of(i.op), g.lanes);
  }
  if (together) return;
  const std::uint32_t line = line_at(g.v, g.v.counts->strip[g.at.index], lowest(g.lanes), g.pc);
  if (!come_to_instruction(g, line)) come_to_line(g, line);
  if constexpr (kByLine<L>) join_again(g);
}

}  // namespace weft::counting
