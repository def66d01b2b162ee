#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>

#include "base/awaited.hpp"
#include "engine/clock.hpp"
#include "engine/step_functions.hpp"

/// Rows (of strips) depend on their neighbours only: step 1 of a row needs step 3 of the rows
/// around it in the cycle before, steps 2 and 3 need their step 1 in the same cycle. So a thread
/// goes over its rows as a wave: when the first cycle of a block has come to some row, the second
/// follows two rows behind it, and so on. The state of a few rows stays in the cache for all of
/// them. And as it takes some cycles to cross a row, rows far from all that are awake are left
/// alone for the block.
namespace weft::engine {

/// How far a thread's outer rows have come, for the threads beside it: 2 t + 1 after step 1 of
/// cycle t, 2 t + 2 after step 3.
struct alignas(64) Progress {
  base::Awaited<std::uint64_t> first{}, last{};
};

/// Neighbouring rows, which one thread steps.
struct Rows {
  int first, last;  ///< the one after them

  bool empty() const { return first >= last; }
};

/// All rows from the first of both ranges to the last.
inline Rows hull(Rows a, Rows b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.first, b.first), std::max(a.last, b.last)};
}

/// The rows of `all` to which anything can come before `end`, as a range. `awake`: a range with
/// those of `all` that have work before. `wakes`: of each row of strips, the next cycle in which
/// it has. A row that wakes in cycle t reaches the rows beside it in t, and as wavelets have to
/// cross these, the next ones kStripHeight cycles later.
inline Rows reachable(Rows all, Rows awake, std::span<const std::uint64_t> wakes,
                      std::uint64_t end) {
  Rows range{0, 0};
  const int count = static_cast<int>(wakes.size());
  constexpr int kFar = 1 + kMostCycles / model::kStripHeight;
  for (const Rows rows : {Rows{std::max(0, all.first - kFar), all.first}, awake,
                          Rows{all.last, std::min(count, all.last + kFar)}})
    for (int row = rows.first; row < rows.last; ++row) {
      const std::uint64_t wake = wakes[static_cast<std::size_t>(row)];
      if (wake >= end) continue;
      const int reach = 1 + static_cast<int>(std::min<std::uint64_t>(end - wake - 1, kMostCycles)) /
                                model::kStripHeight;
      range = hull(range, {row - reach, row + reach + 1});
    }
  return {std::clamp(range.first, all.first, all.last),
          std::clamp(range.last, all.first, all.last)};
}

/// One thread's part of a block.
class Wave {
 public:
  /// `progress`: of all threads.
  Wave(const model::View& view, const RowFunctions& step, std::span<Progress> progress,
       std::size_t thread, Rows rows)
      : view_(view),
        step_(step),
        rows_(rows),
        own_(progress[thread]),
        above_(thread == 0 ? nullptr : &progress[thread - 1]),
        below_(thread + 1 == progress.size() ? nullptr : &progress[thread + 1]),
        downward_(thread % 2 != 0) {}

  /// Steps `cycles` cycles, which all threads do at the same time. `awake` and `wakes`: as the
  /// block begins (see reachable).
  Activity run(std::uint64_t from, int cycles, Rows awake, std::span<const std::uint64_t> wakes) {
    Activity activity;
    const std::uint64_t end = from + static_cast<std::uint64_t>(cycles);
    range_ = reachable(rows_, awake, wakes, end);
    const int n = range_.last - range_.first;
    if (n <= 0 || range_.first > rows_.first) own_.first.set(2 * end);
    if (n <= 0 || range_.last < rows_.last) own_.last.set(2 * end);
    if (n <= 0) return activity;
    for (int front = 0; front < n + 2 * cycles - 1; ++front)
      for (int k = std::max(0, (front - n) / 2); k < cycles && 2 * k <= front; ++k) {
        const int row = front - 2 * k;
        const std::uint64_t now = from + static_cast<std::uint64_t>(k);
        if (row < n) route(at(row), now, k, activity);
        if (row > 0 && row <= n) deliver_and_core(at(row - 1), now, k, activity);
      }
    return activity;
  }

  /// The rows that the last run stepped: others were left alone.
  Rows stepped() const { return range_; }

  /// Time that all runs waited for other threads.
  std::chrono::nanoseconds waited() const { return waited_; }

 private:
  int at(int row) const { return downward_ ? range_.first + row : range_.last - 1 - row; }

  void wait(base::Awaited<std::uint64_t>& progress, std::uint64_t least) {
    waited_ += progress.wait_until([&](std::uint64_t now) { return now >= least; });
  }

  bool at_edge(int row) const { return row == rows_.first || row + 1 == rows_.last; }

  /// Waits until the other threads' rows beside this one have come as far.
  void wait_beside(int row, std::uint64_t least) {
    if (row == rows_.first && above_ != nullptr) wait(above_->last, least);
    if (row + 1 == rows_.last && below_ != nullptr) wait(below_->first, least);
  }

  void done(int row, std::uint64_t progress) {
    if (row == rows_.first) own_.first.set(progress);
    if (row + 1 == rows_.last) own_.last.set(progress);
  }

  void route(int row, std::uint64_t now, int k, Activity& activity) {
    const bool edge = at_edge(row);
    if (edge && k > 0) wait_beside(row, 2 * now);  // before the block all waited for all
    const std::uint32_t bit = 1U << k;
    if (view_.route_row[row] <= now) {
      activity.polled |= bit;
      if (step_.route(view_, row, now)) activity.moved |= bit;
    }
    if (edge) done(row, 2 * now + 1);
  }

  void deliver_and_core(int row, std::uint64_t now, int k, Activity& activity) {
    const bool edge = at_edge(row);
    if (edge) wait_beside(row, 2 * now + 1);
    const std::uint32_t bit = 1U << k;
    if (view_.deliver_row[row] <= now || view_.core_row[row] <= now) {
      activity.timed |= bit;
      if (step_.deliver_and_core(view_, row, now)) activity.moved |= bit;
    }
    if (edge) done(row, 2 * now + 2);
  }

  const model::View& view_;
  const RowFunctions& step_;
  const Rows rows_;
  Rows range_ = rows_;  ///< those to step in this block
  Progress& own_;
  Progress *const above_, *const below_;  ///< null: no thread has rows there
  std::chrono::nanoseconds waited_{};
  const bool downward_;  ///< two neighbours begin, or end, at the rows where they meet
};

}  // namespace weft::engine
