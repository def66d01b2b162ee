#pragma once

#include <vector>

#include "fft/fitting.hpp"
#include "fft/wsfft/division.hpp"
#include "weft/fft.hpp"

namespace weft::fft {

/// PEs along an axis that one array of a division may take, from the most down to `least`: powers
/// of two, and of those with the same numbers in a PE the fewest.
std::vector<int> pes_worth_trying(const wsfft::Division& largest, wsfft::Axis axis, int least);

/// Divisions of the arrays, on meshes that the options leave a choice of, those with the fewest
/// cycles of all arrays by estimate first: pencils, each run alone in a PE, and formulas for the
/// exchanges. `largest`: of the most PEs.
std::vector<wsfft::Division> quickest_divisions(const wsfft::Division& largest,
                                                const FftOptions& options, const PeBytes& bytes);

}  // namespace weft::fft
