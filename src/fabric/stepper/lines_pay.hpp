#pragma once

#include "weft/layout.hpp"

namespace weft::fabric {

/// Whether stepping by line is likely to take less time: Accelerations::by_line has the condition.
/// From the layout, and whether arrays take memory (FabricOptions::data); the engine finds whether
/// it can be done (by_line/lines.hpp). `part`: of the fabric that this host has.
bool lines_pay(const Layout& layout, bool data, double part = 1);

}  // namespace weft::fabric
