#pragma once

#include <complex>
#include <vector>

#include "weft/volume.hpp"

/// Spectra of real arrays: one half is kept, n0 x n1 x (n2 / 2 + 1), the other follows from it.
namespace weft::reference {

/// The half that is kept, of the spectrum of an array of this shape.
std::vector<std::complex<double>> half_of(const std::vector<std::complex<double>>& spectrum,
                                          const Shape3& shape);

/// The spectrum of which this is the half that is kept: number (a, b, c) with c > n2 / 2 is the
/// conjugate of (-a, -b, -c).
Volume whole_of(const Volume& half, std::size_t n2);

}  // namespace weft::reference
