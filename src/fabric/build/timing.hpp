#pragma once

#include "model/state.hpp"
#include "weft/machine.hpp"

namespace weft::fabric {

/// The machine's constants as the step wants them.
model::Timing timing_of(const Machine& machine);

/// Whether a mesh of so many PEs may have far links: those between dies, or all where dies have no
/// size. It has none where it is on one die.
bool has_far_links(const Machine& machine, int width, int height) noexcept;

/// Whether a link of such a mesh may ever rest.
bool links_rest(const Machine& machine, int width, int height) noexcept;

}  // namespace weft::fabric
