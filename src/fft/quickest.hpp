#pragma once

#include <vector>

#include "fft/fitting.hpp"
#include "fft/wsfft/division.hpp"
#include "weft/fft.hpp"

namespace weft::fft {

/// PEs along an axis that one array of a division may take, from the most down to `least`: powers
/// of two, and of those with the same numbers in a PE the fewest.
std::vector<int> pes_worth_trying(const wsfft::Division& largest, wsfft::Axis axis, int least);

/// Meshes for one array, those with the fewest cycles by estimate first: its pencils, each run
/// alone in a PE, and formulas for the exchanges.
std::vector<FftMesh> quickest_meshes(const wsfft::Division& largest, const FftOptions& options,
                                     const PeBytes& bytes);

}  // namespace weft::fft
