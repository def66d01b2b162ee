#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "fft/wsfft/program.hpp"
#include "weft/fft.hpp"

namespace weft::fft {

/// About how long a transform takes. Only what is told of its progress comes from here.
class Expectation {
 public:
  /// Large transforms are told from two small ones on the same machine, which takes some 10 ms.
  Expectation(std::size_t n, Precision precision, Direction direction, const Machine& machine);

  /// How far a run has come when the clock shows `cycle`.
  FftProgress at(std::uint64_t cycle) const;

 private:
  std::uint64_t pes_;
  std::array<FftPhase, wsfft::kStamps> phases_;
};

}  // namespace weft::fft
