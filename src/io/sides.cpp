#include "io/sides.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::io {

std::string tuple_text(const Sides& sides) {
  return fmt::format("({}{})", fmt::join(sides, ", "), sides.size() == 1 ? "," : "");
}

std::string shape_text(const Sides& sides) { return fmt::format("{}", fmt::join(sides, " x ")); }

std::string shape_text(Shape3 shape) { return shape_text(sides_of(shape)); }

Shape3 shape_of(const Sides& sides) {
  if (sides.size() == 4) return {sides[0], sides[1], sides[2], sides[3]};
  return {sides.size() > 1 ? sides.front() : 1, sides.size() > 2 ? sides[1] : 1, sides.back()};
}

Sides sides_of(Shape3 shape) {
  if (shape.n3 != 1) return {shape.n0, shape.n1, shape.n2, shape.n3};
  if (shape.n1 != 1) return {shape.n0, shape.n1, shape.n2};
  if (shape.n0 != 1) return {shape.n0, shape.n2};
  return {shape.n2};
}

Sides squeezed(Sides sides) {
  std::erase(sides, 1U);
  if (sides.empty()) sides.push_back(1);
  return sides;
}

}  // namespace weft::io
