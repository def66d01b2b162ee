#pragma once

#include "by_line/geometry.hpp"
#include "isa/table.hpp"
#include "model/core/group.hpp"
#include "model/core/memory.hpp"
#include "model/lanes/lane_vectors.hpp"

/// Instructions after which lines that one lane stands for (equal_lines.hpp) would no longer be
/// equal: its strip stops before them. And one that is executed, though lines differ there.
namespace weft::by_line {

/// Whether the instruction finds or changes something else in each of a lane's lines.
WEFT_INLINE bool makes_unequal(const Bundle& b, const Instruction& i) {
  switch (isa::format_of(i.op)) {
    case isa::Format::place:
      return (i.op == Op::ycoord) == b.rows;
    case isa::Format::router:
      return (b.across >> i.a & 1U) != 0;
    default:
      return false;
  }
}

/// Some core of the strip is to execute such an instruction in this cycle.
static WEFT_INLINE bool makes_unequal_now(const View& v, int strip, std::uint64_t now) {
  const CoreState& core = v.core[strip];
  if (core.next_issue > now) return false;
  return where(due(in_code(core), core.deadline, now),
               [&](int lane) { return makes_unequal(*v.bundle, v.code[core.pc.at[lane]]); }) != 0;
}

/// A core may write whole words in which its lines differ: then they do no more. They are not read
/// again, as that is a fault here. Returns whether it was done.
WEFT_OWN bool write_word(Group& g, const Instruction& i) {
  const View& v = g.v;
  const std::uint64_t alike = v.timing.memory_bytes / 4, words = v.memory_words;
  const Vector& base = g.core.reg[i.a];
  const int lead = lowest(g.lanes);
  const std::uint32_t address = base.at[lead] + static_cast<std::uint32_t>(i.imm);
  const std::uint64_t word = address / 4;
  if (word < alike || word >= words || address % 4 != 0) return false;
  if (equal(g.lanes, base.at, base.at[lead]) != g.lanes) return false;
  copy(g.lanes, memory_row(memory_of(v, g.at), address / 4), g.core.reg[i.d].at);
  const std::uint64_t strip = static_cast<std::uint64_t>(g.at.index);
  v.bundle->written[strip * (words - alike) + word - alike] |= g.lanes;
  g.next = g.pc + 1;
  g.cost = v.timing.scalar;
  return true;
}

/// The hooks `Base`, where a lane may stand for several lines.
template <class Base>
struct StandsForLines : Base {
  WEFT_INLINE static bool may_step_cores(const View& v, const Place& at, std::uint64_t now) {
    const bool stepped = v.bundle->stepped_until[at.index] > now;
    if (!Base::may_step(v, at, now)) return false;
    if (v.bundle->stands_for == nullptr || !makes_unequal_now(v, at.index, now)) return true;
    Base::stop(v, at, stepped, now);
    *v.bundle->unequal = true;
    return false;
  }
  template <class L>
  WEFT_INLINE static bool executes_early(Group& g) {
    if (g.v.bundle->stands_for != nullptr && makes_unequal(*g.v.bundle, g.v.code[g.pc]))
      return false;
    return Base::template executes_early<L>(g);
  }
  WEFT_INLINE static bool executes(Group& g) {
    const Instruction& i = g.v.code[g.pc];
    return g.v.bundle->stands_for != nullptr && i.op == Op::sw && write_word(g, i);
  }
  /// Too late to stop: the core came to it in this cycle.
  WEFT_INLINE static void issues(const View& v, std::uint32_t pc, std::uint64_t now) {
    if (v.bundle->stands_for != nullptr && makes_unequal(*v.bundle, v.code[pc])) give_up(v, now);
  }
};

}  // namespace weft::by_line
