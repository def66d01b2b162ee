#pragma once

#include "fft/line_run.hpp"
#include "weft/fft.hpp"
#include "weft/machine.hpp"

namespace weft::fft {

/// The streams of an exchange in turns among p PEs, with messages of so many wavelets: those of all
/// PEs of a line, one after the other.
constexpr double turns_streams(double p, double wavelets) { return wavelets * p * (p - 1) / 2; }

/// The streams of an exchange around a ring: half of them cross the middle; two and a half copies.
constexpr double ring_streams(double p, double wavelets) {
  return wavelets * (p * p / 4 + 2.5 * p);
}

/// All of the exchange around a ring on the default machine, with the turns of its steps
/// (docs/transforms.md).
constexpr double ring_formula(double p, double wavelets) {
  return ring_streams(p, wavelets) + 17 * p + 330;
}

/// The same by halves: streams of all levels on the busiest link, and starts of levels.
double halves_formula(double p, double wavelets);
/// Of butterflies, with so many wavelets of numbers in each PE: streams across the middles, and
/// operations and starts of levels.
double butterflies_formula(double p, double wavelets);

/// About the cycles of an exchange in turns, published, interlocked, or the one that ends on this
/// machine (automatic): from a line of as many PEs, or from shorter ones, on the same machine
/// without data.
double turns_cycles(FftTranspose form, const LineExchange& exchange, const Machine& machine);

/// The same around a ring.
double ring_cycles(const LineExchange& exchange, const Machine& machine);

/// The same by halves: from a line of as many PEs, with the same messages or shorter ones.
double halves_cycles(const LineExchange& exchange, const Machine& machine);

/// The same of butterflies.
double butterflies_cycles(const LineExchange& exchange, const Machine& machine);

}  // namespace weft::fft
