#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "weft/accelerations.hpp"
#include "weft/engine.hpp"
#include "weft/observation.hpp"

namespace weft::inline v0 {

class Processes;  // weft/processes.hpp

/// Called between cycles, about ten times a second, with the emulated clock. An exception ends the
/// run between two cycles, and is passed on: see Fabric::run_until_idle.
using CycleProgress = std::function<void(std::uint64_t cycle)>;

/// How many threads can share a mesh of so many rows of PEs: four rows are stepped together.
int most_fabric_threads(int rows) noexcept;

/// The CPU cores that this process may use, which may be fewer than the host has.
int available_cores() noexcept;

struct FabricOptions {
  int threads = 1;  ///< CPU threads, 1 to 1024; more than most_fabric_threads() change nothing
  CycleProgress progress{};
  Engine engine = Engine::host;  ///< small fabrics are not worth a GPU
  /// False: only cycles are of interest. Vector instructions and microthreads leave memory and
  /// FIFOs as they are, and only control wavelets carry a payload, from memory as write() and
  /// scalar instructions left it; the payload of others is 0 where a task looks at it. Cycles are
  /// the same if no branch, address, length or control wavelet follows from data. Symbols that
  /// were not computed cannot be read after a run.
  bool data = true;
  Accelerations accelerate{};
  /// Count what each filter lets in and refuses, for the report of a deadlock. Where filters are
  /// busy all the time, that takes up to a twentieth of a run on the host. Left out by line, also
  /// of later runs.
  bool tally = true;
  /// For Fabric::profile and Fabric::on_events; the engine `cuda` counts, but emits no events.
  Observation observe{};
  /// The processes that share this fabric, by rows of PEs, four together: results and cycles are
  /// the same for every number. All make this fabric and call its methods alike, one at a time.
  /// Without events, the critical path and host streams; with `cuda` each has a GPU (`automatic` is
  /// `host`). Empty, or one: this process has all PEs.
  std::shared_ptr<Processes> processes{};
};

}  // namespace weft::inline v0
