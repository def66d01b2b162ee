#pragma once

#include "fabric/stepper/stepper.hpp"
#include "fabric/symbols.hpp"

namespace weft::fabric {

/// Throws Error(program) where checks have noted that the PEs of a line name different roots, or
/// one that their line has not (MovingBroadcast).
void check_roots(const Symbols& symbols, const Stepper& stepper, const Rect& where);

}  // namespace weft::fabric
