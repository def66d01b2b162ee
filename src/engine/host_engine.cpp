#include <algorithm>
#include <chrono>
#include <exception>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/engine.hpp"
#include "engine/spin_barrier.hpp"
#include "engine/wave.hpp"

namespace weft::engine {
namespace {

using model::kNever;
using model::View;

/// What one thread knows at the end of a block. Two of them, so that one barrier suffices.
struct alignas(64) Report {
  Activity activity;
  bool stop = false;              ///< the progress callback threw
  std::uint64_t timed = kNever;   ///< next work that comes by itself
  std::uint64_t polled = kNever;  ///< wavelets at open inputs, perhaps stuck
  std::uint64_t fault = kNever;   ///< cycle of the first fault
};

/// Cycles between two meetings of the threads: the rows of a wave should stay in a core's
/// second-level cache.
int cycles_per_block(const View& v, int wish) {
  constexpr int kCacheBytes = 1536 * 1024;
  constexpr int kStripBytes = 6 * 1024;  // about what stepping a busy one touches
  if (wish > 0) return std::min(wish, kMostCycles);
  return std::clamp(kCacheBytes / (2 * v.strips * kStripBytes), 4, kMostCycles);
}

struct Shared {
  Shared(const View& v, const RunOptions& o, int threads)
      : view(v), options(o), barrier(threads), progress(static_cast<std::size_t>(threads)) {
    for (auto& report : reports) report.resize(static_cast<std::size_t>(threads));
  }

  const View& view;
  const RunOptions& options;
  const StepFunctions& step = step_functions();  // may throw: before threads wait for each other
  const int block = cycles_per_block(view, options.block);
  SpinBarrier barrier;
  std::vector<Progress> progress;
  std::vector<Report> reports[2];
  std::exception_ptr error{};
};

void look(const View& v, Rows rows, Report& report) {
  for (int row = rows.first; row < rows.last; ++row) {
    report.timed = std::min({report.timed, v.deliver_row[row], v.core_row[row]});
    report.polled = std::min(report.polled, v.route_row[row]);
    report.fault = std::min(report.fault, v.fault_row[row]);
  }
}

/// Calls the user's progress function a few times a second.
class Ticker {
 public:
  explicit Ticker(const RunOptions& options) : options_(options) {}

  void block(std::uint64_t now) {
    if (!options_.progress || ++blocks_ % 16 != 0) return;
    const auto time = std::chrono::steady_clock::now();
    if (time - last_ < std::chrono::milliseconds(100)) return;
    last_ = time;
    options_.progress(now);
  }

 private:
  const RunOptions& options_;
  std::uint64_t blocks_ = 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

Report combine(const std::vector<Report>& reports) {
  Report all;
  for (const Report& one : reports) {
    all.activity.moved |= one.activity.moved;
    all.activity.timed |= one.activity.timed;
    all.activity.polled |= one.activity.polled;
    all.stop |= one.stop;
    all.timed = std::min(all.timed, one.timed);
    all.polled = std::min(all.polled, one.polled);
    all.fault = std::min(all.fault, one.fault);
  }
  return all;
}

/// The cycles of a block, a bit each, that had to be stepped: others could be jumped over, because
/// what is stuck stays stuck until something else happens. `moved`: something did in the cycle
/// before the block.
std::uint32_t needed_cycles(const Activity& activity, int cycles, bool moved) {
  std::uint32_t needed = 0;
  for (int k = 0; k < cycles; ++k) {
    const std::uint32_t bit = 1U << k;
    if ((activity.timed & bit) != 0 || (moved && (activity.polled & bit) != 0)) needed |= bit;
    moved = (activity.moved & bit) != 0;
  }
  return needed;
}

RunResult run_rows(Shared& s, int thread, Rows rows, std::uint64_t first) {
  Ticker ticker(s.options);
  Wave wave(s.view, s.step, s.progress, static_cast<std::size_t>(thread), rows);
  RunResult result;
  result.cycle = first;
  std::uint64_t from = first, fault = kNever;
  bool moved = true;  // so that the first cycle counts
  for (int parity = 0;; parity ^= 1) {
    // The clock stops after the cycle of a fault that is known already.
    const std::uint64_t end = std::min(s.options.limit, fault == kNever ? kNever : fault + 1);
    const int cycles =
        static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(s.block), end - from));
    Report& mine = s.reports[parity][static_cast<std::size_t>(thread)];
    mine = {};
    mine.activity = wave.run(from, cycles);
    look(s.view, rows, mine);
    if (thread == 0) {
      try {
        ticker.block(from);
      } catch (...) {
        s.error = std::current_exception();
        mine.stop = true;
      }
    }
    s.barrier.arrive_and_wait();
    const Report all = combine(s.reports[parity]);

    const std::uint32_t needed = needed_cycles(all.activity, cycles, moved);
    const auto count_to = [&](std::uint64_t last) {  // the needed cycles, up to `last`
      for (int k = 0; k < cycles; ++k) {
        const std::uint64_t cycle = from + static_cast<std::uint64_t>(k);
        if ((needed >> k & 1U) == 0 || cycle > last) continue;
        result.skipped += cycle - result.cycle;
        result.cycle = cycle + 1;
      }
    };
    fault = all.fault;
    if (all.stop) {
      count_to(kNever);
      return result;
    }
    // 4. Skip.
    const std::uint64_t after = from + static_cast<std::uint64_t>(cycles);
    moved = (all.activity.moved >> (cycles - 1) & 1U) != 0;
    const std::uint64_t next = moved ? std::min(all.timed, all.polled) : all.timed;
    count_to(fault);
    if (fault < after || (fault != kNever && next > fault)) {
      result.stop = Stop::fault;
      return result;
    }
    if (next == kNever) {
      result.stop = Stop::quiet;
      return result;
    }
    if (next >= s.options.limit) {
      result.stop = Stop::limit;
      result.skipped += s.options.limit - result.cycle;
      result.cycle = s.options.limit;
      return result;
    }
    from = next;
  }
}

}  // namespace

RunResult run_on_host(View view, std::uint64_t cycle, const RunOptions& options) {
  if (cycle >= options.limit) return {Stop::limit, cycle, 0};
  view.horizon = options.limit;
  Report before;
  look(view, {0, view.height}, before);
  const std::uint64_t first = std::max(cycle, std::min(before.timed, before.polled));
  if (first == kNever) return {Stop::quiet, cycle, 0};
  if (first >= options.limit) return {Stop::limit, options.limit, options.limit - cycle};
  // Threads wait until it is known how many there are: the system may refuse some.
  // (Declared before the promise: if that is broken, they end, and can be joined.)
  std::vector<std::jthread> others;
  std::promise<Shared*> promise;
  const std::shared_future<Shared*> begin(promise.get_future());
  int threads = std::clamp(options.threads, 1, view.height);
  const auto run_thread = [&view, &threads, first](Shared& shared, int thread) {
    const Rows rows{view.height * thread / threads, view.height * (thread + 1) / threads};
    return run_rows(shared, thread, rows, first);
  };
  try {
    for (int thread = 1; thread < threads; ++thread)
      others.emplace_back([run_thread, begin, thread] {
        try {
          run_thread(*begin.get(), thread);
        } catch (const std::future_error&) {
        }
      });
  } catch (const std::system_error&) {
    threads = static_cast<int>(others.size()) + 1;
  }
  Shared shared(view, options, threads);
  promise.set_value(&shared);
  RunResult result = run_thread(shared, 0);
  others.clear();
  result.skipped += first - cycle;
  if (shared.error) std::rethrow_exception(shared.error);
  return result;
}

}  // namespace weft::engine
