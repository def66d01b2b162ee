#pragma once

#include "fft/fitting.hpp"
#include "weft/fft.hpp"

namespace weft::fft {

/// The options with a form of the transposes and an algorithm for pencils in the place of
/// `fastest`, where that is asked for: those with the fewest cycles in the direction that
/// `fastest_for` says, each form on the mesh that a plan takes with it. `counted`: of the plan's
/// precision. Throws as choose_division with the published form.
FftOptions with_fastest(const Shape3& shape, FftOptions options, const PeBytes& counted);

}  // namespace weft::fft
