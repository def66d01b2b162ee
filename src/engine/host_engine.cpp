#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "base/crew.hpp"
#include "base/spin_barrier.hpp"
#include "engine/failure.hpp"
#include "engine/given_up.hpp"
#include "engine/host_ports.hpp"
#include "engine/interruption.hpp"
#include "engine/process_ends.hpp"
#include "engine/result.hpp"
#include "engine/share.hpp"
#include "engine/stretch.hpp"
#include "engine/ticker.hpp"
#include "engine/wave.hpp"
#include "model/state/counts_state.hpp"

namespace weft::engine {
namespace {

using model::View;

/// The facts of one thread at the end of a block. There are two of them, so that one barrier
/// suffices.
struct alignas(64) ThreadFacts : BlockFacts {
  bool stop = false;          ///< the progress callback threw
  bool stretch_ends = false;  ///< by the clock of thread 0
  Stretch stretch{};          ///< the present one, so far
};

/// After a fault, nothing was counted of later cycles.
bool counts_in_time(const View& v) { return v.counts != nullptr && !v.counts->ahead; }

/// Cycles between two meetings of the threads: the rows of a wave should stay in a core's
/// second-level cache.
int cycles_per_block(const View& v, int wish) {
  if (counts_in_time(v)) return 1;
  constexpr int kCacheBytes = 1536 * 1024;
  constexpr int kStripBytes = 12 * 1024;  // about what stepping a busy one touches
  if (wish > 0) return std::min(wish, kMostCycles);
  return std::clamp(kCacheBytes / (2 * v.strips * kStripBytes), 4, kMostCycles);
}

BlockFacts facts_of(const View& v, Rows rows) {
  BlockFacts facts;
  for (int row = rows.first; row < rows.last; ++row) facts.add_row(v, row);
  return facts;
}

/// The facts of rows. Writes into `wakes`, by row, when they have work.
BlockFacts look(const View& v, Rows rows, std::span<std::uint64_t> wakes) {
  for (int row = rows.first; row < rows.last; ++row)
    wakes[static_cast<std::size_t>(row)] =
        std::min({v.deliver_row[row], v.core_row[row], v.route_row[row]});
  return facts_of(v, rows);
}

/// The rows that this process steps.
Rows own_rows(const View& v, const RunOptions& options) {
  return options.share != nullptr ? options.share->rows() : Rows{0, v.rows};
}

/// The latest of the cycles of all processes.
struct Latest {
  Share* share;

  std::uint64_t operator()(std::uint64_t cycle) const {
    return share != nullptr ? share->latest(cycle) : cycle;
  }
};

/// The facts of all rows, before a run.
BlockFacts facts_before(const View& v, Rows own, Share* share) {
  if (share == nullptr) return facts_of(v, own);
  std::vector<std::uint64_t> wakes(static_cast<std::size_t>(v.rows));
  const BlockFacts facts = look(v, own, wakes);
  return share->exchange({facts, 0}, wakes).facts;
}

/// Threads that step together, for a part of a run.
struct Shared {
  Shared(const View& v, const RunOptions& o, Ticker& t, int threads_, int stretches_)
      : view(v),
        options(o),
        ticker(t),
        threads(threads_),
        stretches(stretches_),
        rows(own_rows(v, o)),
        barrier(threads_),
        progress(static_cast<std::size_t>(threads_)) {
    for (auto& of_threads : facts) of_threads.resize(static_cast<std::size_t>(threads));
    for (auto& wakes : row_wakes) wakes.resize(static_cast<std::size_t>(v.rows));
    look(v, rows, row_wakes[0]);
    if (o.share != nullptr) o.share->add_others(row_wakes[0]);
  }

  /// After a block: what all processes' threads know together. `wakes`: for the next block.
  void meet_processes(const ThreadFacts& mine, std::span<std::uint64_t> wakes) {
    failure.meets = true;
    together = options.share->exchange({mine, mine.stop ? 1U : 0U, 0}, wakes);
    failure.meets = false;
    failure.announced = together.failed != 0;
    if (failure.announced) throw GivenUp();
    options.share->add_others(wakes);
    if (together.stop != 0 && error == nullptr)
      error = std::make_exception_ptr(stopped_by(options.share->stopped_by()));
  }

