#pragma once

#include <cstdint>
#include <vector>

#include "fabric/build/state.hpp"

namespace weft::fabric {

/// View::private_cycles of a fabric's programs: from each place at which a core may start or go on,
/// a program is executed by a PE of its own, as long as all that decides on its way, its cycles and
/// its faults follows from the program alone.
std::vector<std::uint32_t> dry_run(const State& fabric);

}  // namespace weft::fabric
