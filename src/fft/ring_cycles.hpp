#pragma once

#include "fft/wsfft/division.hpp"
#include "weft/fft.hpp"
#include "weft/machine.hpp"

namespace weft::fft {

/// An exchange around a ring on the default machine, with messages of so many wavelets: half of
/// them cross the middle; two and a half copies; and the turns of steps (docs/transforms.md).
constexpr double ring_formula(double p, double wavelets) {
  return wavelets * (p * p / 4 + 2.5 * p) + 17 * p + 330;
}

/// About the cycles of an exchange along an axis, around a ring of p PEs, with messages of so many
/// numbers: from a line of as many PEs, or from shorter ones, on the same machine without data.
double ring_cycles(wsfft::Axis axis, int p, int numbers, FftPrecision precision,
                   const Machine& machine);

/// The same by halves, always from a line of as many PEs, 64 at most: tenths of a second with the
/// longest messages.
double halves_cycles(wsfft::Axis axis, int p, int numbers, FftPrecision precision,
                     const Machine& machine);

}  // namespace weft::fft
