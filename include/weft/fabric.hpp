#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "weft/engine.hpp"
#include "weft/error.hpp"
#include "weft/layout.hpp"
#include "weft/machine.hpp"

namespace weft::inline v0 {

/// Called between cycles, about ten times a second, with the emulated clock. An exception ends the
/// run between two cycles, and is passed on: see Fabric::run_until_idle.
using CycleProgress = std::function<void(std::uint64_t cycle)>;

/// How many threads can share a mesh of so many rows of PEs: four rows are stepped together.
int most_fabric_threads(int rows) noexcept;

struct FabricOptions {
  int threads =
      1;  ///< CPU threads, at most most_fabric_threads(); results and cycles do not depend on it
  CycleProgress progress{};
  Engine engine = Engine::host;  ///< small fabrics are not worth a GPU
  /// False: only cycles are of interest. Vector instructions and microthreads leave memory and
  /// FIFOs as they are, and only control wavelets carry a payload, from memory as write() and
  /// scalar instructions left it; the payload of others is 0 where a task looks at it. Cycles are
  /// the same if no branch, address, length or control wavelet follows from data.
  bool data = true;
  /// Step rows and columns of PEs apart (on the host), which is several times as fast for programs
  /// that use one direction of the mesh at a time. Results and cycles are the same. Where wavelets
  /// of both directions meet after all, at a fault, at a limit, or if wavelets are left in routers,
  /// the run starts over without, and `progress` too. Only the first run is by line.
  bool by_line = false;
  /// By line: keep a copy of what is written before the first run, to start over from. After an
  /// exception of `progress`, the next use of the fabric first steps it from there, without lines,
  /// to the cycle that the callback had seen. False, where memory is scarce: where lines
  /// meet, LinesMet is thrown. Then, and after an exception, the fabric is of no more use, as its
  /// rows and columns were at different cycles, and all that uses it throws Error(usage).
  bool restart = true;
  /// Count what each filter lets in and refuses, for the report of a deadlock. Where filters are
  /// busy all the time, that takes up to a twentieth of a run on the host. Left out with by_line.
  bool tally = true;
};

/// See FabricOptions::restart.
class LinesMet : public Error {
 public:
  LinesMet();
};

/// What has happened since the fabric was made.
struct FabricCounters {
  std::uint64_t cycle = 0;      ///< the clock
  std::uint64_t wavelets = 0;   ///< put on the fabric by cores
  std::uint64_t hops = 0;       ///< links crossed, over all wavelets
  std::uint64_t delivered = 0;  ///< handed to cores
  std::uint64_t filtered = 0;   ///< refused by filters
};

/// An emulated fabric: the layout's PEs, routers and programs, stepped cycle by cycle. Threads may
/// use different fabrics at the same time. Of one fabric, several threads may read at the same time
/// (what is const here), and so may they write to different PEs; no two of a run, reads and writes
/// may overlap.
class Fabric {
 public:
  /// Throws Error(layout) or Error(machine_profile) for what cannot be built, Error(environment)
  /// if this host has too little memory, or not the engine, Error(usage) for range filters without
  /// data: they look at payloads.
  Fabric(const Layout& layout, const Machine& machine, FabricOptions options = {});
  ~Fabric();
  Fabric(Fabric&&) noexcept;
  Fabric& operator=(Fabric&&) noexcept;

  /// Copies words into the memory of the PEs of `where` at a byte address: PE by PE, row by row,
  /// words.size() / (where.width * where.height) words each. Throws Error(usage) out of range.
  /// Threads may write to different PEs at the same time.
  void write(const Rect& where, std::uint32_t address, std::span<const std::uint32_t> words);
  /// The same number of words from each PE, in the order of write.
  void read(const Rect& where, std::uint32_t address, std::span<std::uint32_t> words) const;

  /// Steps until nothing is left to do. Throws FaultError when the program faults (then memory is
  /// not that of any one cycle, and each further run throws the same), can make no progress
  /// (DeadlockError), or is not done when the clock reaches `limit`; Error(environment) when the
  /// CUDA device fails: then the fabric stays as it was before, or, if that happens while results
  /// are copied back, is of no more use, and says so when it is used.
  ///
  /// An exception of `progress` is passed on when the clock has come to a cycle that no core has
  /// passed: cores execute up to some 4,000 cycles ahead of it where nobody can tell, and one
  /// instruction more. The fabric is then in all as a run with that cycle as its limit leaves it,
  /// may be read and written, and further runs go on from there, to the same end as without the
  /// exception. If it faults or comes to rest before, that is the end of this run, and the next one
  /// tells. (By line that is the cycle that `progress` had seen, see FabricOptions::restart.)
  void run_until_idle(std::uint64_t limit);
  /// Steps `cycles` cycles, or fewer if the fabric is idle before. Throws as run_until_idle, but
  /// neither for lack of progress nor at the last of the cycles.
  void run(std::uint64_t cycles);

  FabricCounters counters() const;
  std::uint64_t cycle() const;
  /// Cycles that were jumped over, because nothing could happen in them. A figure of the emulation,
  /// not of the program: it may differ between engines, options, numbers of threads, ways to cut a
  /// run, and versions.
  std::uint64_t skipped_cycles() const;

  /// What steps it: host or cuda.
  Engine engine() const;
  /// Why Engine::automatic did not take the device; empty if it did, or was not asked to choose.
  const std::string& engine_note() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::inline v0
