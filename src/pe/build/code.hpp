#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "pe/simple.hpp"
#include "weft/instruction.hpp"

/// From the tables of instructions. For the host only.
namespace weft::pe {

/// `alone`: as Code::alone. A lower number is right too, and no cycle may be 2^30 away.
inline Code code_of(const Instruction& i, std::uint32_t alone) {
  using isa::Format, isa::OperandKind, isa::Scope;
  const Format format = isa::format_of(i.op);
  const isa::FormatInfo& row = isa::info(format);
  const isa::Cost cost = isa::cost_of(i.op);
  const bool immediate = format == Format::reg_imm || format == Format::reg_reg_imm ||
                         format == Format::load || format == Format::store;
  const int simple = simple_row(i.op);
  const auto at = [](auto value, unsigned bit) { return static_cast<std::uint32_t>(value) << bit; };
  Code code{at(i.op, 0) | at(i.d, 8) | at(i.a, 16) | at(i.b, 24), i.imm, std::min(alone, 1U << 29U),
            at(format, 0) | at(cost, Code::kCost)};
  const auto set = [&](Is what, bool yes) {
    if (yes) code.facts |= at(what, Code::kIs);
  };
  set(Is::computing, computes(format));
  set(Is::immediate, immediate);
  set(Is::fp32, cost == isa::Cost::scalar_f32);
  set(Is::own, row.scope != Scope::others);
  set(Is::registers, row.scope == Scope::registers);
  set(Is::vector, isa::is_vector(format));
  set(Is::scaled, row.b == OperandKind::scalar);
  set(Is::simple, simple >= 0);
  if (simple >= 0) {
    const auto& [op, does, f] = kSimple[simple];
    if (i.op == Op::shli) code.imm = static_cast<std::int32_t>(1U << (at(i.imm, 0) & 31U));
    code.facts |= at(does, Code::kRest) | at(f.a, Code::kA) | at(f.product, Code::kProduct) |
                  at(f.b & 3, Code::kB) | at(f.both & 3, Code::kBoth);
    return code;
  }
  const OperandKind operands[] = {row.d, row.a, row.b};
  for (unsigned k = 0; k < 3; ++k) {
    if (operands[k] == OperandKind::dsr) code.facts |= 1U << (Code::kRest + k);
    if (isa::widths_of(cost).bytes[k] == 2) code.facts |= 1U << (Code::kHalves + k);
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
