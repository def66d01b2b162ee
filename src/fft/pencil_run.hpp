#pragma once

#include <cstdint>

#include "weft/fft.hpp"
#include "weft/machine.hpp"

namespace weft::fft {

/// A pencil's transform in one PE, alone.
struct PencilMeasure {
  std::uint64_t cycles;         ///< from its call to its return
  std::uint32_t pencil_bytes;   ///< of the n numbers
  std::uint32_t aux_bytes;      ///< of the room beside them
  std::uint32_t root_bytes;     ///< of the table of roots
  std::uint32_t program_bytes;  ///< of all instructions, the call's too
  double error;                 ///< relative L2, against double precision

  /// 5 n log2 n operations, over the cycles.
  double flops_per_cycle;
};

/// Runs an algorithm forward on n random numbers (parts from -1 to 1, the same in each call).
/// Throws what run_fft_pencil throws.
PencilMeasure measure_pencil(FftPencil algorithm, FftPrecision precision, int n,
                             const Machine& machine = {});

}  // namespace weft::fft
