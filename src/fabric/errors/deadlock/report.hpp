#pragma once

#include "fabric/errors/deadlock/mesh.hpp"
#include "fabric/errors/names.hpp"
#include "weft/deadlock.hpp"

namespace weft::fabric {

/// Why a fabric that stands still does, after this cycle.
DeadlockReport deadlock_report(deadlock::Mesh mesh, std::uint64_t cycle, const Names& names = {});

/// Everything that waits, PE by PE: for who gives up on a fabric that may still move.
std::vector<DeadlockWait> waits_of(const deadlock::Mesh& mesh, const Names& names = {});

}  // namespace weft::fabric
