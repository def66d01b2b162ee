#pragma once

#include <cstddef>

#include "model/lanes/lane_vectors.hpp"
#include "model/step.hpp"
#include "model/wakes.hpp"

/// The steps of a row of strips.
namespace weft::model {

/// The lanes of a lane vector that has `count` elements, or begins as many.
WEFT_INLINE Mask first_lanes(int count) { return count < kLanes ? lane_bit(count) - 1 : kAllLanes; }

/// f(number) for those of some cycles that have come. Numbers after them may be read too, while
/// other threads write it, but is not looked at.
template <class F>
WEFT_INLINE void each_due(const std::uint64_t* cycle, int count, std::uint64_t now, F f) {
  for (int first = 0; first < count; first += kLanes)
    for_each(due(first_lanes(count - first), cycle + first, now),
             [&](int lane) { f(first + lane); });
}

WEFT_INLINE std::uint64_t least_of(const std::uint64_t* cycle, int count) {
  std::uint64_t earliest = kNever;
  for (int first = 0; first < count; first += kLanes)
    earlier(earliest, least(first_lanes(count - first), cycle + first));
  return earliest;
}

/// A row of strips, which one thread steps.
struct Row {
  const View& v;
  int row;
  bool moved = false;

  template <class F>
  WEFT_INLINE void due(const std::uint64_t* wakes, std::uint64_t now, F f) const {
    const int first = row * v.strips;
    each_due(wakes + first, v.strips, now, [&](int column) {
      f(Place{first + column, row, column});
    });
  }
  WEFT_INLINE void did(Step, const Place&, bool strip_moved) { moved |= strip_moved; }

  /// The least of the strips' wakes.
  WEFT_INLINE std::uint64_t least(const std::uint64_t* wakes) const {
    return least_of(wakes + std::ptrdiff_t{row} * v.strips, v.strips);
  }
};

/// Step 1 of a row. Returns whether anything moved.
template <class L>
bool route_row(const View& v, int row, std::uint64_t now) {
  if (v.route_row[row] > now) return false;
  Row strips{v, row};
  step_1<L>(v, strips, now);
  if (!strips.moved) {
    v.route_row[row] = strips.least(v.route_wake);
    return false;
  }
  L::Hooks::left_row(v, row, now);
  wake_now(v.deliver_row[row], now);  // Deliver follows in this cycle, and renews route_row
  return true;
}

/// Steps 2 and 3 of a row. Returns whether anything moved.
template <class L>
bool deliver_and_core_row(const View& v, int row, std::uint64_t now) {
  Row strips{v, row};
  if (v.deliver_row[row] <= now) {
    step_2<L>(v, strips, now);
    v.deliver_row[row] = strips.least(v.deliver_wake);
    v.route_row[row] = strips.least(v.route_wake);
  }
  if (v.core_row[row] <= now) {
    step_3<L>(v, strips, now);
    v.core_row[row] = strips.least(v.core_wake);
  }
  return strips.moved;
}

}  // namespace weft::model
