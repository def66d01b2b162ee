#pragma once

#include <cstdint>
#include <vector>

#include "weft/layout.hpp"

namespace weft::fabric {

/// The numbers of a layout's programs, by placement: as they come, and equal ones have the same.
std::vector<std::uint16_t> program_numbers(const Layout& layout);

}  // namespace weft::fabric
