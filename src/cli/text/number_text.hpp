#pragma once

#include <cstdint>
#include <string>

#include "base/grouped.hpp"

namespace weft::cli {

using base::grouped;

/// Three digits and a unit: "2.11 s", "34.5 ms", "0.12 us".
std::string duration_text(double seconds);

/// Whole seconds, or two units: "8 s", "3 min 20 s", "2 h 5 min".
std::string long_duration_text(double seconds);

}  // namespace weft::cli
