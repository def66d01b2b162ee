#pragma once

#include "model/core.hpp"
#include "model/short_ways.hpp"

/// The cycle, row of strips by row of strips. Within a phase, rows and strips may be stepped in any
/// order and at the same time; between phases everybody waits for everybody. docs/model.md has the
/// same steps.
namespace weft::model {

/// The lanes of a lane vector that has `count` elements, or begins as many.
WEFT_HD Mask first_lanes(int count) { return count < kLanes ? lane_bit(count) - 1 : kAllLanes; }

/// f(number) for those of some cycles that have come. What follows them may be read too, while
/// other threads write it, but is not looked at.
template <class L, class F>
WEFT_HD void each_due(const std::uint64_t* cycle, int count, std::uint64_t now, F f) {
  for (int first = 0; first < count; first += kLanes)
    for (Mask due = L::due(first_lanes(count - first), cycle + first, now); due != 0;
         due &= due - 1)
      f(first + lowest(due));
}

template <class L>
std::uint64_t least_of(const std::uint64_t* cycle, int count) {
  std::uint64_t least = kNever;
  for (int first = 0; first < count; first += kLanes)
    earlier(least, L::least(first_lanes(count - first), cycle + first));
  return least;
}

/// The least of the wakes of a row's strips.
template <class L>
std::uint64_t least_wake(const View& v, int row, const std::uint64_t* wakes) {
  if constexpr (L::kByLine) return wakes[row];
  return least_of<L>(wakes + row * v.strips, v.strips);
}

/// Steps the strips of a row whose time has come. (A strip wakes itself only, or others for a later
/// step.) Who calls it keeps the row's least wake.
template <class L, class Step>
WEFT_HD bool step_row(const View& v, int row, std::uint64_t now, const std::uint64_t* wakes,
                      Step step) {
  bool any = false;
  const int first = row * v.strips;
  const auto step_strip = [&](int column) {
    const Place at{first + column, row, column};
    if (may_step<L>(v, at, now)) any |= step(at);
  };
  if constexpr (!L::kByLine)
    each_due<L>(wakes + first, v.strips, now, step_strip);
  else if (wakes[row] <= now)
    step_strip(0);
  return any;
}

/// 1. Route: heads of the routers' queues leave for links and ramps.
template <class L>
bool route_row(const View& v, int row, std::uint64_t now) {
  if (v.route_row[row] > now) return false;
  const bool moved = step_row<L>(v, row, now, v.route_wake,
                                 [&](const Place& at) { return route_strip<L>(v, at, now); });
  if (!moved) {
    v.route_row[row] = least_wake<L>(v, row, v.route_wake);
    return false;
  }
  if constexpr (L::kShortWays) v.left_row[row] = now;
  L::publish(v.deliver_row[row], now);  // Deliver follows in this cycle, and renews route_row
  return true;
}

/// 2. Deliver: routers take what is on their links and on-ramps.
/// 3. Core: microthreads, tasks, instructions.
template <class L>
bool deliver_and_core_row(const View& v, int row, std::uint64_t now) {
  bool any = false;
  if (v.deliver_row[row] <= now) {
    const RowsBeside rows = rows_beside<L>(v, row, now);
    any |= step_row<L>(v, row, now, v.deliver_wake,
                       [&](const Place& at) { return deliver_strip<L>(v, at, rows, now); });
    v.deliver_row[row] = least_wake<L>(v, row, v.deliver_wake);
    v.route_row[row] = least_wake<L>(v, row, v.route_wake);
  }
  if (v.core_row[row] <= now) {
    any |= step_row<L>(v, row, now, v.core_wake,
                       [&](const Place& at) { return step_core<L>(v, at, now); });
    v.core_row[row] = least_wake<L>(v, row, v.core_wake);
  }
  return any;
}

}  // namespace weft::model
