#pragma once

#include <string>

#include "reference/reference.hpp"

namespace weft::reference {

// cuFFT's row in the table of references. The folder cuda/ defines these, with CUDA and without.

/// Empty if this host has a device, its driver and cuFFT; looks once and remembers.
std::string why_no_cufft();

/// FP16 takes sides that are powers of two only.
Transformed transform_with_cufft(const Volume& input, FftDirection direction, FftNorm norm,
                                 Arithmetic arithmetic);

}  // namespace weft::reference
