#pragma once

#include "weft/fft.hpp"
#include "weft/machine.hpp"

namespace weft::fft {

/// About the cycles of an exchange around a ring of p PEs, with messages of so many numbers: from a
/// line of as many PEs, or from shorter ones, on the same machine without data.
double ring_cycles(int p, int numbers, FftPrecision precision, const Machine& machine);

/// The same by halves, of a line of as many PEs.
double halves_cycles(int p, int numbers, FftPrecision precision, const Machine& machine);

}  // namespace weft::fft
