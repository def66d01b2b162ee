#pragma once

#include <string>

#include "weft/deadlock.hpp"

namespace weft::fabric {

/// Of a circular wait: which PE waits for which one, and what for.
std::string circular_text(const DeadlockCause& cause);

}  // namespace weft::fabric
