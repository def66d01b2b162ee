#include "reference/definition.hpp"

#include <fmt/format.h>

#include <cmath>

#include "weft/error.hpp"

namespace weft::reference {

std::string shape_text(const Shape3& n) {
  return fmt::format("{} x {} x {}{}", n.n0, n.n1, n.n2,
                     n.n3 == 1 ? "" : fmt::format(" x {}", n.n3));
}

double scale(FftNorm norm, FftDirection direction, std::size_t size) noexcept {
  if (norm == FftNorm::ortho) return 1.0 / std::sqrt(static_cast<double>(size));
  const bool divides = (norm == FftNorm::forward) == (direction == FftDirection::forward);
  return divides ? 1.0 / static_cast<double>(size) : 1.0;
}

void check_volume(const Volume& input) {
  const Shape3 n = input.shape;
  if (input.data.size() != n.size()) {
    throw Error(
        ErrorCategory::usage, "cannot transform the volume",
        fmt::format("its shape is {}, and it holds {} elements", shape_text(n), input.data.size()),
        "give it as many elements as its shape says");
  }
}

}  // namespace weft::reference
