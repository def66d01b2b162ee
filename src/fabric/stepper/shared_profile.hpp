#pragma once

#include <vector>

#include "engine/share.hpp"
#include "weft/profile.hpp"

/// What processes that share a fabric have counted, each of its own rows, becomes one profile in
/// all of them.
namespace weft::fabric {

/// Called by all. `profile`: of all PEs, but counted is what this process's rows did alone.
void share_profile(const engine::Share& share, Profile& profile);

/// Of its phases alone; `width`: of the mesh.
void share_phases(const engine::Share& share, std::vector<PhaseCounts>& phases, int width,
                  int height);

}  // namespace weft::fabric
