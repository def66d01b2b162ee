#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <string_view>

#include "model/state.hpp"

namespace weft::engine {

/// The vector width that the host engine uses on this CPU: "avx512", "avx2" or "baseline".
std::string_view step_variant();

enum class Stop {
  quiet,   ///< nothing will ever happen again: all done, or stuck
  limit,   ///< the clock reached the limit
  fault,   ///< View::faults tells which
  midway,  ///< stepped by line, and given up: the fabric is not that of any one cycle
};

struct RunResult {
  Stop stop = Stop::quiet;
  std::uint64_t cycle = 0;      ///< the next cycle that was not stepped
  std::uint64_t skipped = 0;    ///< cycles jumped over: how many depends on how it was stepped
  std::exception_ptr thrown{};  ///< by `progress`; or what Stop::midway is the end of
};

struct RunOptions {
  std::uint64_t limit = 0;  ///< no cycle at or after it is stepped
  int threads = 1;
  std::function<void(std::uint64_t cycle)> progress{};
  /// Cycles between two meetings of all threads, at most 32; on a device, such stretches of a
  /// launch. 0: as suits the mesh, or the time that a launch takes.
  int block = 0;
  /// Try to step rows and columns of PEs apart, each on its own clock (by_line/lines.hpp).
  bool by_line = false;
  /// By line: as if lines had met, if the first phases are too short to save time.
  bool must_pay = false;
  std::chrono::milliseconds pause{100};  ///< on the host, at least, between two calls of `progress`
};

/// The fabric could not be stepped by line.
struct LinesMet : std::exception {
  const char* what() const noexcept override { return "lines of PEs met"; }
};

/// Steps the fabric on CPU threads, from `cycle` on. Each thread owns neighbouring rows. Bit for
/// bit the same for every number of threads. An exception of `progress` ends the run, as a limit
/// does that is a little later (interruption.hpp), and is in the result; by line it ends midway. So
/// does a run by line whose lines met: then LinesMet is in the result.
RunResult run_on_host(const model::View& view, std::uint64_t cycle, const RunOptions& options);

}  // namespace weft::engine
