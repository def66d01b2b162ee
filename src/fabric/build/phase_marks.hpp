#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/layout.hpp"

namespace weft::fabric {

/// Some program of the layout has phases.
bool has_phases(const Layout& layout);

/// Adds the phase of each instruction of a program, as model::Phases::mark, and the names of phases
/// that are new.
void append_marks(const Program& program, std::vector<std::string>& names,
                  std::vector<std::uint32_t>& marks);

}  // namespace weft::fabric
