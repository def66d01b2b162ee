#pragma once

#include <string>

#include "fabric/state.hpp"
#include "weft/deadlock.hpp"

namespace weft::fabric {

/// The first fault of all strips: lowest (cycle, y, x). FaultKind::none if there is none.
const Fault& first_fault(const State& state);

/// The fault as an exception: what happened, where, and what to do.
FaultError fault_error(const Fault& fault);

/// Whether wavelets, microthreads or tasks are left that can never go on.
bool anything_left(const State& state);

/// The fault of a run that can make no progress after this cycle, with its first causes.
DeadlockError deadlock_error(const State& state, std::uint64_t cycle);

/// The fault of a run that reached its limit, with a list of what waits then.
FaultError limit_error(const State& state, std::uint64_t limit);

}  // namespace weft::fabric
