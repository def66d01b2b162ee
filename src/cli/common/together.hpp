#pragma once

#include <cstdint>

namespace weft::cli {

/// What the processes of a run do together, from where all begin: bits.
enum class Together : std::uint32_t {
  nothing = 0,
  shares = 1,              ///< a fabric, or the runs of a sweep
  parts = 2,               ///< each has a part of the arrays
  compares = 4,            ///< its part, with a reference
  writes = 8,              ///< its part, to a file
  draws = 16,              ///< its part, in a picture
  compares_in_first = 32,  ///< whole arrays, in the first process alone
};

/// The second one where it is so, beside the first one.
constexpr Together with(Together one, Together other, bool so) {
  return so ? Together{static_cast<std::uint32_t>(one) | static_cast<std::uint32_t>(other)} : one;
}

}  // namespace weft::cli
