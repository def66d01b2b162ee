#include "io/shape_text.hpp"

#include <fmt/format.h>

namespace weft::io {

std::string shape_text(Shape3 shape) {
  return fmt::format("{} x {} x {}", shape.n0, shape.n1, shape.n2);
}

}  // namespace weft::io
