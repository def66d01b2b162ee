#pragma once

#include <array>
#include <atomic>
#include <utility>

#include "fft/algorithm.hpp"
#include "weft/fft.hpp"

namespace weft::inline v0 {

// Hidden: it has a public name in front, and is no symbol of a shared library.
struct [[gnu::visibility("hidden")]] FftPlan::Findings {
  Findings(fft::Choice chosen, const FftMesh& mesh) : choice(std::move(chosen)), asked(mesh) {}

  fft::Choice choice;
  FftMesh asked;  ///< that the user asked for
  /// By direction, and for round trips: the published transposes do not end on this machine. Found
  /// by a run.
  std::array<std::atomic<bool>, 3> too_late{};
};

}  // namespace weft::inline v0
