#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "weft/engine.hpp"
#include "weft/fft.hpp"
#include "weft/machine.hpp"
#include "weft/report.hpp"

/// Ways to transpose a matrix of n x n numbers over a row of n PEs: PE j has row j, and gets column
/// j. Each is a program of its own, to compare what they take.
namespace weft::transposes {

enum class TransposeAlgorithm {
  broadcast_and_filter,
  broadcast_and_filter_interlocked,
  point_to_point_in_turn,
  point_to_point,
  butterfly,
  shift_and_take,
  filter_by_halves,
};

struct AlgorithmInfo {
  TransposeAlgorithm algorithm;
  std::string_view name;
  std::string_view description;  ///< in a line
};

std::span<const AlgorithmInfo> transpose_algorithms() noexcept;
std::string_view to_string(TransposeAlgorithm algorithm) noexcept;

/// The cost of a transpose, from the launch of all PEs to the last PE's last number.
struct TransposeCost {
  TransposeAlgorithm algorithm{};
  int n = 0;                    ///< PEs, and numbers of each
  int wavelets_per_number = 0;  ///< 1: FP16, 2: FP32
  std::uint64_t cycles = 0;
  /// Of these, those that writes of routers and filters by cores took: the difference to a machine
  /// on which such a write takes one cycle.
  std::uint64_t router_write_cycles = 0;
  /// Of one row. Wavelets beyond data_wavelets() switch routers, pad streams, or are put on the
  /// fabric again by PEs on the way.
  FabricCounters counters{};
  int colors = 0;                                        ///< of the row
  int input_queues = 0, output_queues = 0, filters = 0;  ///< most of any PE

  /// Each number that is for another PE, once.
  std::uint64_t data_wavelets() const;
  /// All numbers that cross the middle of the row must pass one link in each direction.
  std::uint64_t bisection_cycles() const;
  /// Bytes of numbers that the whole row delivers in a cycle.
  double bytes_per_cycle() const;
};

/// Runs the transpose on `rows` rows that all do the same, and compares each word of the result.
/// n is a power of two, from 4 to 512 (shift and take in FP32: 256). Throws Error(usage) for
/// another n, Error(emulator) if a word is wrong, and as Fabric::run_until_idle: the published
/// broadcast-and-filter form does not end on every machine.
TransposeCost measure_transpose(TransposeAlgorithm algorithm, int n, FftPrecision precision,
                                const Machine& machine = {}, Engine engine = Engine::host,
                                int threads = 1, int rows = 1);

}  // namespace weft::transposes
