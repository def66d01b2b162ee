#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "engine/clock.hpp"

/// Rows of strips, and how soon something comes from one to another.
namespace weft::engine {

/// Neighbouring rows, which one thread or process steps.
struct Rows {
  int first, last;  ///< the one after them

  bool empty() const { return first >= last; }
  int count() const { return last - first; }
  bool has(int row) const { return first <= row && row < last; }
};

/// All rows from the first of both ranges to the last.
inline Rows hull(Rows a, Rows b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.first, b.first), std::max(a.last, b.last)};
}

/// Part number `part` of so many rows.
inline Rows part_of(Rows all, int part, int parts) {
  const auto begin = [&](int k) {
    return all.first + static_cast<int>(std::int64_t{all.count()} * k / parts);
  };
  return {begin(part), begin(part + 1)};
}

/// How many rows off something comes before `end` from a row that wakes before it. A row that wakes
/// in cycle t reaches the rows beside it in t, and as wavelets have to cross these, the next ones
/// kStripHeight cycles later.
inline int reach(std::uint64_t wake, std::uint64_t end) {
  return 1 + static_cast<int>(std::min<std::uint64_t>(end - wake - 1, kMostCycles)) /
                 model::kStripHeight;
}

/// No row reaches others so far off in a block.
inline constexpr int kFar = 1 + kMostCycles / model::kStripHeight;

/// The rows of `all` to which anything can come before `end`, as a range. `awake`: a range with
/// those of `all` that have work before. `wakes`: of each row of strips, the next cycle in which
/// it has.
inline Rows reachable(Rows all, Rows awake, std::span<const std::uint64_t> wakes,
                      std::uint64_t end) {
  Rows range{0, 0};
  const int count = static_cast<int>(wakes.size());
  for (const Rows rows : {Rows{std::max(0, all.first - kFar), all.first}, awake,
                          Rows{all.last, std::min(count, all.last + kFar)}})
    for (int row = rows.first; row < rows.last; ++row) {
      const std::uint64_t wake = wakes[static_cast<std::size_t>(row)];
      if (wake >= end) continue;
      const int far = reach(wake, end);
      range = hull(range, {row - far, row + far + 1});
    }
  return {std::clamp(range.first, all.first, all.last),
          std::clamp(range.last, all.first, all.last)};
}

/// Whether anything can cross from row `above` to the one below it, or back, before `end`.
inline bool crosses(int above, std::span<const std::uint64_t> wakes, std::uint64_t end) {
  const int count = static_cast<int>(wakes.size());
  for (int row = std::max(0, above + 1 - kFar); row < std::min(count, above + 1 + kFar); ++row) {
    const std::uint64_t wake = wakes[static_cast<std::size_t>(row)];
    if (wake >= end) continue;
    if (reach(wake, end) > (row <= above ? above - row : row - above - 1)) return true;
  }
  return false;
}

}  // namespace weft::engine
