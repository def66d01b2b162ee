#pragma once

#include <cstdint>

#include "weft/fabric_options.hpp"
#include "weft/layout.hpp"
#include "weft/machine.hpp"
#include "weft/processes.hpp"

/// Processes that share a fabric make the same one, and the same runs of it. What differs in one of
/// them is an error in all, before it becomes a wrong result or a wait without end.
namespace weft::fabric {

/// Throws Error(usage) that names the first process that differs from process 0, and in what.
void check_alike(const Layout& layout, const Machine& machine, const FabricOptions& options);

/// The same of a run: to this limit, from this cycle.
void check_run_alike(Processes& processes, std::uint64_t limit, std::uint64_t cycle);

}  // namespace weft::fabric