  /// By a thread that goes on no more, as it or another one has thrown: nobody waits for it.
  void give_up(int thread) {
    progress[static_cast<std::size_t>(thread)].give_up();
    barrier.abandon();
    if (options.share == nullptr) return;
    const Cuts cuts = options.share->cuts();
    if (thread == 0 && cuts.north != nullptr) cuts.north->give_up();
    if (thread + 1 == threads && cuts.south != nullptr) cuts.south->give_up();
  }

  const View& view;
  const RunOptions& options;
  Ticker& ticker;
  const int threads;
  const int stretches;  ///< after which the run may go on with another number of them; 0: it ends
  const Rows rows;
  // May throw: before threads wait for each other.
  const RowFunctions& step = view.host != nullptr ? hosted_rows : row_functions(view);
  const int block = cycles_per_block(view, options.block);
  base::SpinBarrier barrier;
  std::vector<Progress> progress;
  std::vector<ThreadFacts> facts[2];
  /// Of each row, its next work as a block begins; of even blocks and odd ones, so that what did
  /// not change in two blocks still stands.
  std::vector<std::uint64_t> row_wakes[2];
  bool paid = false;           ///< some stretch did
  std::exception_ptr error{};  ///< of the progress callback
  BlockNews together{};        ///< of all processes, where there are several
  Failure failure{};
};

/// The clock jumps over cycles, in which rows may have something to count.
void count_jump(const View& v, Rows rows, std::uint64_t first, std::uint64_t end) {
  if (v.counts != nullptr && first < end)
    counting_functions().jump(v, rows.first, rows.last, first, end);
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
    all.stretch_ends |= one.stretch_ends;
    all.stretch.taken += one.stretch.taken;  // thread 0's only
    all.stretch.waited += one.stretch.waited;
  }
  return all;
}

/// The stretches of a part of a run, as one of its threads sees them.
class Stretches {
 public:
  explicit Stretches(Shared& s) : shared_(s), length_(s.stretches * s.options.stretch) {}

  /// After a block. `waited`: of this thread, since the part began.
  void note(ThreadFacts& facts, int thread, std::chrono::nanoseconds waited) {
    if (shared_.stretches == 0) return;
    facts.stretch.waited = waited - waited_before_;
    if (thread != 0) return;
    facts.stretch.taken = std::chrono::steady_clock::now() - start_;
    facts.stretch_ends = facts.stretch.taken >= length_;
  }

  /// Whether the part ends with the block that all threads have ended: the same in all of them.
  bool part(const ThreadFacts& all, int thread, std::chrono::nanoseconds waited) {
    if (!all.stretch_ends) return false;
    waited_before_ = waited;
    start_ = std::chrono::steady_clock::now();
    if (shared_.threads == 1 || length_.count() == 0) return true;
    const bool pays = work_pays(shared_.threads, all.stretch);
    if (pays && thread == 0) shared_.paid = true;
    return !pays;
  }

