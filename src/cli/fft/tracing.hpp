#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/fft.hpp"
#include "weft/trace.hpp"

/// `weft fft --trace`.
namespace weft::cli {

/// The options, as given.
struct TraceArguments {
  std::optional<std::string> path, pes, cycles, limit;
  std::vector<std::string> kinds{}, colors{};
};

/// What they ask for.
struct Tracing {
  EventChoice choice{};
  std::uint64_t limit = kTraceLimit;
};

/// Throws Error(usage) for what is no option's value, for options without --trace, and for a name
/// without a trace's suffix.
Tracing parse_tracing(const TraceArguments& arguments);

/// Throws Error(usage) for a trace of all PEs that would be larger than its limit by far, by the
/// plan's estimate.
void check_size(const Tracing& tracing, const FftPlan& plan, FftDirection direction);

/// Takes events while a run goes on, and writes the file when it is over, however it ended.
class RunTrace {
 public:
  RunTrace(const std::string& path, std::uint64_t limit) : path_(path), limit_(limit) {}

  void take(Fabric& fabric) { trace_.emplace(fabric, path_, limit_); }
  /// Where events lack, a line on standard error says so.
  void close();
  /// The same after an error, which it does not hide: where the file cannot be written, a line on
  /// standard error says why.
  void try_to_close();

 private:
  std::string path_;
  std::uint64_t limit_;
  std::optional<Trace> trace_{};
};

/// run(trace), with a trace if there is a path; after a fault it is written too.
template <class F>
auto traced(const std::optional<std::string>& path, std::uint64_t limit, F run) {
  if (!path) return run(static_cast<RunTrace*>(nullptr));
  RunTrace trace(*path, limit);
  try {
    auto result = run(&trace);
    trace.close();
    return result;
  } catch (const FaultError&) {
    trace.try_to_close();
    throw;
  }
}

}  // namespace weft::cli
