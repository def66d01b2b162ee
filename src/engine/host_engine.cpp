#include <algorithm>
#include <chrono>
#include <exception>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/engine.hpp"
#include "engine/spin_barrier.hpp"
#include "engine/step_functions.hpp"

namespace weft::engine {
namespace {

using model::kNever;
using model::View;

/// What one thread knows at the end of a cycle. Two of them, so that one barrier suffices.
struct alignas(64) Report {
  bool any = false;               ///< something moved
  bool stop = false;              ///< the progress callback threw
  std::uint64_t timed = kNever;   ///< next work that comes by itself
  std::uint64_t polled = kNever;  ///< wavelets at open inputs, perhaps stuck
  std::uint64_t fault = kNever;   ///< cycle of the first fault
};

struct Shared {
  Shared(const View& v, const RunOptions& o, int threads) : view(v), options(o), barrier(threads) {
    for (auto& report : reports) report.resize(static_cast<std::size_t>(threads));
  }

  const View& view;
  const StepFunctions& step = step_functions();
  const RunOptions& options;
  SpinBarrier barrier;
  std::vector<Report> reports[2];
  std::exception_ptr error{};
};

struct Rows {
  int first, last;
};

Report look(const View& v, Rows rows) {
  Report report;
  for (int row = rows.first; row < rows.last; ++row) {
    report.timed = std::min({report.timed, v.deliver_row[row], v.core_row[row]});
    report.polled = std::min(report.polled, v.route_row[row]);
    if (v.faults[row].kind != FaultKind::none)
      report.fault = std::min(report.fault, v.faults[row].cycle);
  }
  return report;
}

/// Calls the user's progress function a few times a second.
class Ticker {
 public:
  explicit Ticker(const RunOptions& options) : options_(options) {}

  void cycle(std::uint64_t now) {
    if (!options_.progress || ++steps_ % 256 != 0) return;
    const auto time = std::chrono::steady_clock::now();
    if (time - last_ < std::chrono::milliseconds(100)) return;
    last_ = time;
    options_.progress(now);
  }

 private:
  const RunOptions& options_;
  std::uint64_t steps_ = 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

Report combine(const std::vector<Report>& reports) {
  Report all;
  for (const Report& one : reports) {
    all.any |= one.any;
    all.stop |= one.stop;
    all.timed = std::min(all.timed, one.timed);
    all.polled = std::min(all.polled, one.polled);
    all.fault = std::min(all.fault, one.fault);
  }
  return all;
}

RunResult run_rows(Shared& s, int thread, Rows rows, std::uint64_t now) {
  Ticker ticker(s.options);
  RunResult result;
  int parity = 0;
  for (;;) {
    bool any = false;
    for (int row = rows.first; row < rows.last; ++row) any |= s.step.route_row(s.view, row, now);
    s.barrier.arrive_and_wait();
    for (int row = rows.first; row < rows.last; ++row)
      any |= s.step.deliver_and_core_row(s.view, row, now);

    Report& mine = s.reports[parity][static_cast<std::size_t>(thread)];
    mine = look(s.view, rows);
    mine.any = any;
    if (thread == 0) {
      try {
        ticker.cycle(now);
      } catch (...) {
        s.error = std::current_exception();
        mine.stop = true;
      }
    }
    s.barrier.arrive_and_wait();
    const Report all = combine(s.reports[parity]);
    parity ^= 1;

    // 4. Skip. What is stuck stays stuck until something else happens.
    const std::uint64_t next = all.any ? std::min(all.timed, all.polled) : all.timed;
    result.cycle = now + 1;
    if (all.stop) return result;
    if (all.fault != kNever && next > all.fault) {
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
    result.skipped += next - result.cycle;
    now = next;
  }
}

}  // namespace

RunResult run_on_host(View view, std::uint64_t cycle, const RunOptions& options) {
  if (cycle >= options.limit) return {Stop::limit, cycle, 0};
  view.horizon = options.limit;
  const Report before = look(view, {0, view.height});
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
