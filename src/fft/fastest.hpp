#pragma once

#include "weft/fft.hpp"

namespace weft::fft {

/// The options with a form of the transposes and an algorithm for pencils in the place of
/// `fastest`, where that is asked for: those with the fewest cycles in the direction that
/// `fastest_for` says, on the mesh that a plan takes with the published ones.
FftOptions with_fastest(const Shape3& shape, FftPrecision precision, FftOptions options);

}  // namespace weft::fft
