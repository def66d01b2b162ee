#pragma once

#include <span>

#include "fabric/build/state.hpp"
#include "fabric/stepper/stepper.hpp"

/// The words of host streams in a fabric of strips.
namespace weft::fabric {

/// Of an end that the layout has.
engine::HostWords& words_at(State& s, const HostEnd& end);

void append(engine::HostWords& to, std::span<const std::uint32_t> words);
/// The oldest ones, of which there are as many.
void take(engine::HostWords& from, std::span<std::uint32_t> words);

}  // namespace weft::fabric
