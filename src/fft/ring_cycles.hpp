#pragma once

#include "fft/wsfft/division.hpp"
#include "weft/fft.hpp"
#include "weft/machine.hpp"

namespace weft::fft {

/// The streams of an exchange around a ring of p PEs, with messages of so many wavelets: half of
/// them cross the middle, on links that take `slower` times a cycle; two and a half copies.
constexpr double ring_streams(double p, double wavelets, double slower = 1) {
  return wavelets * (slower * p * p / 4 + 2.5 * p);
}

/// All of the exchange on the default machine, with the turns of its steps (docs/transforms.md).
constexpr double ring_formula(double p, double wavelets) {
  return ring_streams(p, wavelets) + 17 * p + 330;
}

/// The same by halves: streams of all levels on the busiest link, and starts of levels.
double halves_formula(double p, double wavelets);
/// Of butterflies, with so many wavelets of numbers in each PE: streams across the middles, and
/// operations and starts of levels.
double butterflies_formula(double p, double wavelets);

/// About the cycles of an exchange along an axis, around a ring of p PEs, with messages of so many
/// numbers: from a line of as many PEs, or from shorter ones, on the same machine without data.
double ring_cycles(wsfft::Axis axis, int p, int numbers, FftPrecision precision,
                   const Machine& machine);

/// The same by halves, always from a line of as many PEs, 64 at most: tenths of a second with the
/// longest messages.
double halves_cycles(wsfft::Axis axis, int p, int numbers, FftPrecision precision,
                     const Machine& machine);

/// The same of butterflies among p PEs with so many numbers each.
double butterflies_cycles(wsfft::Axis axis, int p, int numbers, FftPrecision precision,
                          const Machine& machine);

}  // namespace weft::fft
