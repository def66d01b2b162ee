#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/volume.hpp"

namespace weft::io {

/// The sides of an array as a file has them, slowest axis first: as NumPy's shape.
using Sides = std::vector<std::size_t>;

/// "(4, 16, 16)", "(64,)"
std::string tuple_text(const Sides& sides);

/// "4 x 16 x 16"
std::string shape_text(const Sides& sides);

/// The same of an array without the axes that it does not have: "256 x 256" of 256 x 1 x 256.
std::string shape_text(Shape3 shape);

/// Of one to four sides: N0,N2 is N0 x 1 x N2, and N2 is 1 x 1 x N2, as transforms have them.
Shape3 shape_of(const Sides& sides);

/// The reverse: N0 x 1 x N2 has two sides, and 1 x 1 x N2 has one.
Sides sides_of(Shape3 shape);

/// Without axes of one number, but at least one side.
Sides squeezed(Sides sides);

}  // namespace weft::io
