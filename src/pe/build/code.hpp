#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "pe/code.hpp"

/// From the tables of instructions. For the host only.
namespace weft::pe {

/// `alone`: as Code::alone. A lower number is right too, and no cycle may be 2^30 away.
inline Code code_of(const Instruction& i, std::uint32_t alone) {
  using isa::Format, isa::OperandKind, isa::Scope;
  const Format format = isa::format_of(i.op);
  const isa::FormatInfo& row = isa::info(format);
  const isa::Cost cost = isa::cost_of(i.op);
  const bool immediate = format == Format::reg_imm || format == Format::reg_reg_imm;
  Code code{i, std::min(alone, 1U << 29U), format, cost, 0, 0, 0};
  const auto set = [&code](Is what, bool yes) {
    if (yes) code.is = static_cast<std::uint8_t>(code.is | static_cast<unsigned>(what));
  };
  set(Is::computing, computes(format));
  set(Is::immediate, immediate);
  set(Is::fp32, cost == isa::Cost::scalar_f32);
  set(Is::own, row.scope != Scope::others);
  set(Is::registers, row.scope == Scope::registers);
  set(Is::vector, isa::is_vector(format));
  set(Is::scaled, row.b == OperandKind::scalar);
  const OperandKind operands[] = {row.d, row.a, row.b};
  for (int k = 0; k < 3; ++k) {
    if (operands[k] == OperandKind::dsr) code.descriptors |= 1U << k & 7U;
    if (isa::widths_of(cost).bytes[k] == 2) code.halves |= 1U << k & 7U;
  }
  return code;
}

inline std::vector<Code> codes_of(std::span<const Instruction> code,
                                  std::span<const std::uint32_t> alone) {
  std::vector<Code> codes;
  codes.reserve(code.size());
  for (std::size_t n = 0; n < code.size(); ++n) codes.push_back(code_of(code[n], alone[n]));
  return codes;
}

}  // namespace weft::pe
