#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "fft/division/way.hpp"
#include "fft/wsfft/division.hpp"
#include "weft/fft.hpp"

namespace weft::inline v0 {

// Hidden: it has a public name in front, and is no symbol of a shared library.
struct [[gnu::visibility("hidden")]] FftPlan::Findings {
  Findings(const fft::Way& its_way, const wsfft::Division& chosen, std::uint32_t bytes)
      : way(its_way), division(chosen), pe_bytes(bytes) {}

  const fft::Way& way;  ///< to divide the array
  wsfft::Division division;
  std::uint32_t pe_bytes;  ///< as fft::PeBytes counts them
  /// By direction, and for round trips: the published transposes do not end on this machine. Found
  /// by a run.
  std::array<std::atomic<bool>, 3> too_late{};
};

}  // namespace weft::inline v0
