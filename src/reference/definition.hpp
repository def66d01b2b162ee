#pragma once

#include <cstddef>
#include <string>

#include "weft/fft.hpp"
#include "weft/volume.hpp"

namespace weft::reference {

/// "16 x 1 x 16"
std::string shape_text(const Shape3& shape);

/// The factor of the unscaled transform of `size` numbers.
double scale(FftNorm norm, FftDirection direction, std::size_t size) noexcept;

/// Throws Error(usage) unless the volume holds as many numbers as its shape says.
void check_volume(const Volume& input);

}  // namespace weft::reference
