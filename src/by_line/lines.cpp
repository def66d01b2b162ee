#include "by_line/lines.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

#include "base/crew.hpp"
#include "by_line/bundle_loop.hpp"
#include "by_line/equal_lines.hpp"
#include "by_line/past_counts.hpp"
#include "by_line/progress_meter.hpp"
#include "by_line/shared_lines.hpp"
#include "by_line/stepped_cycles.hpp"
#include "engine/left.hpp"
#include "engine/result.hpp"

namespace weft::by_line {
namespace {

using engine::Clock;
using engine::holds_wavelets;
using engine::RunOptions;
using engine::RunResult;
using engine::Stop;
using model::kNever;
using model::View;

/// Sets the clocks of lines so that each begins as the first of its PEs goes on; the bundle's clock
/// is the latest one's. False: no PE of them has stopped.
bool set_clocks(LineGroup& lines, const View& whole, const PeTimes& times) {
  const int length = lines.rows ? whole.width : whole.height;
  std::array<std::uint64_t, model::kLanes> begin{};
  bool any = false;
  lines.start = 0;
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(lines.count); ++lane) {
    std::uint64_t stopped = kNever, known = 0;
    for (int place = 0; place < length; ++place) {
      const std::size_t pe = lines.pe(whole.width, lane, place);
      stopped = std::min(stopped, times.stopped[pe]);
      known = std::max(known, times.from[pe]);
    }
    any |= stopped != kNever;
    begin[lane] = stopped != kNever ? stopped : known;
    lines.start = std::max(lines.start, begin[lane]);
  }
  for (std::size_t lane = 0; lane < static_cast<std::size_t>(lines.count); ++lane)
    lines.clock_lag[lane] = lines.start - begin[lane];
  return any;
}

/// The bundles of a phase, as few as possible: one with half the lines takes hardly less time. Of
/// some lines, as the run begins, in cycle `now`, all; later, those of which a PE has stopped.
std::vector<LineGroup> bundles_of(const View& whole, const PeTimes& times, bool rows,
                                  const engine::Rows& of, bool begins, std::uint64_t now) {
  static_assert(model::kLanes % model::kStripWidth == 0);  // they share no strip of the whole
  static_assert(model::kLanes % model::kStripHeight == 0);
  std::vector<LineGroup> bundles;
  for (int line = of.first; line < of.last; line += model::kLanes) {
    LineGroup lines = neighbours(rows, line, std::min(model::kLanes, of.last - line), now, begins);
    if (begins || set_clocks(lines, whole, times)) bundles.push_back(lines);
  }
  return bundles;
}

/// Some PE of these lines has stopped: there is another phase.
bool any_stopped(const View& whole, const PeTimes& times, bool rows, const engine::Rows& of) {
  const int length = rows ? whole.width : whole.height;
  for (int line = of.first; line < of.last; ++line)
    for (int place = 0; place < length; ++place)
      if (times.stopped[number_of_pe(rows, whole.width, line, place)] != kNever) return true;
  return false;
}

/// Lines that were stepped have counted in windows of time of the whole fabric, but for that
/// nothing was done. Returns whether these are as before.
bool forget_windows(model::Counts& c, bool begins, std::size_t strips) {
  if (c.windows == 0) return true;
  if (!begins) return false;
  for (std::size_t strip = 0; strip < strips; ++strip) {
    model::StripCounts& s = c.strip[strip];
    const std::size_t numbers = std::size_t{c.windows} * model::kLanes;
    for (std::size_t series = 0; series < model::kSeries; ++series) {
      if ((s.used >> series & 1U) == 0) continue;  // its memory stays untouched
      const std::size_t first = (strip * model::kSeries + series) * numbers;
      std::fill_n(c.narrow + first, numbers, std::uint16_t{0});
      if ((s.wide >> series & 1U) != 0) std::fill_n(c.wide + first, numbers, 0U);
    }
    s.used = 0;
    s.wide = s.window_bits = 0;
  }
  return true;
}

struct StopRequested {};

/// Steps bundles, each by one thread.
class Bundles {
 public:
  Bundles(const View& whole, const LineFacts& facts, const RunOptions& options, PeTimes& times,
          std::uint64_t first, Watcher* watcher)
      : whole_(whole),
        facts_(facts),
        options_(options),
        times_(times),
        progress_(options),
        stepped_(first),
        watcher_(watcher) {}

