#pragma once

#include "model/state.hpp"
#include "weft/machine.hpp"

namespace weft::fabric {

/// The machine's constants as the step wants them.
model::Timing timing_of(const Machine& machine);

}  // namespace weft::fabric