 private:
  Shared& shared_;
  const std::chrono::nanoseconds length_;
  std::chrono::nanoseconds waited_before_{};
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Steps one thread's rows until all stop. `clock` is then where the run has come. None: the run is
/// not over; the progress callback threw, or other threads are to go on. Throws GivenUp if others
/// have given up the run.
std::optional<Stop> run_rows(Shared& s, int thread, Clock& clock) {
  const Rows rows = part_of(s.rows, thread, s.threads);
  View view = s.view;
  Wave wave(view, s.step, s.progress, static_cast<std::size_t>(thread), rows,
            s.options.share != nullptr ? s.options.share->cuts() : Cuts{});
  Watch watch(view, rows);
  Stretches stretches(s);
  std::chrono::nanoseconds waited{};  // where all threads meet
  Stop stop = Stop::quiet;
  bool over = false;
  Rows stepped{0, 0};
  const auto meet = [&] {
    waited += s.barrier.arrive_and_wait();
    if (s.barrier.abandoned()) throw GivenUp();
  };
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
        s.ticker.tick(clock.from);
      } catch (...) {
        s.error = std::current_exception();
        mine.stop = true;
      }
    }
    stretches.note(mine, thread, waited + wave.waited());
    meet();
    ThreadFacts all = combine(s.facts[parity]);
    if (s.options.share != nullptr) {
      if (thread == 0) s.meet_processes(all, s.row_wakes[parity ^ 1]);
      meet();
      static_cast<BlockFacts&>(all) = s.together.facts;
      all.stop = s.together.stop != 0;
    }
    const std::uint64_t after = clock.from + static_cast<std::uint64_t>(cycles);
    over = !clock.advance(all, cycles, stop);
    count_jump(view, rows, after, over ? clock.cycle : clock.from);
    if (over || all.stop || stretches.part(all, thread, waited + wave.waited())) break;
  }
  for (int i = stepped.first * view.strips; i < stepped.last * view.strips; ++i) {
    view.strip[i].way.color_bit = 0;
    view.strip[i].stuck = false;
  }
  if (!over) return {};
  return stop;
}

}  // namespace

RunResult run_on_host(const View& whole, std::uint64_t cycle, const RunOptions& options) {
  View view = whole;
  view.horizon = options.limit;
  if (counts_in_time(view)) view.fast.run_ahead = false;
  if (view.host != nullptr) look_at_host(view, cycle);
  const Rows rows = own_rows(view, options);
  const Latest latest{options.share};
  const BlockFacts before = facts_before(view, rows, options.share);
  Clock clock;
  clock.watch_crowd(view.timing, *view.crowd);
  Stop stop = Stop::quiet;
  const bool steps = clock.start(before, cycle, options.limit, stop);
  count_jump(view, rows, cycle, steps ? clock.from : clock.cycle);
  if (!steps) return result_of(clock, stop, view, latest);
  base::Crew crew(std::clamp(options.threads, 1, rows.count()));
  Ticker ticker(options);
  std::exception_ptr error;
  std::optional<Stop> end;
  int alone_for = 0;  // stretches, the next time
  for (bool alone = crew.threads() == 1; !end && !error; alone = crew.threads() == 1 || !alone) {
    const int stretches = crew.threads() == 1 ? 0 : alone ? alone_for : 1;
    std::optional<Shared> parts;
    try {
      parts.emplace(view, options, ticker, alone ? 1 : crew.threads(), stretches);
    } catch (...) {
      if (options.share == nullptr) throw;
      options.share->end_given_up(std::current_exception(), false);
    }
    Shared& shared = *parts;
    const Clock begin = clock;
    const auto step = [&](int thread) {
      Clock own = begin;
      try {
        const std::optional<Stop> own_end = run_rows(shared, thread, own);
        if (thread != 0) return;  // all have come to the same
        end = own_end;
        clock = own;
      } catch (const GivenUp&) {
        shared.give_up(thread);
      } catch (...) {
        shared.failure.note(std::current_exception());
        shared.give_up(thread);
      }
    };
    if (alone)
      step(0);
    else
      crew.run(step);
    if (shared.barrier.abandoned()) shared.failure.end(options.share);
    error = shared.error;
    if (!alone) alone_for = stretches_alone(alone_for, shared.paid);
  }
  *view.crowd = clock.crowd;
  if (!end)
    return end_interrupted(
        first_whole_cycle(view, clock.from, latest), clock, options, error,
        [&](const RunOptions& rest) { return run_on_host(view, clock.from, rest); });
  if (*end == Stop::fault && view.counts != nullptr)
    counting_functions().catch_up(view, clock.cycle);
  RunResult result = result_of(clock, *end, view, latest);
  result.thrown = error;
  return result;
}

}  // namespace weft::engine
