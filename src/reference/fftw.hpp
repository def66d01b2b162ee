#pragma once

#include "reference/reference.hpp"

namespace weft::reference {

/// FFTW's row in the table of references. It has no FP16.
Transformed transform_with_fftw(const Volume& input, FftDirection direction, FftNorm norm,
                                Arithmetic arithmetic);

}  // namespace weft::reference
