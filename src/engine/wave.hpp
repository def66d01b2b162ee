#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>

#include "base/awaited.hpp"
#include "engine/clock.hpp"
#include "engine/cut.hpp"
#include "engine/given_up.hpp"
#include "engine/rows.hpp"
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

  /// The thread comes no further: those that wait for it give up, too.
  void give_up() {
    first.set(kGivenUp);
    last.set(kGivenUp);
  }
  static constexpr std::uint64_t kGivenUp = model::kNever;
};

/// One thread's part of a block.
class Wave {
 public:
  /// `progress`: of all threads. `cuts`: beside all their rows.
  Wave(const model::View& view, const RowFunctions& step, std::span<Progress> progress,
       std::size_t thread, Rows rows, Cuts cuts)
      : view_(view),
        step_(step),
        rows_(rows),
        own_(progress[thread]),
        above_(thread == 0 ? nullptr : &progress[thread - 1]),
        below_(thread + 1 == progress.size() ? nullptr : &progress[thread + 1]),
        north_(thread == 0 ? cuts.north : nullptr),
        south_(thread + 1 == progress.size() ? cuts.south : nullptr),
        downward_((thread + (progress.size() % 2 != 0 && cuts.odd ? 1 : 0)) % 2 != 0) {}

  /// Steps `cycles` cycles, which all threads do at the same time. `awake` and `wakes`: as the
  /// block begins (see reachable).
  Activity run(std::uint64_t from, int cycles, Rows awake, std::span<const std::uint64_t> wakes) {
    Activity activity;
    const std::uint64_t end = from + static_cast<std::uint64_t>(cycles);
    range_ = reachable(rows_, awake, wakes, end);
    for (Cut* const cut : {north_, south_})
      if (cut != nullptr) cut->begin(wakes, end);
    const int n = range_.last - range_.first;
    if (n <= 0 || range_.first > rows_.first) own_.first.set(2 * end);
    if (n <= 0 || range_.last < rows_.last) own_.last.set(2 * end);
    if (n <= 0) return activity;
    for (int front = 0; front < n + 2 * cycles - 1; ++front)
      for (int k = std::max(0, (front - n) / 2); k < cycles && 2 * k <= front; ++k) {
        const int row = front - 2 * k;
        const std::uint64_t now = from + static_cast<std::uint64_t>(k);
        if (row < n) route(at(row), now, k, activity);
        if (row > 0 && row <= n) deliver_and_core(at(row - 1), now, k, k + 1 == cycles, activity);
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
    std::uint64_t seen = 0;
    waited_ += progress.wait_until([&](std::uint64_t now) {
      seen = now;
      return now >= least;
    });
    if (seen == Progress::kGivenUp) throw GivenUp();
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

  /// f(cut) for those beside this row over which something may come in this block.
  template <class F>
  void at_cuts(int row, F f) {
    if (row == rows_.first && north_ != nullptr && north_->open()) f(*north_);
    if (row + 1 == rows_.last && south_ != nullptr && south_->open()) f(*south_);
  }

  void route(int row, std::uint64_t now, int k, Activity& activity) {
    const bool edge = at_edge(row);
    if (edge) {
      if (k > 0) wait_beside(row, 2 * now);  // before the block all waited for all
      at_cuts(row, [](Cut& cut) { cut.take_rooms(); });
    }
    const std::uint32_t bit = 1U << k;
    if (view_.route_row[row] <= now) {
      activity.polled |= bit;
      if (step_.route(view_, row, now)) activity.moved |= bit;
    }
    if (!edge) return;
    done(row, 2 * now + 1);
    at_cuts(row, [&](Cut& cut) { cut.send_departures(now); });
  }

  void deliver_and_core(int row, std::uint64_t now, int k, bool last, Activity& activity) {
    const bool edge = at_edge(row);
    if (edge) {
      wait_beside(row, 2 * now + 1);
      at_cuts(row, [&](Cut& cut) { cut.take_departures(now); });
    }
    const std::uint32_t bit = 1U << k;
    if (view_.deliver_row[row] <= now || view_.core_row[row] <= now) {
      activity.timed |= bit;
      if (step_.deliver_and_core(view_, row, now)) activity.moved |= bit;
    }
    if (!edge) return;
    done(row, 2 * now + 2);
    if (!last) at_cuts(row, [](Cut& cut) { cut.send_rooms(); });  // else as the next block begins
  }

  const model::View& view_;
  const RowFunctions& step_;
  const Rows rows_;
  Rows range_ = rows_;  ///< those to step in this block
  Progress& own_;
  Progress *const above_, *const below_;  ///< null: no thread has rows there
  Cut *const north_, *const south_;       ///< null: no other process has
  std::chrono::nanoseconds waited_{};
  const bool downward_;  ///< two neighbours begin, or end, at the rows where they meet
};

}  // namespace weft::engine
