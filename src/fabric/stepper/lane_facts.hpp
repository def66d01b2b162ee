#pragma once

#include <vector>

#include "fabric/build/state.hpp"
#include "fabric/stepper/pe_state.hpp"

/// PEs and the whole fabric, as lanes and strips have them.
namespace weft::fabric {

/// One entry a program of the state. They last as long as it.
std::vector<ProgramFacts> facts_of_programs(const State& state);

/// A PE's lane, before `cycle` is stepped. `programs`: as facts_of_programs gives them.
PeState pe_state(const State& state, const std::vector<ProgramFacts>& programs, int x, int y,
                 std::uint64_t cycle);

/// The first fault of all strips: lowest (cycle, y, x). FaultKind::none if there is none.
const Fault& first_fault(const State& state);

}  // namespace weft::fabric
