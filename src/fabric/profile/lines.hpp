#pragma once

#include <cstdint>
#include <span>

#include "weft/profile.hpp"
#include "weft/program.hpp"

namespace weft::fabric {

/// The lines of a program, without counts, and its instructions with the line of each: those of the
/// same words are one.
ProgramCounts lines_of(const Program& program);

/// Adds the cycles of a PE, by instruction from the first one on.
void add_cycles(ProgramCounts& program, std::span<const std::uint64_t> cycles, int x, int y);

}  // namespace weft::fabric
