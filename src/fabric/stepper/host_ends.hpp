#pragma once

#include "fabric/build/state.hpp"
#include "fabric/stepper/stepper.hpp"

/// The words of host streams in a fabric of strips.
namespace weft::fabric {

/// Of an end that the layout has.
engine::HostWords& words_at(State& s, const HostEnd& end);

}  // namespace weft::fabric
