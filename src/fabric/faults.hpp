#pragma once

#include "fabric/deadlock/mesh.hpp"
#include "weft/deadlock.hpp"

/// Faults as exceptions: what happened, where, and what to do.
namespace weft::fabric {

FaultError fault_error(const Fault& fault);

/// The fault of a run that can make no progress after this cycle, with its first causes.
DeadlockError deadlock_error(deadlock::Mesh mesh, std::uint64_t cycle);

/// The fault of a run that reached its limit, with a list of what waits then.
FaultError limit_error(const deadlock::Mesh& mesh, std::uint64_t limit);

}  // namespace weft::fabric
