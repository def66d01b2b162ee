#pragma once

#include "fabric/state.hpp"
#include "weft/deadlock.hpp"

namespace weft::fabric {

/// Why a fabric that stands still does, after this cycle.
DeadlockReport deadlock_report(const State& state, std::uint64_t cycle);

/// Everything that waits, PE by PE: for who gives up on a fabric that may still move.
std::vector<DeadlockWait> waits_of(const State& state);

}  // namespace weft::fabric
