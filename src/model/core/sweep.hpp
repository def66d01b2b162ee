#pragma once

#include "model/core/vector_operands.hpp"

/// Vector instructions over memory take all their elements at once, in a sweep.
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
  FaultKind fault = FaultKind::none;
  std::int64_t detail = 0;  ///< of the fault
};

/// `lead`: the lane whose descriptors are read.
WEFT_INLINE Sweep plan_sweep(const Group& g, const Instruction& i, const VectorOperands& o,
                             int lead) {
  CoreState& core = g.core;
  Sweep s;
  const isa::Widths widths = isa::widths_of(isa::cost_of(i.op));
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
    const std::uint32_t bytes = widths.bytes[k];
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

}  // namespace weft::model
