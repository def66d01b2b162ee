#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "pe/code.hpp"
#include "weft/instruction.hpp"

/// From the tables of instructions. For the host only.
namespace weft::pe {

/// `alone`: as Code::alone. A lower number is right too, and no cycle may be 2^30 away.
inline Code code_of(const Instruction& i, std::uint32_t alone) {
  using isa::Format, isa::OperandKind, isa::Scope;
  const Format format = isa::format_of(i.op);
  const isa::FormatInfo& row = isa::info(format);
  const isa::Cost cost = isa::cost_of(i.op);
  const bool immediate = format == Format::reg_imm || format == Format::reg_reg_imm;
  const auto byte = [](auto value, unsigned n) {
    return static_cast<std::uint32_t>(value) << 8U * n;
  };
  Code code{byte(i.op, 0) | byte(i.d, 1) | byte(i.a, 2) | byte(i.b, 3), i.imm,
            std::min(alone, 1U << 29U), byte(format, 0) | byte(cost, 1)};
  const auto set = [&](Is what, bool yes) {
    if (yes) code.facts |= byte(what, 2);
  };
  set(Is::computing, computes(format));
  set(Is::immediate, immediate);
  set(Is::fp32, cost == isa::Cost::scalar_f32);
  set(Is::own, row.scope != Scope::others);
  set(Is::registers, row.scope == Scope::registers);
  set(Is::vector, isa::is_vector(format));
  set(Is::scaled, row.b == OperandKind::scalar);
  const OperandKind operands[] = {row.d, row.a, row.b};
  for (unsigned k = 0; k < 3; ++k) {
    if (operands[k] == OperandKind::dsr) code.facts |= 1U << (24 + k);
    if (isa::widths_of(cost).bytes[k] == 2) code.facts |= 1U << (28 + k);
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
