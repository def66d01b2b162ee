#pragma once

namespace weft::fabric {

/// Bytes of host memory that the emulator keeps for one PE, besides the PE's own memory: cores,
/// routers, and the queues of a few colors. An upper estimate.
double state_bytes_per_pe() noexcept;

}  // namespace weft::fabric
