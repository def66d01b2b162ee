#pragma once

#include <optional>

#include "fft/algorithm.hpp"

namespace weft::s3dft {

/// Why it has no arrays of a shape.
std::optional<fft::WrongShape> wrong_shape(const Shape3& shape, FftKind kind);

/// The mesh that is asked for, or the largest one whose sides divide those of the array and that
/// fits. Throws as the constructor of FftPlan.
fft::Choice choose(const Shape3& shape, FftPrecision precision, FftOptions& options);

}  // namespace weft::s3dft
