#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/totals.hpp"

/// When a run looks whether wavelets go round for ever (deadlock/circles.hpp): seldom, and only
/// where cores have been silent, so that it costs nothing. The cycles are the same on every engine.
namespace weft::fabric {

/// The next cycle of a look.
inline std::uint64_t next_look(std::uint64_t cycle) {
  constexpr std::uint64_t kFirst = std::uint64_t{1} << 16U;  // chosen: some milliseconds
  return std::max(kFirst, std::bit_ceil(cycle + 1));
}

/// Wavelets moved, and none came from a core or to one.
inline bool only_routers_moved(const engine::Totals& before, const engine::Totals& now) {
  return now.hops != before.hops && now.wavelets == before.wavelets &&
         now.delivered == before.delivered;
}

}  // namespace weft::fabric
