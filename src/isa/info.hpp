#pragma once

#include <string_view>

#include "isa/table.hpp"

/// The tables of instructions for whoever reads or writes programs.
namespace weft::isa {

/// One row of instructions.def.
struct InstructionInfo {
  std::string_view name;
  Format format;
  Cost cost;
  bool accumulates;
  std::string_view meaning;
};

const InstructionInfo& info(Op op) noexcept;

/// Its immediate is a position in the program.
inline bool goes_to_target(Op op) noexcept {
  return info(format_of(op)).imm == OperandKind::target;
}

/// One row of costs.def.
struct CostInfo {
  std::string_view constant;  ///< its name in a machine profile
  bool vector;
};

const CostInfo& info(Cost cost) noexcept;

}  // namespace weft::isa
