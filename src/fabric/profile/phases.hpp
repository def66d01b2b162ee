#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/profile.hpp"
#include "weft/report.hpp"

namespace weft::fabric {

/// Those that began first come first.
void order_phases(std::vector<PhaseCounts>& phases);

/// The cycles in which a PE was in a phase; idle ones past its end do not count.
std::uint64_t cycles_in(const PhaseCounts& phase, std::size_t pe);

/// RunReport::phases: of the PE that was in one last.
std::vector<RunPhase> phases_of(std::vector<PhaseCounts> phases);

}  // namespace weft::fabric
