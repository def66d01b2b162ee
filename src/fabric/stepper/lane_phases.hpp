#pragma once

#include <vector>

#include "fabric/build/state.hpp"
#include "fabric/profile/sums.hpp"
#include "fabric/stepper/placed_lanes.hpp"
#include "weft/layout.hpp"
#include "weft/profile.hpp"

/// What strips count by phase of their programs, and how it becomes a part of a profile.
namespace weft::fabric {

/// Where programs of the layout have phases, a fabric that counts does so by phase, too.
void start_phases(State& s, const Layout& layout);

/// All counts have been settled, and begin at 0 again: those of phases go to numbers of 64 bits.
void fold_phases(CountsState& counts);

/// Phases in the order in which the layout names them, of these PEs (placed_lanes), made by so many
/// threads. All counts have been settled.
std::vector<PhaseCounts> counts_of_phases(const State& s,
                                          const std::vector<std::vector<PlacedLane>>& lanes,
                                          int threads, OfPhase kept = OfPhase::all);

}  // namespace weft::fabric
