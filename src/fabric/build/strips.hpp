#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "fabric/build/state.hpp"
#include "weft/error.hpp"

/// Rectangles of PEs as lanes of strips.
namespace weft::fabric {

using model::kLanes;
using model::Mask;

/// f(strip index, lanes) for every one of some strips that a rectangle touches.
template <class F>
void for_strips(const State& s, const OwnStrips& own, Rect r, F f) {
  using model::kStripHeight, model::kStripWidth;
  r.x += s.west;
  r.y += s.north;
  for (int row = r.y / kStripHeight; row <= (r.y + r.height - 1) / kStripHeight; ++row)
    for (int column = r.x / kStripWidth; column <= (r.x + r.width - 1) / kStripWidth; ++column) {
      if (!own.has(row, column)) continue;
      const int west = std::max(r.x - column * kStripWidth, 0);
      const int east = std::min(r.x + r.width - column * kStripWidth, kStripWidth);
      const int north = std::max(r.y - row * kStripHeight, 0);
      const int south = std::min(r.y + r.height - row * kStripHeight, kStripHeight);
      const Mask line = (model::kAllLanes >> (kLanes - (south - north))) << north;
      Mask lanes = 0;
      for (int x = west; x < east; ++x) lanes |= line << (x * kStripHeight);
      const int strip = row * s.strips + column;
      f(static_cast<std::size_t>(strip), lanes);
    }
}

/// The same of the process's own strips.
template <class F>
void for_strips(const State& s, const Rect& r, F f) {
  for_strips(s, s.own, r, f);
}

/// Its own strips, and the rows beside its rows.
inline OwnStrips with_routers(const State& s) {
  const engine::Rows& rows = s.own.rows;
  if (rows.empty()) return s.own;
  return {{std::max(rows.first - 1, 0), std::min(rows.last + 1, s.rows)}, s.own.columns};
}

/// A strip's place.
inline model::Place place(const State& s, std::size_t strip) {
  const auto index = static_cast<int>(strip);
  return {index, index / s.strips, index % s.strips};
}

inline std::string place_of(const State& s, std::size_t strip, Mask lanes) {
  const int lane = model::lowest(lanes);
  const model::Place at = place(s, strip);
  return fmt::format("PE ({}, {})", at.x(lane) - s.west, at.y(lane) - s.north);
}

[[noreturn]] inline void twice(const std::string& what, const std::string& where) {
  throw Error(ErrorCategory::layout, fmt::format("{} has {} already", where, what),
              "two rectangles of the layout overlap", "give each PE one");
}

}  // namespace weft::fabric
