#pragma once

#include <string>

#include "weft/volume.hpp"

namespace weft::io {

/// "181 x 217 x 181", for messages.
std::string shape_text(Shape3 shape);

}  // namespace weft::io