  bool packs = false;  ///< what was counted before, in all processes: their strips go over
  SteppedCycles& cycles() { return stepped_; }

  /// So far, but for what follows from the whole fabric.
  PhaseNews news() const {
    return {.reached = reached_, .task_end = end_, .end_within = end_within_};
  }

  /// As run, but of lines in the same state only one is stepped. None: nothing was done. Else
  /// whether strips stopped before something else than a wavelet, so that the phase goes on.
  std::optional<bool> run_equal(const std::vector<LineGroup>& bundles) {
    const std::optional<EqualLines> equal = equal_lines(whole_, facts_, times_, bundles);
    if (!equal) return {};
    BundleState state(facts_, std::max(whole_.width, whole_.height));
    progress_.begin_phase({equal->stepped}, 1);
    try {
      const Stopped end = step(state, equal->stepped, 0);
      for (const LineGroup& bundle : bundles) {
        LineGroup lines = bundle;
        std::array<std::uint8_t, model::kLanes> lanes{};
        for (std::size_t n = 0; n < static_cast<std::size_t>(lines.count); ++n) {
          lines.clock_lag[n] += equal->stepped.start - bundle.start;
          lanes[n] = equal->lane[static_cast<std::size_t>(lines.line[n])];
        }
        give(state, lines, lanes.data());
        lines.start = equal->stepped.start;
        stepped_.add(end.stepped, lines);
        note_ended(lines, end);
      }
      note_end(end, equal->stepped.begins);
    } catch (const LinesMet&) {
      if (whole_.counts != nullptr &&
          !forget_windows(*whole_.counts, equal->stepped.begins, whole_.strip_count()))
        throw EqualLinesDiffered{};
      return {};
    }
    return state.unequal();
  }

  /// Steps the bundles of a phase.
  void run(const std::vector<LineGroup>& bundles) {
    progress_.begin_phase(bundles, states_.size());
    next_ = 0;
    base::Crew crew(static_cast<int>(std::min(states_.size(), bundles.size())));
    working_ = crew.threads();
    crew.run([&](int thread) {
      work(bundles, static_cast<std::size_t>(thread));
      if (thread == 0) wait();
    });
    if (error_) std::rethrow_exception(error_);
  }

 private:
  /// The first exception stops all threads.
  template <class F>
  void guard(F f) {
    try {
      f();
    } catch (const StopRequested&) {
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!error_) error_ = std::current_exception();
      stop_ = true;
    }
  }

  void work(const std::vector<LineGroup>& bundles, std::size_t thread) {
    guard([&] {
      for (std::size_t i = next_++; !stop_ && i < bundles.size(); i = next_++) {
        const Stopped end = run_one(bundles[i], thread);
        const std::scoped_lock lock(mutex_);
        note_end(end, bundles[i].begins);
        stepped_.add(end.stepped, bundles[i]);
        note_ended(bundles[i], end);
      }
    });
    const std::scoped_lock lock(mutex_);
    --working_;
    ended_.notify_one();
  }

  /// A later phase has lines with clocks of their own: of its last cycles it is not known which
  /// lines did something in them.
  void note_end(const Stopped& end, bool one_clock) {
    reached_ = std::max(reached_, end.clock.cycle);
    end_ = std::max({end_, end.last.task_end, one_clock ? end.clock.cycle : 0});
    // After a wavelet that was taken without a task, its core is looked at once more.
    if (!one_clock) end_within_ = std::max(end_within_, end.last.other + 2);
  }

  void note_ended(const LineGroup& lines, const Stopped& end) {
    if (watcher_ != nullptr) watcher_->ended(lines, end.last);
  }

