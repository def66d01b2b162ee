#pragma once

#include "weft/fft.hpp"

namespace weft::wsfft {

/// fft_error_bound, of wsFFT. docs/accuracy.md derives it.
double error_bound(const Shape3& shape, FftPrecision precision, FftPencil pencil);

}  // namespace weft::wsfft
