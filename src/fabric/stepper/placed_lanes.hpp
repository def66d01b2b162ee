#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabric/build/state.hpp"

namespace weft::fabric {

/// A PE of a strip, and its place among all, row by row.
struct PlacedLane {
  std::uint32_t lane, place;
};

/// By strip.
inline std::vector<std::vector<PlacedLane>> placed_lanes(const State& s) {
  std::vector<std::vector<PlacedLane>> lanes(s.strip_count());
  std::uint32_t place = 0;
  for (int y = 0; y < s.height; ++y)
    for (int x = 0; x < s.width; ++x) {
      const model::LaneAddress at = s.address_of(x, y);
      std::vector<PlacedLane>& of_strip = lanes[static_cast<std::size_t>(at.strip)];
      if (of_strip.empty()) of_strip.reserve(model::kLanes);
      of_strip.push_back({static_cast<std::uint32_t>(at.lane), place++});
    }
  return lanes;
}

}  // namespace weft::fabric
