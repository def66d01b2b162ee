#pragma once

#include "model/lanes/neighbours.hpp"

namespace weft::by_line {

/// As a lane policy, of what is counted between runs: no step that is compiled for an instruction
/// set has it, so none of its functions is one of them.
struct GivenLanes {
  using Shape = model::Abreast;
};

}  // namespace weft::by_line
