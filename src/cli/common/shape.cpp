#include "cli/common/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <vector>

#include "weft/error.hpp"

namespace weft::cli {
namespace {

constexpr const char* kTooLarge = "a number is too large";

/// Whole numbers with commas between; else why the text is none.
std::string read_numbers(const std::string& text, std::vector<std::size_t>& numbers) {
  constexpr const char* kOther = "not whole numbers with commas between";
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    const auto [rest, failed] = std::from_chars(at, end, numbers.emplace_back());
    if (failed != std::errc{}) return failed == std::errc::result_out_of_range ? kTooLarge : kOther;
    if (rest == end) return "";
    if (*rest != ',') return kOther;
    at = rest + 1;
  }
}

}  // namespace

io::Sides parse_sides(const std::string& text) {
  io::Sides sides;
  std::string why = read_numbers(text, sides);
  if (why.empty() && sides.size() > 3) why = "more than three sides";
  if (why.empty()) why = why_unfit(io::shape_of(sides));
  if (!why.empty())
    throw Error(
        ErrorCategory::usage, fmt::format("--shape {} cannot be used", text), why,
        fmt::format("give one to three sides, powers of two from {} to {} (an only side: to "
                    "{}), as in --shape 64,64,64",
                    kSmallestSide, kLargestSide, FftPlan::kLongest));
  return sides;
}

Shape3 parse_shape(const std::string& text) { return io::shape_of(parse_sides(text)); }

FftMesh parse_mesh(const std::string& text) {
  std::vector<std::size_t> pes;
  std::string why = read_numbers(text, pes);
  if (why.empty() && pes.size() != 2) why = "not two numbers";
  if (why.empty() && std::ranges::max(pes) > std::numeric_limits<int>::max()) why = kTooLarge;
  if (why.empty() && std::ranges::min(pes) == 0) why = "there is no mesh without PEs";
  if (!why.empty())
    throw Error(ErrorCategory::usage, fmt::format("--mesh {} cannot be used", text), why,
                "give PEs along x and y, as in --mesh 32,32");
  return {static_cast<int>(pes[0]), static_cast<int>(pes[1])};
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
  if (shape.n2 == 1) return "its last axis has one element, and needs no side";
  const bool one_axis = shape.n0 == 1 && shape.n1 == 1;
  for (const std::size_t side : {shape.n0, shape.n1, shape.n2}) {
    if (side == 1) continue;  // an axis that the array does not have
    if (side < kSmallestSide) return fmt::format("side {} is less than {}", side, kSmallestSide);
    if (one_axis && side > FftPlan::kLongest)
      return fmt::format("side {} is more than {}", side, FftPlan::kLongest);
    if (!one_axis && side > kLargestSide)
      return fmt::format("side {} is more than {}, the longest pencil of a PE", side, kLargestSide);
    if (!std::has_single_bit(side)) return fmt::format("side {} is no power of two", side);
  }
  return "";
}

}  // namespace weft::cli
