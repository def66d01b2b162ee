#pragma once

#include "model/state.hpp"
#include "weft/machine.hpp"

namespace weft::fabric {

/// The machine's constants as the step wants them.
model::Timing timing_of(const Machine& machine);

/// Whether a link of a mesh of so many PEs may ever rest. None does where the mesh is on one die.
bool links_rest(const Machine& machine, int width, int height) noexcept;

}  // namespace weft::fabric
