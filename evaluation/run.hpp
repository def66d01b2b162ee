#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/transposes/transposes.hpp"
#include "weft/fft.hpp"
#include "weft/machine.hpp"

/// The evaluation of a paper, done again on the emulated fabric.
namespace weft::evaluation {

inline constexpr int kTrips = 8;  ///< chosen: enough to see whether they differ

/// A constant of the machine that a run sets.
struct Setting {
  std::string_view constant;
  int value;
};

/// The default machine with it.
Machine machine_with(const Setting& setting);

/// What a PE does with a block: evaluation/blocks.hpp.
enum class BlockWork : std::uint8_t { copy, transposed_copy, add_multiple, product, roll, step };

/// Of b^3 numbers.
struct BlockRun {
  BlockWork work = BlockWork::copy;
  int b = 0;
  FftPrecision precision = FftPrecision::fp32;
  int ring = 1, places = 1;  ///< roll, step: PEs of the ring, and how far a block goes
  bool operator==(const BlockRun&) const = default;
};

/// A thing to measure, without data.
struct Run {
  enum class Kind : std::uint8_t { transform, pencil, trips, transpose, word, block };
  /// trips: kTrips times forward and back, in one program; word: from a core to the next one;
  /// block: of BlockRun, in its precision
  Kind kind = Kind::transform;
  Shape3 shape{};  ///< of a pencil {1, 1, n}
  FftMesh mesh{};
  FftPrecision precision = FftPrecision::fp32;
  FftDirection direction = FftDirection::forward;
  /// PEs get as much memory as the transform needs, if it is more than the machine's.
  bool more_memory = false;
  /// A constant of the machine that is larger by one; empty: none.
  std::string_view raised{};
  std::span<const Setting> settings{};
  FftPencil pencil = FftPencil::radix2;
  FftTranspose form = FftTranspose::automatic;  ///< of a transform's transposes
  FftAlgorithm algorithm = FftAlgorithm::wsfft;
  S3dftForm s3dft_form = S3dftForm::held;
  transposes::TransposeAlgorithm
      transpose{};  ///< of n numbers over n PEs of a row: shape {1, 1, n}
  BlockRun block{};
  bool deep_queues = false;  ///< all queues are as deep as a machine may have them
};

/// "transform 256,256,256 on 128,128 fp32 forward": what a result is kept by.
std::string key_of(const Run& run);

/// Of each PE's memory, of a transform on this machine with the run's settings; nothing where a PE
/// cannot hold it. With `whole` on a machine that has as much memory as any.
std::optional<std::uint32_t> pe_bytes_of(const Run& run, Machine machine, bool whole);

/// About how long a run takes, in nanoseconds of two cores.
double work_of(const Run& run);

/// Results of a run.
struct Outcome {
  std::uint64_t cycles = 0;  ///< 0: a transpose that does not end
  std::uint64_t compute = 0, communication = 0;
  std::vector<std::uint64_t> phases{};  ///< cycles of each, of a transform
  std::uint64_t wavelets = 0, hops = 0;
  std::uint64_t busiest_link = 0;     ///< of a transform, by count of the program; 0: not counted
  std::uint64_t pe_bytes = 0;         ///< of each PE's memory
  std::uint64_t least = 0, most = 0;  ///< cycles of a trip
  std::uint64_t router_writes = 0;    ///< of a transpose: cycles in them
  int colors = 0, filters = 0;        ///< of a transpose
  double error = 0;                   ///< of a pencil: relative L2
  double seconds = 0;                 ///< of this host
};

/// Emulates it. `progress` is called as FftPlan::run calls it. Throws as FftPlan::run, and
/// Error(environment) where this host has too little memory.
Outcome measure(const Run& run, const Machine& machine, int threads, const OnFftProgress& progress);

}  // namespace weft::evaluation
