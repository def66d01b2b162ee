#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "weft/profile.hpp"

namespace weft::page {

/// The windows of a page: each is as many of the profile's, the last may be of fewer.
struct Windows {
  int merged = 1;

  int of(const Profile& p) const { return (p.windows + merged - 1) / merged; }
  std::uint64_t cycles(const Profile& p) const {
    return p.window_cycles * static_cast<std::uint64_t>(merged);
  }
};

/// A count in a window of the page, by PE. The count has windows.
std::vector<std::uint64_t> counts_in(const Profile& p, Windows windows, Count count, int window);

/// What is said of a count's windows as a whole.
struct WindowFacts {
  std::vector<std::uint64_t> sums{};  ///< by window, of all PEs
  std::uint64_t peak = 0;             ///< of a PE in a window
  /// The value that a plane has 255 for: every cycle of a window, or more, where several wavelets
  /// may be held in a cycle.
  std::uint64_t full = 0;
};
/// By Count; of those without windows, and of runs without, nothing.
using AllWindowFacts = std::array<std::optional<WindowFacts>, kCounts>;
AllWindowFacts window_facts(const Profile& p, Windows windows);

}  // namespace weft::page