  /// By the first thread, which has no more to do: until the others have.
  void wait() {
    const auto all_ended = [this] { return working_ == 0; };
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, std::chrono::milliseconds(100), all_ended)) {
      lock.unlock();
      if (!stop_) guard([this] { progress_.report(0); });
      lock.lock();
    }
  }

  Stopped run_one(const LineGroup& lines, std::size_t thread) {
    auto& state = states_[thread];
    if (!state) state.emplace(facts_, std::max(whole_.width, whole_.height));
    Stopped end = step(*state, lines, thread);
    give(*state, lines, kOwnLanes.data());
    return end;
  }

  void give(BundleState& state, const LineGroup& lines, const std::uint8_t* lanes) {
    state.give(whole_, lines, lanes, times_);
    if (packs && whole_.counts != nullptr) pack_lines_of_programs(whole_, lines);
  }

  /// Steps lines to the end of their phase.
  Stopped step(BundleState& state, const LineGroup& lines, std::size_t thread) {
    const View view = state.take(whole_, lines, times_);
    RunOptions options;
    options.limit = options_.limit;
    options.pause = options_.pause;
    options.progress = [&](std::uint64_t cycle) {
      if (stop_) throw StopRequested{};
      if (thread == 0) progress_.report(cycle - lines.start);
    };
    Stopped end = run_bundle(view, lines.start, options);
    if (end.stop != Stop::quiet || holds_wavelets(view)) throw LinesMet{};
    state.end_run(end.clock.cycle);
    progress_.bundle_done(end.clock.cycle - lines.start);
    return end;
  }

  const View& whole_;
  const LineFacts& facts_;
  const RunOptions& options_;
  PeTimes& times_;
  ProgressMeter progress_;
  std::vector<std::optional<BundleState>> states_{
      static_cast<std::size_t>(std::max(options_.threads, 1))};
  std::atomic<std::size_t> next_{0};  ///< bundle
  std::mutex mutex_;                  ///< of what follows
  std::condition_variable ended_;
  int working_ = 0;                                       ///< threads
  std::uint64_t reached_ = 0, end_ = 0, end_within_ = 0;  ///< as in PhaseNews
  SteppedCycles stepped_;
  Watcher* watcher_;
  std::exception_ptr error_{};
  std::atomic<bool> stop_ = false;
};

/// This process's part of a run, of which it may have all.
class Part {
 public:
  Part(const View& whole, SharedLines* shared) : whole_(whole), shared_(shared) {}

  /// The rows that it steps, or the columns.
  engine::Rows lines(bool rows) const {
    if (shared_ != nullptr) return shared_->lines(rows);
    return {0, rows ? whole_.height : whole_.width};
  }
  /// As SharedLines::guard.
  template <class F>
  void guard(const F& work) const {
    if (shared_ != nullptr)
      shared_->guard(work);
    else
      work();
  }
  PhaseNews agree(const PhaseNews& mine) const {
    return shared_ != nullptr ? shared_->agree(mine) : mine;
  }
  void exchange(bool rows_next, PeTimes& times) const {
    if (shared_ == nullptr) return;
    shared_->exchange(rows_next, times);
    shared_->agree({});  // a message of MPI may stay until its sender calls MPI again
  }
  std::uint64_t latest(std::uint64_t cycle) const {
    return shared_ != nullptr ? shared_->latest(cycle) : cycle;
  }

 private:
  const View& whole_;
  SharedLines* shared_;
};

/// After the last phase, in which all has come to rest.
RunResult end_of_run(const View& whole, const Part& part, const PhaseNews& last, int phases,
                     std::uint64_t limit, const PeTimes& times) {
  for (std::size_t i = 0; i < whole.strip_count(); ++i)
    whole.route_wake[i] = whole.deliver_wake[i] = whole.core_wake[i] = kNever;
  for (int row = 0; row < whole.rows; ++row)
    whole.route_row[row] = whole.deliver_row[row] = whole.core_row[row] = kNever;
  Clock clock;
  clock.limit = limit;
  clock.cycle = last.task_end;
  if (last.end_within > clock.cycle) throw LinesMet{};
  RunResult result = engine::result_of(clock, Stop::quiet, whole,
                                       [&](std::uint64_t mine) { return part.latest(mine); });
  if (result.stop != Stop::quiet) throw LinesMet{};
  // Cores that were looked at for something that they cannot take did nothing that is noted.
  const bool left = part.latest(engine::anything_left(whole) ? 1 : 0) != 0;
  if (phases > 1 && left) throw LinesMet{};
  part.guard([&] {
    if (whole.counts != nullptr) settle_waits(whole, times.from, result.cycle);
  });
  part.agree({});
  return result;
}

