#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "weft/layout.hpp"
#include "weft/profile.hpp"
#include "weft/program.hpp"

namespace weft::fabric {

/// The lines of a program and its instructions, without counts, and of each instruction its line:
/// those of the same words are one.
struct ProgramLines {
  ProgramCounts counts{};
  std::vector<std::size_t> line_of{};
};

ProgramLines lines_of(const Program& program);

/// The lines of a layout's programs by their numbers, of which there are so many.
std::vector<ProgramCounts> lines_of_programs(const Layout& layout, std::size_t programs);

/// Adds the cycles of a PE, by instruction from the first one on.
void add_cycles(ProgramCounts& program, std::span<const std::uint64_t> cycles, int x, int y);

}  // namespace weft::fabric
