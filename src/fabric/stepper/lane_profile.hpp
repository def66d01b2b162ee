#pragma once

#include <cstdint>
#include <vector>

#include "fabric/build/state.hpp"
#include "fabric/profile/lines.hpp"
#include "weft/profile.hpp"

/// What strips count, and how it becomes a profile.
namespace weft::fabric {

/// The lines of a fabric's programs, by their numbers in the state.
std::vector<ProgramLines> lines_of_programs(const State& s, const Layout& layout);

/// The fabric counts from now on: before its first cycle.
void start_counting(State& s, const std::vector<ProgramLines>& programs, const Observation& asked);

/// What a fabric that counts has counted up to a cycle, which is the next one of a run. Colors have
/// no names.
Profile profile_of(State& s, const std::vector<ProgramLines>& programs, std::uint64_t cycle);

}  // namespace weft::fabric
