#pragma once

#include <vector>

#include "weft/processes.hpp"
#include "weft/profile.hpp"

/// What processes that share a fabric have counted, each of its own rows, becomes one profile in
/// all of them.
namespace weft::fabric {

/// Called by all. `profile`: of all PEs, but counted is what this process's rows did alone.
void share_profile(Processes& processes, Profile& profile);

/// Of its phases alone; `width`: of the mesh.
void share_phases(Processes& processes, std::vector<PhaseCounts>& phases, int width, int height);

}  // namespace weft::fabric
