#include "cli/common/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

#include "cli/common/algorithm_words.hpp"
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

io::Sides parse_sides(const std::string& text, FftAlgorithm algorithm) {
  io::Sides sides;
  std::string why = read_numbers(text, sides);
  if (why.empty() && sides.size() > 4) why = "more than four sides";
  if (why.empty() && sides.size() == 4 && sides.back() == 1)
    why = "an array of four axes has no side of 1";
  if (why.empty()) why = why_no_fft(io::shape_of(sides), FftKind::complex, algorithm);
  if (!why.empty())
    throw Error(ErrorCategory::usage, fmt::format("invalid --shape: {}", text), why,
                "give " + words_about(algorithm).shapes);
  return sides;
}

Shape3 parse_shape(const std::string& text, FftAlgorithm algorithm) {
  return io::shape_of(parse_sides(text, algorithm));
}

FftMesh parse_mesh(const std::string& text) {
  std::vector<std::size_t> pes;
  std::string why = read_numbers(text, pes);
  if (why.empty() && pes.size() != 2) why = "not two numbers";
  if (why.empty() && std::ranges::max(pes) > std::numeric_limits<int>::max()) why = kTooLarge;
  if (why.empty() && std::ranges::min(pes) == 0) why = "a mesh has one PE or more along x and y";
  if (!why.empty())
    throw Error(ErrorCategory::usage, fmt::format("invalid --mesh: {}", text), why,
                "give PEs along x and y, as in --mesh 32,32");
  return {static_cast<int>(pes[0]), static_cast<int>(pes[1])};
}

Shape3 parse_cube(const std::string& text, FftAlgorithm algorithm) {
  std::vector<std::size_t> sides;
  std::string why = read_numbers(text, sides);
  const Shape3 cube{sides[0], sides[0], sides[0]};
  if (why.empty()) why = why_no_fft(cube, FftKind::complex, algorithm);
  if (!why.empty()) {
    throw Error(
        ErrorCategory::usage, fmt::format("invalid --shapes: {}", text), why,
        fmt::format("give cubes with {}, as in --shapes 8,16,32", words_about(algorithm).sides));
  }
  return cube;
}

}  // namespace weft::cli
