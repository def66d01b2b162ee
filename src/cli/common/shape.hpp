#pragma once

#include <string>

#include "io/sides.hpp"
#include "weft/fft.hpp"
#include "weft/volume.hpp"

namespace weft::cli {

/// "64,32": one to four sides. Throws Error(usage) for other text, and for sides that the
/// algorithm does not have.
io::Sides parse_sides(const std::string& text, FftAlgorithm algorithm);

/// The same as a shape: "64,32" is 64 x 1 x 32, "64" is 1 x 1 x 64.
Shape3 parse_shape(const std::string& text, FftAlgorithm algorithm);

/// "64,32" as PEs along x and y. Throws Error(usage) for other text.
FftMesh parse_mesh(const std::string& text);

/// "64" as the shape of a cube, for --shapes. Throws Error(usage) as parse_shape does.
Shape3 parse_cube(const std::string& text, FftAlgorithm algorithm);

}  // namespace weft::cli
