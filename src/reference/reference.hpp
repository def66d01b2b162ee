#pragma once

#include <complex>
#include <span>
#include <vector>

#include "weft/fft.hpp"
#include "weft/volume.hpp"

namespace weft::reference {

/// The transform of `input` by FFTW in double precision, C order, divided as the norm says.
std::vector<std::complex<double>> fftw(const Volume& input, Direction direction,
                                       Norm norm = Norm::backward);

struct Difference {
  double rel_l2 = 0;   ///< ||result - reference|| / ||reference||, 2-norms; 0 if both are zero
  double max_abs = 0;  ///< largest |result - reference|
};

/// Both of the same size. NaN or infinity in the result gives infinite differences.
Difference compare(std::span<const std::complex<float>> result,
                   std::span<const std::complex<double>> reference);

}  // namespace weft::reference
