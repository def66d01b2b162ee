#include "fft/planning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <complex>
#include <string>

#include "weft/error.hpp"

namespace weft::fft {
namespace {

using wsfft::Division;

/// Chosen: the longest line of PEs that a plan takes without being asked.
constexpr int kLongestLine = 1024;

/// A side of an array, or 1. `most`: the longest.
bool is_side(std::size_t side, std::size_t most = FftPlan::kMostSide) {
  return side == 1 || (std::has_single_bit(side) && side >= FftPlan::kLeastSide && side <= most);
}

bool is_plannable(const Shape3& shape) {
  const auto& [n0, n1, n2] = shape;
  if (n2 == 1) return false;
  if (n0 == 1 && n1 == 1) return is_side(n2, FftPlan::kLongest);
  return is_side(n0) && is_side(n1) && is_side(n2);
}

/// The bases of the digits of an index below n: two for a row or a column of PEs, three for a mesh.
/// About equal, as an exchange takes the smaller one of two as its PEs.
std::array<int, 3> digits_of(std::size_t n, const FftMesh& mesh) {
  const int bits = static_cast<int>(std::bit_width(n)) - 1;
  if (mesh.x == 1 || mesh.y == 1) {
    const int divided = 1 << bits / 2, whole = 1 << (bits - bits / 2);
    return mesh.y == 1 ? std::array{divided, 1, whole} : std::array{1, divided, whole};
  }
  const int whole = (bits + 2) / 3, along_x = (bits - whole + 1) / 2;
  return {1 << along_x, 1 << (bits - whole - along_x), 1 << whole};
}

/// Whether an array of one axis is divided among PEs: one that no PE can have, or, unless there is
/// a batch for these, that is to have several.
bool takes_digits(std::size_t n, const FftOptions& options, PeBytes& bytes) {
  if (n > FftPlan::kMostSide) return true;
  const FftMesh& mesh = options.mesh;
  const bool several = std::max(mesh.x, mesh.y) > 1;
  const bool may = std::ranges::none_of(digits_of(n, mesh), [](int side) {
    return side != 1 && side < static_cast<int>(FftPlan::kLeastSide);
  });
  if (!may || (mesh.x == 1 && mesh.y == 1)) return false;
  return (options.batch == 1 && several) ||
         !fits_pe({{1, 1, static_cast<int>(n)}, 1, 1}, bytes, options.machine);
}

/// PEs along an axis of the mesh, for one array and for all side by side.
struct Line {
  int one, all;
};

/// The PEs that were asked for. `most`: that one array can take.
Line line_of(int asked, int most, int batch, const char* name) {
  const int one = std::min(asked, most);
  const bool fits = asked > 0 && std::has_single_bit(static_cast<unsigned>(one)) &&
                    asked % one == 0 && (asked == one || batch > 1);
  if (!fits)
    throw Error(ErrorCategory::usage, fmt::format("invalid mesh: {} PEs along {}", asked, name),
                fmt::format("for an array of this shape it must be a power of two up to {}{}", most,
                            batch > 1 ? ", and for a batch that or a multiple" : ""),
                "choose such a mesh, or leave it out");
  return {one, asked};
}

/// So many lines of arrays, the whole a power of two.
int side_by_side(int batch, int one) {
  int lines = 1;
  while (lines * lines < batch && lines * one < kLongestLine) lines *= 2;
  return lines;
}

/// PEs along x that take the fewest numbers in the PE that has most, before and after the exchange
/// along rows; of several, the fewest PEs.
int best_px(const Division& division) {
  int best = 1;
  std::int64_t least = 0;
  for (Division next = division; next.px <= std::min(division.spectrum(), division.sides[0]);
       ++next.px) {
    const auto [s0, n1, s2] = next.padded();
    const std::int64_t numbers =
        std::int64_t{s0} / next.px * next.spectrum() + std::int64_t{s2} / next.px * next.sides[0];
    if (least == 0 || numbers < least) {
      best = next.px;
      least = numbers;
    }
  }
  return best;
}

/// Lines of arrays along y for a batch, with so many arrays along x.
int lines_down(int batch, int across, int most_y) {
  return std::min((batch - 1) / across + 1, std::max(kLongestLine / most_y, 1));
}

/// PEs along x for real arrays: any number up to `most`, of several that fit the most.
Line real_line_of(int asked, int most, int batch) {
  int one = std::min(asked, most);
  if (one < 1 || (batch == 1 && one != asked))
    throw Error(ErrorCategory::usage, fmt::format("invalid mesh: {} PEs along x", asked),
                fmt::format("for a real array of this shape it must be 1 to {}: the numbers along "
                            "axis 2 of its half spectrum, or along axis 0",
                            most),
                "choose such a mesh, or leave it out");
  while (asked % one != 0) --one;
  return {one, asked};
}

/// How the arrays of a plan for real numbers lie.
Division real_division(Division division, const FftOptions& options) {
  division.real = true;
  const auto [n0, n1, n2] = division.sides;
  const auto [mesh, batch] = std::pair(options.mesh, options.batch);
  const auto refuse = [](const std::string& problem, const std::string& why,
                         const std::string& remedy) {
    throw Error(ErrorCategory::usage, problem, why, remedy);
  };
  if (n2 > static_cast<int>(FftPlan::kMostSide))
    refuse(fmt::format("no plan for {} real numbers of one axis", n2),
           fmt::format("a pencil has at most {}", FftPlan::kMostSide), "take complex numbers");
  if (n0 == 1 && n1 > 1)
    refuse(fmt::format("no plan for a real array of shape {},{},{}", n0, n1, n2),
           "an array of two axes lies on a row of PEs", fmt::format("give it as {},1,{}", n1, n2));
  const auto [most_x, most_y] = most_pes(division);
  if (batch == 1 && n1 == 1 && mesh.y > 1)
    refuse(fmt::format("invalid mesh: {} PEs along y", mesh.y),
           "a real array of two axes, or of one, lies on a row of PEs", "choose 1 along y");
  division.py = line_of(mesh.y != 0 ? mesh.y : most_y, most_y, batch, "y").one;
  division.px = mesh.x != 0 ? real_line_of(mesh.x, most_x, batch).one : best_px(division);
  division.across = mesh.x != 0 ? mesh.x / division.px : side_by_side(batch, division.px);
  division.down = mesh.y != 0 ? mesh.y / division.py : lines_down(batch, division.across, most_y);
  return division;
}

}  // namespace

std::array<int, 2> most_pes(const Division& division) {
  const auto [n0, n1, n2] = division.sides;
  return {std::min(n0, division.spectrum()), n1 == 1 ? 1 : std::min(n1, n0 == 1 ? n2 : n0)};
}

Division division_of(const Shape3& shape, const FftOptions& options, PeBytes& bytes) {
  const auto& [n0, n1, n2] = shape;
  const auto [mesh, batch] = std::pair(options.mesh, options.batch);
  if (n2 == 1 && (n0 > 1 || n1 > 1))
    throw Error(ErrorCategory::usage, fmt::format("no plan for shape {},{},{}", n0, n1, n2),
                "its last axis has one number",
                fmt::format("reshape the array to {}",
                            n0 > 1 && n1 > 1 ? fmt::format("{},1,{}", n0, n1)
                                             : fmt::format("1,1,{}", std::max(n0, n1))));
  if (!is_plannable(shape))
    throw Error(ErrorCategory::usage, fmt::format("no plan for shape {},{},{}", n0, n1, n2),
                fmt::format("each side is a power of two from {} to {}, or 1 where the array has "
                            "fewer axes: N0,1,N2 or 1,1,N2, and an only side is at most {}",
                            FftPlan::kLeastSide, FftPlan::kMostSide, FftPlan::kLongest),
                "choose sides that are");
  if (batch < 1)
    throw Error(ErrorCategory::usage, fmt::format("invalid count: a batch of {} arrays", batch),
                "must be 1 or more", "give the count of arrays");
  Division division{{static_cast<int>(n0), static_cast<int>(n1), static_cast<int>(n2)}, 1, 1};
  if (options.kind == FftKind::real) return real_division(division, options);
  if (n0 == 1 && n1 == 1 && takes_digits(n2, options, bytes)) {
    division.sides = digits_of(n2, mesh);
    division.digits = true;
  }
  const auto [most_x, most_y] = most_pes(division);
  const int across = side_by_side(batch, most_x);
  const bool folds = batch == 1 && n0 > 1 && n1 == 1 && mesh.y > 1;
  const int default_x = folds ? std::max(most_x / mesh.y, 1) : across * most_x;
  const Line x = line_of(mesh.x != 0 ? mesh.x : default_x, most_x, batch, "x");
  const int down = lines_down(batch, x.all / x.one, most_y);
  const int most_down = folds ? most_x / x.one : most_y;
  const Line y = line_of(mesh.y != 0 ? mesh.y : down * most_y, most_down, batch, "y");
  division.px = x.one;
  division.py = y.one;
  division.across = x.all / x.one;
  division.down = y.all / y.one;
  return division;
}

int rounds_of(const Division& division, int batch) {
  const std::int64_t at_once = std::int64_t{division.across} * division.down;
  return static_cast<int>((batch - 1) / at_once + 1);
}

void check_input(const Volume& input, Shape3 shape) {
  if (input.shape != shape)
    throw Error(ErrorCategory::usage,
                fmt::format("an input of shape {},{},{} cannot be transformed", input.shape.n0,
                            input.shape.n1, input.shape.n2),
                fmt::format("the plan is for {},{},{}", shape.n0, shape.n1, shape.n2),
                "give an array of the plan's shape");
  if (input.data.size() != shape.size())
    throw Error(
        ErrorCategory::usage,
        fmt::format("an input of {} numbers cannot be transformed", input.data.size()),
        fmt::format("its shape {},{},{} has {}", shape.n0, shape.n1, shape.n2, shape.size()),
        "fill the volume's data, which is in C order");
}

void check_real(const Volume& input) {
  const auto other =
      std::ranges::find_if(input.data, [](std::complex<float> z) { return z.imag() != 0; });
  if (other != input.data.end())
    throw Error(ErrorCategory::usage, "this input is not real",
                fmt::format("number {} has the imaginary part {}", other - input.data.begin(),
                            other->imag()),
                "take the transform of complex numbers");
}

}  // namespace weft::fft
