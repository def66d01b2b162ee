#pragma once

#include <span>
#include <vector>

#include "fabric/build/state.hpp"
#include "fabric/stepper/pe_state.hpp"

/// PEs and the whole fabric, as lanes and strips have them.
namespace weft::fabric {

/// As the program has it: a shape that is stepped has no end along its outermost dimension.
Shape shape_of(const model::ShapeState& state);

/// One entry a program. They last as long as `code`, which is that of all programs.
std::vector<ProgramFacts> facts_of_programs(std::span<const Instruction> code,
                                            std::span<const model::TaskTable> programs);

/// A PE's lane, before `cycle` is stepped. `programs`: as facts_of_programs gives them.
PeState pe_state(const State& state, const std::vector<ProgramFacts>& programs, int x, int y,
                 std::uint64_t cycle);

/// The first fault of all strips: lowest (cycle, y, x). FaultKind::none if there is none.
const Fault& first_fault(const State& state);

}  // namespace weft::fabric
