#pragma once

#include <cstdint>

namespace weft::fabric::path {

/// Throws Error(environment) where a run has so many records and instructions that they take more
/// than a quarter of these bytes of the host: the vectors that hold them double as they grow.
void check_room(std::uint64_t records, std::uint64_t instructions, double host_bytes);

}  // namespace weft::fabric::path
