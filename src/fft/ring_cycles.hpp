#pragma once

#include "fft/wsfft/division.hpp"
#include "weft/fft.hpp"
#include "weft/machine.hpp"

namespace weft::fft {

/// About the cycles of an exchange along an axis, around a ring of p PEs, with messages of so many
/// numbers: from a line of as many PEs, or from shorter ones, on the same machine without data.
double ring_cycles(wsfft::Axis axis, int p, int numbers, FftPrecision precision,
                   const Machine& machine);

/// The same by halves, always from a line of as many PEs, 64 at most: tenths of a second with the
/// longest messages.
double halves_cycles(wsfft::Axis axis, int p, int numbers, FftPrecision precision,
                     const Machine& machine);

}  // namespace weft::fft
