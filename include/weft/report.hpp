#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/engine.hpp"

namespace weft::inline v0 {

/// Counts since a fabric was made.
struct FabricCounters {
  std::uint64_t cycle = 0;      ///< the clock
  std::uint64_t wavelets = 0;   ///< put on the fabric by cores
  std::uint64_t hops = 0;       ///< links crossed, over all wavelets
  std::uint64_t delivered = 0;  ///< handed to cores
  std::uint64_t filtered = 0;   ///< refused by filters
};

/// A part of a run that the program's author names.
struct RunPhase {
  std::string name;            ///< "pencils along k", "transpose rows", ...
  bool communication = false;  ///< between PEs; of butterflies with their arithmetic
  std::uint64_t cycles = 0;
};

struct Profile;

/// The time and traffic of a run, of any program.
struct RunReport {
  /// The cycles of the program: the clock, or a figure that the program itself has measured.
  std::uint64_t cycles = 0;
  /// In order, of these cycles; empty: nobody has named any. Of other programs than transforms
  /// where a fabric counts (FabricOptions::observe): the cycles in each phase (PeProgram::phase) of
  /// the PE that was in one last.
  std::vector<RunPhase> phases{};
  FabricCounters counters{};
  std::uint64_t pe_cycles = 0;  ///< PEs times the clock
  double time_us = 0;           ///< `cycles` at the machine's clock
  double wall_seconds = 0;      ///< of this host, in runs: without building, writing and reading
  /// Jumped over by the emulation: Fabric::skipped_cycles.
  std::uint64_t skipped_cycles = 0;
  /// Of transforms, by count of their program: no engine counts by link, for that would cost each
  /// cycle. Wavelets on the directed link, and on the ramp in the direction, that carry most. There
  /// is a count only if its sums are the fabric's counters.
  std::optional<std::uint64_t> busiest_link{}, busiest_ramp{};
  /// Of transforms: their operations over those of a multiply-add (two operations) in each PE and
  /// cycle in FP32, four of them in FP16 (Machine::f32_multiply_rate, f16_rate). FP16 reaches two:
  /// a multiply-add reads its destination too (Machine::two_source_divisor).
  std::optional<double> peak_share{};
  bool by_line = false;          ///< rows and columns were stepped apart: Accelerations::by_line
  Engine engine = Engine::host;  ///< that stepped it
  /// Of transforms: what was counted, if FftOptions::observe asks for it (weft/profile.hpp); of
  /// several rounds, in the last one.
  std::shared_ptr<const Profile> profile{};
};

}  // namespace weft::inline v0
