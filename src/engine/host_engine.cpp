#include <algorithm>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "base/crew.hpp"
#include "base/spin_barrier.hpp"
#include "engine/interruption.hpp"
#include "engine/result.hpp"
#include "engine/ticker.hpp"
#include "engine/wave.hpp"

namespace weft::engine {
namespace {

using model::kNever;
using model::View;

/// The facts of one thread at the end of a block. There are two of them, so that one barrier
/// suffices.
struct alignas(64) ThreadFacts : BlockFacts {
  bool stop = false;  ///< the progress callback threw
};

/// Cycles between two meetings of the threads: the rows of a wave should stay in a core's
/// second-level cache.
int cycles_per_block(const View& v, int wish) {
  constexpr int kCacheBytes = 1536 * 1024;
  constexpr int kStripBytes = 12 * 1024;  // about what stepping a busy one touches
  if (wish > 0) return std::min(wish, kMostCycles);
  return std::clamp(kCacheBytes / (2 * v.strips * kStripBytes), 4, kMostCycles);
}

struct Shared {
  Shared(const View& v, const RunOptions& o, int threads)
      : view(v), options(o), barrier(threads), progress(static_cast<std::size_t>(threads)) {
    for (auto& of_threads : facts) of_threads.resize(static_cast<std::size_t>(threads));
    for (auto& wakes : row_wakes) wakes.resize(static_cast<std::size_t>(v.rows));
  }

  const View& view;
  const RunOptions& options;
  // May throw: before threads wait for each other.
  const RowFunctions& step = step_functions().rows;
  const int block = cycles_per_block(view, options.block);
  base::SpinBarrier barrier;
  std::vector<Progress> progress;
  std::vector<ThreadFacts> facts[2];
  /// Of each row, its next work as a block begins; of even blocks and odd ones, so that what did
  /// not change in two blocks still stands.
  std::vector<std::uint64_t> row_wakes[2];
  std::exception_ptr error{};
};

/// The facts of rows. Writes into `wakes`, by row, when they have work.
BlockFacts look(const View& v, Rows rows, std::span<std::uint64_t> wakes) {
  BlockFacts facts;
  for (int row = rows.first; row < rows.last; ++row) {
    facts.add_row(v, row);
    wakes[static_cast<std::size_t>(row)] =
        std::min({v.deliver_row[row], v.core_row[row], v.route_row[row]});
  }
  return facts;
}

/// The facts of one thread's rows, kept by groups of rows: where none was stepped, nothing is new.
class Watch {
 public:
  Watch(const View& v, Rows rows)
      : view_(v),
        rows_(rows),
        groups_(static_cast<std::size_t>(rows.last - rows.first + kRows - 1) / kRows),
        before_(rows) {}

  /// A range of rows that has all those with work before `end`.
  Rows awake(std::uint64_t end) const {
    if (!known_) return rows_;
    const bool others_wake = std::min(others_.next_timed, others_.next_polled) < end;
    const Groups groups = others_wake ? all_groups() : watched_;
    Rows range{0, 0};
    for (int k = groups.first; k < groups.last; ++k)
      if (std::min(at(k).next_timed, at(k).next_polled) < end) range = hull(range, group(k));
    return range;
  }

  /// After a block in which the rows `stepped` were. `wakes`, by row of strips, is as it was two
  /// blocks ago.
  BlockFacts look(Rows stepped, std::span<std::uint64_t> wakes) {
    watch(hull(stepped, before_));
    before_ = stepped;
    known_ = true;
    BlockFacts all = others_;
    for (int k = watched_.first; k < watched_.last; ++k) {
      groups_[static_cast<std::size_t>(k)] = engine::look(view_, group(k), wakes);
      all.add(at(k));
    }
    return all;
  }

 private:
  struct Groups {
    int first, last;  ///< the one after them
    bool operator==(const Groups&) const = default;
  };

  Groups all_groups() const { return {0, static_cast<int>(groups_.size())}; }
  const BlockFacts& at(int k) const { return groups_[static_cast<std::size_t>(k)]; }
  Rows group(int k) const {
    const int first = rows_.first + k * kRows;
    return {first, std::min(first + kRows, rows_.last)};
  }

