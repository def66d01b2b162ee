#pragma once

#include <vector>

#include "fabric/build/state.hpp"
#include "fabric/stepper/placed_lanes.hpp"
#include "weft/profile.hpp"

namespace weft::fabric {

/// The windows of time of a fabric that counts, by so many threads. `lanes`: by strip; `taken`:
/// what is in the profile leaves the state.
void fill_windows(State& s, const std::vector<std::vector<PlacedLane>>& lanes, bool taken,
                  int threads, Profile& profile);

}  // namespace weft::fabric
