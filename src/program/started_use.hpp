#pragma once

#include <cstddef>
#include <string>

/// Of patterns that go on beside the core, one use at a time.
namespace weft::inline v0 {

/// Where its first operation is.
struct StartedUse {
  std::string pattern;
  std::size_t section, item;
};

/// Registers of a ring transpose.
inline constexpr std::size_t kRingRegisters = 10;

}  // namespace weft::inline v0
