#pragma once

#include <cstddef>

#include "model/core/start_together.hpp"
#include "model/core/vector_operands.hpp"
#include "model/hooks.hpp"
#include "model/lanes/loops.hpp"

/// Vector instructions: over memory at once, with fabric operands as microthreads.
namespace weft::model {

/// One operand of a sweep, for all lanes alike.
struct Cursor {
  std::uint32_t* words =
      nullptr;                ///< lane vector that holds the first byte of memory, or a register
  std::uint32_t address = 0;  ///< byte address of the element, 0 for a register
  std::uint32_t step = 0;     ///< bytes to the next of its row, negative ones as 2^32 less
  std::uint32_t bytes = 4;
  const ShapeState* shape = nullptr;  ///< of several dimensions; null: all elements are one row
  std::uint32_t base = 0;             ///< address of its element 0

  /// Elements of a row, from element k on.
  WEFT_INLINE std::uint32_t row_from(std::uint32_t k) const {
    return shape == nullptr ? kMostElements : shape->row() - k % shape->row();
  }
  /// On by `count` elements, of one row, to element k.
  WEFT_INLINE void move_to(std::uint32_t k, std::uint32_t count) {
    address = shape == nullptr ? address + count * step : base + bytes * shape_offset(*shape, k);
  }
  /// Words of memory to the next element, of a row of words.
  WEFT_INLINE std::int32_t stride() const { return static_cast<std::int32_t>(step) / 4; }
  WEFT_INLINE std::uint32_t* row() const { return memory_row(words, address / 4); }
};

/// A vector instruction over memory in one lane, or in lanes that have the same descriptors.
struct Sweep {
  std::uint32_t n = 0;  ///< elements
  Cursor c[3];
  isa::Widths widths{};
  FaultKind fault = FaultKind::none;
  std::int64_t detail = 0;  ///< of the fault
};

/// `lead`: the lane whose descriptors are read.
WEFT_INLINE Sweep plan_sweep(const Group& g, const Instruction& i, const VectorOperands& o,
                             int lead) {
  CoreState& core = g.core;
  Sweep s;
  s.widths = isa::widths_of(isa::cost_of(i.op));
  s.n = core.length[o.length_from].at[lead];
  if (s.n == 0) return s;
  if (s.n > kMostElements) {
    s.fault = FaultKind::bad_length;
    s.detail = s.n;
    return s;
  }
  std::uint32_t* const memory = memory_of(g.v, g.at);
  for (int k = 0; k < 3; ++k) {
    const VectorOperand operand = o.at[k];
    if (operand.kind != Operand::memory) {
      s.c[k] =
          operand.kind == Operand::scalar ? Cursor{.words = core.reg[operand.index].at} : s.c[0];
      continue;
    }
    const std::uint32_t bytes = s.widths.bytes[k];
    const std::uint32_t base = core.base[operand.index].at[lead];
    const std::uint32_t stride = stride_of(g.v, core, operand.index, lead);
    const ShapeState* shape = has(core.shaped_dsr[operand.index], lead)
                                  ? g.v.shapes + Operand::number(core.where[operand.index].at[lead])
                                  : nullptr;
    s.fault = shape != nullptr ? shape_fault(g.v, base, *shape, s.n, bytes, s.detail)
                               : vector_fault(g.v, base, stride, s.n, bytes, s.detail);
    if (s.fault != FaultKind::none) return s;
    s.c[k] = {memory, base, stride * bytes, bytes, shape, base};
  }
  return s;
}

/// Some elements in order, of one row of each operand, some of which are parts of words.
template <class F>
WEFT_INLINE void sweep_parts(Mask lanes, std::uint32_t n, const Cursor (&c)[3], F f) {
  std::uint32_t at[3] = {c[0].address, c[1].address, c[2].address};
  for (; n != 0; --n) {
    const auto part = [&](int k) { return WordPart::at(at[k], c[k].bytes); };
    const auto row = [&](int k) { return memory_row(c[k].words, at[k] / 4); };
    const WordPart d = part(0), a = part(1), b = part(2);
    map(lanes, row(0), row(1), row(2), [=](auto x, auto y, auto z) -> decltype(f(x, y, z)) {
      return d.put(x, f(d.get(x), a.get(y), b.get(z)));
    });
    for (int k = 0; k < 3; ++k) at[k] += c[k].step;
  }
}

/// Elements in order, in lanes that have the descriptors of the plan.
template <class F>
WEFT_INLINE void run_sweep(const Group& g, Mask lanes, Sweep s, F f) {
  if (!g.v.data) return;
  const std::uint32_t* bytes = s.widths.bytes;
  const bool words = bytes[0] == 4 && bytes[1] == 4 && bytes[2] == 4;
  for (std::uint32_t k = 0; k < s.n;) {
    std::uint32_t count = s.n - k;
    for (const Cursor& cursor : s.c)
      if (const std::uint32_t row = cursor.row_from(k); row < count) count = row;
    if (words)
      sweep(lanes, count, s.c[0].row(), s.c[0].stride(), s.c[1].row(), s.c[1].stride(),
            s.c[2].row(), s.c[2].stride(), f);
    else
      sweep_parts(lanes, count, s.c, f);
    k += count;
    for (Cursor& cursor : s.c) cursor.move_to(k, count);
  }
}

template <class L>
WEFT_INLINE void halt_sweep(const Group& g, int lane, const Sweep& s) {
  halt<L>(g.v, g.at, g.core, lane, s.fault, g.time(lane), -1, s.detail, g.pc);
}

/// Lanes with the same descriptors.
template <class L, class F>
[[gnu::noinline]] void sweep_alike(Group& g, const Instruction& i, const VectorOperands& o, F f) {
  const int lead = lowest(g.lanes);
  const Sweep s = plan_sweep(g, i, o, lead);
  g.cost = vector_cycles(g.v, g.core, o, i, lead, s.n);
  if (s.fault != FaultKind::none) {
    for_each(g.lanes, [&](int lane) { halt_sweep<L>(g, lane, s); });
    g.lanes = 0;
    return;
  }
  run_sweep(g, g.lanes, s, f);
}

/// Lanes with descriptors of their own, which part.
template <class L, class F>
[[gnu::noinline]] void sweep_apart(Group& g, const Instruction& i, const VectorOperands& o, F f) {
  const Mask bad = where(g.lanes, [&](int lane) {
    const Sweep s = plan_sweep(g, i, o, lane);
    if (s.fault != FaultKind::none) return true;
    run_sweep(g, lane_bit(lane), s, f);
    schedule_issue(g.v, g.core, lane, g.pc + 1,
                   g.time(lane) + vector_cycles(g.v, g.core, o, i, lane, s.n));
    return false;
  });
  for_each(bad, [&](int lane) { halt_sweep<L>(g, lane, plan_sweep(g, i, o, lane)); });
  g.lanes = 0;
}

/// A vector instruction of the group. Lanes that part go on by themselves.
template <class L, class F>
[[gnu::noinline]] void run_vector(Group& g, const Instruction& instruction, const VectorOperands& o,
                                  F f) {
  CoreState& core = g.core;
  if (const Mask fabric = g.lanes & fabric_lanes(core, o); fabric != 0) {
    if (fabric == g.lanes && L::Hooks::template start_microthreads<L>(g, o, instruction)) return;
    Mask started = 0, rest = fabric;
    while (!few(rest)) {
      const Mask alike = starts_alike(core, o, rest);
      if (few(alike)) break;
      if (start_together<L>(g, o, alike, instruction)) started |= alike;
      rest &= ~alike;
    }
    started |= where(rest, [&](int lane) { return start_microthread<L>(g, o, lane, instruction); });
    g.lanes &= ~fabric;
    if (g.lanes == 0) {
      g.lanes = started;
      g.cost = g.v.timing.scalar;
      return;
    }
    for_each(started, [&](int lane) {
      schedule_issue(g.v, core, lane, g.pc + 1, g.time(lane) + g.v.timing.scalar);
    });
  }
  if (same_shape(core, o, g.lanes)) return sweep_alike<L>(g, instruction, o, f);
  sweep_apart<L>(g, instruction, o, f);
}

}  // namespace weft::model