RunResult run_by_line(const View& whole, const Part& part, const LineFacts& facts,
                      std::uint64_t cycle, const RunOptions& options, bool must_pay,
                      Watcher* watcher, SharedLines* shared, Packing packing) {
  PeTimes times;
  Bundles stepped(whole, facts, options, times, cycle, watcher);
  stepped.packs = packing == Packing::always || part.latest(counts_much(whole) ? 1 : 0) != 0;
  const auto wavelets = [&] {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < whole.strip_count(); ++i) all += whole.strip[i].wavelets;
    return all;
  };
  int phases = 0;
  bool equal_lines = whole.fast.equal_lines, rows = true;
  const auto step = [&](PhaseNews& news) {
    const engine::Rows own = part.lines(rows);
    if (phases == 0) times = PeTimes::at(whole, cycle);
    std::vector<LineGroup> bundles = bundles_of(whole, times, rows, own, phases == 0, cycle);
    if (watcher != nullptr) watcher->begins({phases, whole, facts, times, bundles});
    const std::uint64_t before = wavelets();
    std::optional<bool> goes_on = !bundles.empty();
    if (equal_lines && (bundles.size() > 1 || (!must_pay && !bundles.empty()))) {
      goes_on = stepped.run_equal(bundles);
      equal_lines = goes_on.has_value();  // lines that differed will do so
      if (goes_on == true) bundles = bundles_of(whole, times, rows, own, false, cycle);
    }
    if (goes_on.value_or(true)) stepped.run(bundles);
    if (stepped.packs && whole.counts != nullptr) pack_past_windows(whole, times.from);
    news = stepped.news();
    news.wavelets = wavelets() - before;
    news.goes_on = any_stopped(whole, times, rows, own);
  };
  PhaseNews all;
  for (;; rows = !rows) {
    PhaseNews mine;
    part.guard([&] { step(mine); });
    all = part.agree(mine);
    if (phases > 0 && all.wavelets == 0) throw LinesMet{};
    ++phases;
    if (!all.goes_on) break;
    if (must_pay && too_short(facts, all.reached - cycle, phases)) throw LinesMet{};
    part.exchange(!rows, times);
  }
  if (!rows) part.exchange(true, times);  // after a run a process has rows
  RunResult result = end_of_run(whole, part, all, phases, options.limit, times);
  if (shared != nullptr) stepped.cycles().add_others(*shared);
  result.skipped = result.cycle - cycle - stepped.cycles().count(result.cycle);
  return result;
}

}  // namespace

bool too_short(const LineFacts& facts, std::uint64_t cycles, int phases) {
  constexpr std::uint64_t kState = 64;  // words of a PE, about, that are copied beside its memory
  return phases >= 4 &&
         cycles < static_cast<std::uint64_t>(phases) * (facts.memory_bytes / 4 + kState);
}

RunResult run(const View& whole, std::uint64_t cycle, const RunOptions& options, bool must_pay,
              Watcher* watcher, SharedLines* shared, Packing packing) {
  const Part part(whole, shared);
  std::optional<LineFacts> facts;
  part.guard([&] { facts = lines_of(whole); });
  if (shared != nullptr) {
    shared->agree({});
    facts = shared->facts_of_all(facts);
    if (!facts) throw LinesMet{};
  }
  if (!facts) return engine::run_on_host(whole, cycle, options);
  RunOptions own = options;
  if (shared != nullptr) own.progress = shared->watched(options.progress);
  return run_by_line(whole, part, *facts, cycle, own, must_pay, watcher, shared, packing);
}

}  // namespace weft::by_line
