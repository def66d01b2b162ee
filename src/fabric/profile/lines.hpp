#pragma once

#include <cstddef>
#include <vector>

#include "weft/profile.hpp"
#include "weft/program.hpp"

namespace weft::fabric {

/// The lines of a program, without counts, and of each instruction its line: those of the same
/// words are one.
struct ProgramLines {
  ProgramCounts counts{};
  std::vector<std::size_t> line_of{};
};

ProgramLines lines_of(const Program& program);

}  // namespace weft::fabric
