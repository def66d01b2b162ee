#include "cli/shape.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>

#include "weft/error.hpp"

namespace weft::cli {
namespace {

Error shape_error(const std::string& text, const std::string& why) {
  return Error(ErrorCategory::usage, fmt::format("--shape {} cannot be used", text), why,
               fmt::format("give three equal sides, a power of two from {} to {}, as in "
                           "--shape 64,64,64",
                           kSmallestSide, kLargestSide));
}

}  // namespace

Shape3 parse_shape(const std::string& text) {
  std::array<std::size_t, 3> sides{};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t axis = 0; axis < sides.size(); ++axis) {
    if (axis > 0 && (at == end || *at++ != ',')) {
      throw shape_error(text, "not three whole numbers with commas between");
    }
    const auto [rest, failed] = std::from_chars(at, end, sides[axis]);
    if (failed != std::errc{}) {
      throw shape_error(text, failed == std::errc::result_out_of_range
                                  ? "a side is too large"
                                  : "not three whole numbers with commas between");
    }
    at = rest;
  }
  if (at != end) {
    throw shape_error(text, "not three whole numbers with commas between");
  }
  const Shape3 shape{sides[0], sides[1], sides[2]};
  if (const std::string why = why_unfit(shape); !why.empty()) {
    throw shape_error(text, why);
  }
  return shape;
}

Shape3 parse_cube(const std::string& text) {
  std::size_t side = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failed] = std::from_chars(text.data(), end, side);
  const Shape3 cube{side, side, side};
  std::string why = failed == std::errc::result_out_of_range ? "the side is too large"
                    : failed != std::errc{} || rest != end ? "not whole numbers with commas between"
                                                           : why_unfit(cube);
  if (!why.empty()) {
    throw Error(ErrorCategory::usage, fmt::format("--shapes {} cannot be used", text), why,
                fmt::format("give sides of cubes, powers of two from {} to {}, as in "
                            "--shapes 8,16,32",
                            kSmallestSide, kLargestSide));
  }
  return cube;
}

std::string why_unfit(const Shape3& shape) {
  if (shape.n0 != shape.n1 || shape.n1 != shape.n2) {
    return "its sides differ";
  }
  if (shape.n0 < kSmallestSide) {
    return fmt::format("side {} is less than {}", shape.n0, kSmallestSide);
  }
  if (shape.n0 > kLargestSide) {
    return fmt::format("side {} needs a mesh of {} x {} PEs, and at most {} x {} are emulated",
                       shape.n0, shape.n0, shape.n0, kLargestSide, kLargestSide);
  }
  if (!std::has_single_bit(shape.n0)) {
    return fmt::format("side {} is no power of two", shape.n0);
  }
  return "";
}

}  // namespace weft::cli
