#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <vector>

#include "fft/division/lines.hpp"
#include "fft/division/way.hpp"

namespace weft::fft {
namespace {

/// The least divisor of n whose power `power` is n or more: about a root of n.
int about_root(int n, int power) {
  const auto reaches = [&](int d) {
    std::int64_t all = 1;
    for (int k = 0; k < power; ++k) all *= d;
    return all >= n;
  };
  int d = 1;
  while (n % d != 0 || !reaches(d)) ++d;
  return d;
}

/// The bases of the digits of an index below n: two for a row or a column of PEs, three for a mesh.
/// About equal, as an exchange takes a divisor of two of them as its PEs.
std::array<int, 3> digits_of(std::size_t size, const FftMesh& mesh) {
  const int n = static_cast<int>(size);
  if (mesh.x == 1 || mesh.y == 1) {
    const int whole = about_root(n, 2), divided = n / whole;
    return mesh.y == 1 ? std::array{divided, 1, whole} : std::array{1, divided, whole};
  }
  const int whole = about_root(n, 3), along_x = about_root(n / whole, 2);
  return {along_x, n / whole / along_x, whole};
}

/// Of one axis: one that no PE can have, or, unless there is a batch for these, one that is to have
/// several PEs.
bool takes_digits(const Shape3& shape, const FftOptions& options, PeBytes& bytes) {
  if (shape.n0 != 1 || shape.n1 != 1) return false;
  if (shape.n2 > FftPlan::kMostSide) return true;
  const FftMesh& mesh = options.mesh;
  const bool may = std::ranges::none_of(digits_of(shape.n2, mesh), [](int side) {
    return side != 1 && side < static_cast<int>(FftPlan::kLeastSide);
  });
  if (!may || mesh == FftMesh{1, 1}) return false;
  return (options.batch == 1 && std::max(mesh.x, mesh.y) > 1) ||
         !fits_pe(in_a_pe(shape), bytes, options.machine);
}

wsfft::Division digits_on(const Shape3& shape, const FftOptions& options) {
  wsfft::Division division{digits_of(shape.n2, options.mesh), 1, 1};
  division.digits = true;
  return on_lines(division, options);
}

}  // namespace

const Way kDigits{takes_digits, digits_on,
                  [](const wsfft::Division& division, FftDirection direction) {
                    std::vector<int> bases;
                    std::ranges::copy_if(division.sides, std::back_inserter(bases),
                                         [](int side) { return side > 1; });
                    return fmt::format("digits of the index, {}: {}", fmt::join(bases, " x "),
                                       pencils_text(division, direction));
                  }};

}  // namespace weft::fft
