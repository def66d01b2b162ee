#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <string_view>

#include "model/state.hpp"

namespace weft::engine {

class Share;  // engine/share.hpp

/// The vector width that the host engine uses on this CPU: "avx512", "avx2" or "baseline".
std::string_view step_variant();

enum class Stop {
  quiet,  ///< nothing will ever happen again: all done, or stuck
  limit,  ///< the clock reached the limit
  fault,  ///< View::faults tells which
};

struct RunResult {
  Stop stop = Stop::quiet;
  std::uint64_t cycle = 0;      ///< the next cycle that was not stepped
  std::uint64_t skipped = 0;    ///< cycles jumped over: how many depends on how it was stepped
  std::exception_ptr thrown{};  ///< by `progress`
};

struct RunOptions {
  std::uint64_t limit = 0;  ///< no cycle at or after it is stepped
  int threads = 1;
  std::function<void(std::uint64_t cycle)> progress{};
  /// Cycles between two meetings of all threads, at most 32; on a device, such stretches of a
  /// launch. 0: as suits the mesh, or the time that a launch takes.
  int block = 0;
  std::chrono::milliseconds pause{100};  ///< on the host, at least, between two calls of `progress`
  /// On the host, after which threads may part or come together (stretch.hpp). 0: they do so after
  /// each block.
  std::chrono::milliseconds stretch{10};
  Share* share = nullptr;  ///< on the host, the part of this process; null: it has all rows
};

/// Steps the fabric on CPU threads, from `cycle` on. Each thread owns neighbouring rows; where they
/// mostly wait for each other, one does all the work. Bit for bit the same for every number of
/// threads. An exception of `progress` ends the run, as a limit
/// does that is a little later (interruption.hpp), and is in the result.
RunResult run_on_host(const model::View& view, std::uint64_t cycle, const RunOptions& options);

}  // namespace weft::engine
