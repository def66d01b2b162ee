#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "fabric/state.hpp"
#include "weft/error.hpp"

/// Rectangles of PEs as lanes of strips.
namespace weft::fabric {

using model::kLanes;
using model::Mask;

/// f(strip index, lanes) for every strip that a rectangle touches.
template <class F>
void for_strips(const State& s, const Rect& r, F f) {
  for (int y = r.y; y < r.y + r.height; ++y)
    for (int column = r.x / kLanes; column <= (r.x + r.width - 1) / kLanes; ++column) {
      const int from = std::max(r.x - column * kLanes, 0);
      const int to = std::min(r.x + r.width - column * kLanes, kLanes);
      const Mask lanes = (model::kAllLanes >> (kLanes - (to - from))) << from;
      f(static_cast<std::size_t>(y * s.strips + column), lanes);
    }
}

inline std::string place_of(const State& s, std::size_t strip, Mask lanes) {
  const auto strips = static_cast<std::size_t>(s.strips);
  return fmt::format("PE ({}, {})",
                     strip % strips * kLanes + static_cast<std::size_t>(model::lowest(lanes)),
                     strip / strips);
}

[[noreturn]] inline void twice(const std::string& what, const std::string& where) {
  throw Error(Category::layout, fmt::format("{} has {} already", where, what),
              "two rectangles of the layout overlap", "give each PE one");
}

}  // namespace weft::fabric
