#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string_view>

#include "model/state.hpp"

namespace weft::engine {

/// The vector width that the host engine uses on this CPU: "avx512", "avx2" or "baseline".
std::string_view step_variant();

enum class Stop {
  quiet,  ///< nothing will ever happen again: all done, or stuck
  limit,  ///< the clock reached the limit
  fault,  ///< View::faults tells which
};

struct RunResult {
  Stop stop = Stop::quiet;
  std::uint64_t cycle = 0;    ///< the next cycle that was not stepped
  std::uint64_t skipped = 0;  ///< cycles jumped over
};

struct RunOptions {
  std::uint64_t limit = 0;  ///< no cycle at or after it is stepped
  int threads = 1;
  std::function<void(std::uint64_t cycle)> progress{};
  /// Cycles between two meetings of all threads, at most 32; on a device, such stretches of a
  /// launch. 0: as suits the mesh, or the time that a launch takes.
  int block = 0;
  /// Try to step rows and columns of PEs apart, each on its own clock (lines.hpp).
  bool by_line = false;
};

/// The fabric could not be stepped by line. It is of no more use.
struct LinesMet : std::exception {
  const char* what() const noexcept override { return "lines of PEs met"; }
};

/// Steps the fabric on CPU threads, from `cycle` on. Each thread owns neighbouring rows. Bit for
/// bit the same for every number of threads. An exception of `progress` ends the run and is passed
/// on. Throws LinesMet, if asked to step by line.
RunResult run_on_host(const model::View& view, std::uint64_t cycle, const RunOptions& options);

}  // namespace weft::engine
