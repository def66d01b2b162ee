#pragma once

#include "isa/table.hpp"
#include "model/state/programs.hpp"
#include "weft/instruction.hpp"

/// Instructions as the PE step reads them.
namespace weft::pe {

/// Its function is all that it does: a scalar, or the condition of a branch.
WEFT_HD constexpr bool computes(isa::Format format) {
  return format <= isa::Format::reg_reg_imm || format == isa::Format::branch;
}

/// Facts of an instruction.
enum class Is : std::uint8_t {
  computing = 1,   ///< as computes()
  immediate = 2,   ///< the function's last source is the immediate
  fp32 = 4,        ///< costs what scalar FP32 does
  own = 8,         ///< touches the PE's own registers, descriptors and memory only
  registers = 16,  ///< of these, no memory
  vector = 32,
  scaled = 64,  ///< a vector instruction whose last source is a register
};

/// An instruction and all that the tables of instructions say of it, so that it is one load. In
/// whole words: what is not asked for takes no instruction.
struct alignas(16) Code {
  std::uint32_t names;  ///< op, d, a, b: a byte each
  std::int32_t imm;
  std::uint32_t alone;  ///< as model::ProgramView::private_cycles
  std::uint32_t facts;  ///< format, cost, bits of Is: a byte each; of operands d, a and b a bit
                        ///< each, two times 4 bits: are descriptors; have elements of 16 bits

  WEFT_HD Op op() const { return static_cast<Op>(names & 255U); }
  WEFT_HD int d() const { return static_cast<int>(names >> 8U & 255U); }
  WEFT_HD int a() const { return static_cast<int>(names >> 16U & 255U); }
  WEFT_HD int b() const { return static_cast<int>(names >> 24U); }
  WEFT_HD isa::Format format() const { return static_cast<isa::Format>(facts & 255U); }
  WEFT_HD isa::Cost cost() const { return static_cast<isa::Cost>(facts >> 8U & 255U); }
  WEFT_HD bool has(Is what) const { return (facts >> 16U & static_cast<unsigned>(what)) != 0; }
  WEFT_HD bool is_descriptor(int k) const { return (facts >> (24 + k) & 1U) != 0; }
  WEFT_HD std::uint32_t bytes(int k) const { return (facts >> (28 + k) & 1U) != 0 ? 2 : 4; }
  /// The operand's field.
  WEFT_HD int field(int k) const { return k == 0 ? d() : k == 1 ? a() : b(); }
};
static_assert(sizeof(Code) == 16);

/// The programs of a mesh, which a run does not change.
struct ProgramView {
  const Code* code;
  const model::TaskTable* programs;
  const model::ShapeState* shapes;  ///< of all programs
};

}  // namespace weft::pe
