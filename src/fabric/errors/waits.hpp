#pragma once

#include "fabric/errors/deadlock/mesh.hpp"
#include "fabric/errors/names.hpp"
#include "weft/deadlock.hpp"

/// The errors of a run that cannot end, or did not in time: they name what waits.
namespace weft::fabric {

/// The fault of a run that can make no progress after this cycle, with its first causes.
DeadlockError deadlock_error(deadlock::Mesh mesh, std::uint64_t cycle, const Names& names = {});

/// The fault of a run that reached its limit, with a list of what waits then, and the operation
/// that most PEs are at.
LimitError limit_error(const deadlock::Mesh& mesh, std::uint64_t limit, const Names& names = {});

}  // namespace weft::fabric
