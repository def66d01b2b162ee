#pragma once

#include "model/core.hpp"
#include "model/deliver.hpp"
#include "model/router.hpp"

/// The cycle, row of strips by row of strips. Within a phase, rows and strips may be stepped in any
/// order and at the same time; between phases everybody waits for everybody. docs/model.md has the
/// same steps.
namespace weft::model {

WEFT_HD std::uint64_t least_wake(const View& v, int row, const std::uint64_t* wakes) {
  std::uint64_t least = kNever;
  for (int column = 0; column < v.strips; ++column) earlier(least, wakes[row * v.strips + column]);
  return least;
}

/// Steps the strips of a row whose time has come, and keeps the least of their wakes.
template <class L, class Step>
bool step_row(const View& v, int row, std::uint64_t now, std::uint64_t* wakes,
              std::uint64_t* row_wakes, Step step) {
  if (row_wakes[row] > now) return false;
  bool any = false;
  for (int column = 0; column < v.strips; ++column) {
    const int index = row * v.strips + column;
    if (wakes[index] > now) continue;
    const Place at{index, row, column};
    if (may_step<L>(v, at, now)) any |= step(at);
  }
  row_wakes[row] = least_wake(v, row, wakes);
  return any;
}

/// 1. Route: heads of the routers' queues leave for links and ramps.
template <class L>
bool route_row(const View& v, int row, std::uint64_t now) {
  return step_row<L>(v, row, now, v.route_wake, v.route_row,
                     [&](const Place& at) { return route<L>(v, at, now); });
}

/// 2. Deliver: routers take what is on their links and on-ramps.
/// 3. Core: microthreads, tasks, instructions.
template <class L>
bool deliver_and_core_row(const View& v, int row, std::uint64_t now) {
  const bool delivers = v.deliver_row[row] <= now;
  bool any = step_row<L>(v, row, now, v.deliver_wake, v.deliver_row,
                         [&](const Place& at) { return deliver<L>(v, at, now); });
  if (delivers) v.route_row[row] = least_wake(v, row, v.route_wake);
  any |= step_row<L>(v, row, now, v.core_wake, v.core_row,
                     [&](const Place& at) { return step_core<L>(v, at, now); });
  return any;
}

}  // namespace weft::model
