#pragma once

#include "model/state/view.hpp"

namespace weft::model {

/// Keeps the first fault of a strip: lowest (cycle, y, x), and of one PE and cycle the one that
/// comes first in FaultKind. In a bundle the place is no PE's: there a fault only gives the run up,
/// and another one finds it again.
template <class L>
[[gnu::noinline, gnu::cold]] void record(const View& v, Place at, int lane, FaultKind kind,
                                         std::uint64_t cycle, int color, std::int64_t detail,
                                         std::int64_t instruction = -1) {
  Fault& first = v.faults[at.index];
  const int x = at.x(lane) - v.west, y = at.y(lane) - v.north;
  if (first.kind != FaultKind::none && first.cycle <= cycle) {
    if (first.cycle < cycle || first.y < y || (first.y == y && first.x < x)) return;
    if (first.y == y && first.x == x && first.kind <= kind) return;
  }
  first.kind = kind;
  first.cycle = cycle;
  first.x = x;
  first.y = y;
  first.color = color;
  first.detail = detail;
  first.instruction = static_cast<std::int32_t>(instruction);
  if constexpr (L::kRowWakes) earlier(v.fault_row[at.row], cycle);
  L::Hooks::faulted(v, at, cycle);
}

}  // namespace weft::model
