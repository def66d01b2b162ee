#pragma once

#include <cstdint>
#include <vector>

#include "fabric/build/state.hpp"
#include "pe/code.hpp"

namespace weft::fabric {

/// The programs of a layout and which PE has which: what steppers of other state than strips take
/// from a State.
struct Programs {
  model::Timing timing{};
  std::vector<Instruction> code;
  std::vector<pe::Code> decoded;
  std::vector<model::TaskTable> tables;
  std::vector<model::ShapeState> shapes;
  std::vector<std::uint16_t> of;  ///< by PE, row by row; pe::kNoProgram: none

  pe::ProgramView view() const { return {decoded.data(), tables.data(), shapes.data()}; }
};

Programs programs_of(State built);

}  // namespace weft::fabric