  /// From now on, the groups that have these rows.
  void watch(Rows rows) {
    const Groups groups = rows.empty() ? Groups{0, 0}
                                       : Groups{(rows.first - rows_.first) / kRows,
                                                (rows.last - rows_.first + kRows - 1) / kRows};
    if (groups == watched_) return;
    watched_ = groups;
    others_ = {};
    for (int k = 0; k < all_groups().last; ++k)
      if (k < groups.first || k >= groups.last) others_.add(at(k));
  }

  static constexpr int kRows = 2;  // chosen: 8 cost a fabric with one busy row 2 % of its time

  const View& view_;
  const Rows rows_;
  std::vector<BlockFacts> groups_;
  Rows before_;           ///< stepped in the block before
  Groups watched_{0, 0};  ///< with rows that were stepped in the last two blocks
  BlockFacts others_{};   ///< what the other groups know
  bool known_ = false;    ///< what the groups know: not before the first look
};

ThreadFacts combine(const std::vector<ThreadFacts>& facts) {
  ThreadFacts all;
  for (const ThreadFacts& one : facts) {
    all.add(one);
    all.stop |= one.stop;
  }
  return all;
}

/// Steps one thread's rows until all stop. `clock` is then where the run has come. None: the
/// progress callback threw before the run was over.
std::optional<Stop> run_rows(Shared& s, int thread, Rows rows, Clock& clock) {
  Ticker ticker(s.options);
  View view = s.view;
  Wave wave(view, s.step, s.progress, static_cast<std::size_t>(thread), rows);
  Watch watch(view, rows);
  Stop stop = Stop::quiet;
  bool over = false;
  Rows stepped{0, 0};
  for (int parity = 0;; parity ^= 1) {
    const int cycles = clock.cycles(s.block);
    clock.tell(view);
    ThreadFacts& mine = s.facts[parity][static_cast<std::size_t>(thread)];
    mine = {};
    const Rows awake = watch.awake(clock.from + static_cast<std::uint64_t>(cycles));
    mine.activity = wave.run(clock.from, cycles, awake, s.row_wakes[parity]);
    mine.add(watch.look(wave.stepped(), s.row_wakes[parity ^ 1]));
    stepped = hull(stepped, wave.stepped());
    if (thread == 0) {
      try {
        ticker.tick(clock.from);
      } catch (...) {
        s.error = std::current_exception();
        mine.stop = true;
      }
    }
    s.barrier.arrive_and_wait();
    const ThreadFacts all = combine(s.facts[parity]);
    over = !clock.advance(all, cycles, stop);
    if (over || all.stop) break;
  }
  for (int i = stepped.first * view.strips; i < stepped.last * view.strips; ++i)
    view.strip[i].way.color_bit = 0;
  if (!over) return {};
  return stop;
}

}  // namespace

RunResult run_on_host(const View& whole, std::uint64_t cycle, const RunOptions& options) {
  View view = whole;
  view.horizon = options.limit;
  std::vector<std::uint64_t> wakes(static_cast<std::size_t>(view.rows));
  const BlockFacts before = look(view, {0, view.rows}, wakes);
  Clock clock;
  clock.watch_crowd(view.timing, *view.crowd);
  Stop stop = Stop::quiet;
  if (!clock.start(before, cycle, options.limit, stop)) return result_of(clock, stop, view);
  base::Crew crew(std::clamp(options.threads, 1, view.rows));
  const int threads = crew.threads();
  Shared shared(view, options, threads);
  shared.row_wakes[0] = std::move(wakes);
  std::optional<Stop> end;
  Clock at_end;
  crew.run([&](int thread) {
    const Rows rows{view.rows * thread / threads, view.rows * (thread + 1) / threads};
    Clock own = clock;
    const std::optional<Stop> own_end = run_rows(shared, thread, rows, own);
    if (thread != 0) return;  // all have come to the same
    end = own_end;
    at_end = own;
  });
  *view.crowd = at_end.crowd;
  if (!end)
    return end_interrupted(
        first_whole_cycle(view, at_end.from), at_end, options, shared.error,
        [&](const RunOptions& rest) { return run_on_host(view, at_end.from, rest); });
  RunResult result = result_of(at_end, *end, view);
  result.thrown = shared.error;
  return result;
}

}  // namespace weft::engine
