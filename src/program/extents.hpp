#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/element.hpp"

namespace weft::inline v0 {

/// The most bytes of a PE's memory, on any machine.
inline constexpr std::uint32_t kMostMemoryBytes = 1024 * 1024;

/// "a PE has ... KB": why there is no room.
std::string memory_text();

/// Bytes of an array of these extents, which may be more than a PE has. Throws Error(program) for
/// extents that no array has, and for 2^64 bytes or more.
std::uint64_t bytes_of_array(const std::string& name, ElementType type,
                             const std::vector<int>& extents);

}  // namespace weft::inline v0
