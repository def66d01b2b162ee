#pragma once

#include <compare>

#include "fft/wsfft/division.hpp"
#include "fft/wsfft/transpose.hpp"
#include "weft/fft.hpp"
#include "weft/machine.hpp"

/// Exchanges that are run alone, to tell the cycles of a transform.
namespace weft::fft {

/// An exchange as a line of PEs has it.
struct LineExchange {
  wsfft::Axis axis;
  int p;        ///< PEs
  int numbers;  ///< of a message; of butterflies, of a PE
  FftPrecision precision;
  int arrays = 1;       ///< along the axis: a PE finds its place among those of its own
  bool scaled = false;  ///< butterflies multiply by a factor, too

  auto operator<=>(const LineExchange&) const = default;
  int wavelets() const;  ///< of a message
};

/// The cycles of one exchange of p PEs that begin together, until the last of them has ended,
/// without data. Throws FaultError if it does not end, Error(machine_profile) if it takes too long
/// to tell.
double cycles_on_a_line(wsfft::Form form, const LineExchange& exchange, const Machine& machine);

/// The same along an axis with one PE: its numbers change places in its memory.
double cycles_in_a_pe(const wsfft::Division& division, const wsfft::Arrangement& before,
                      wsfft::Axis axis, FftPrecision precision, const Machine& machine);

}  // namespace weft::fft
