#pragma once

#include "program/color_names.hpp"
#include "weft/deadlock.hpp"
#include "weft/profile.hpp"

namespace weft::fabric {

/// Who waits for whom, for the profile of a run that ended in this error.
Stuck stuck_of(const DeadlockError& error, const ColorNames& colors);
/// At a limit nobody is known to wait for another: the waits alone.
Stuck stuck_of(const LimitError& error, const ColorNames& colors);

}  // namespace weft::fabric
