#pragma once

#include "weft/machine.hpp"

namespace weft::fabric {

/// Bytes of memory that this host has.
double host_memory() noexcept;
/// ... and of which nobody uses anything.
double free_memory() noexcept;

/// Bytes of host memory that the emulator keeps for one PE of such a mesh, besides the PE's own
/// memory: cores, routers, and the queues of a few colors, which far links that take longer make
/// longer. An upper estimate.
double state_bytes_per_pe(const Machine& machine, int width, int height) noexcept;

/// PEs whose state and memory are kept once more while lines are stepped apart: 64 lines for each
/// thread.
double pes_kept_twice(int width, int height, int threads) noexcept;

}  // namespace weft::fabric
