#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "fft/division/lines.hpp"
#include "fft/division/way.hpp"
#include "weft/error.hpp"

namespace weft::fft {
namespace {

using Digits = std::array<int, 3>;

/// Chosen: shorter digits would have a pair of PEs exchange all that they have.
constexpr int kLeastBase = 4;

bool is_base(int n) { return n >= kLeastBase && n <= static_cast<int>(FftPlan::kMostSide); }

/// The bases that a digit of an index below n may have.
std::vector<int> bases_of(int n) {
  std::vector<int> all;
  for (int base = kLeastBase; is_base(base); ++base)
    if (n % base == 0) all.push_back(base);
  return all;
}

/// Two digits for a row or a column of PEs; three for a mesh, or two if three would leave it a
/// line.
std::vector<Digits> all_digits(int n, const FftMesh& mesh) {
  const std::vector<int> bases = bases_of(n);
  std::vector<Digits> all;
  if (mesh.x != 1 && mesh.y != 1)
    for (const int a : bases)
      for (const int b : bases) {
        const int c = n / a / b;
        if (n / a % b == 0 && is_base(c)) all.push_back({a, b, c});
      }
  if (!all.empty()) return all;
  for (const int a : bases)
    if (is_base(n / a))
      all.push_back(mesh.x == 1 && mesh.y != 1 ? Digits{1, a, n / a} : Digits{a, 1, n / a});
  return all;
}

wsfft::Division division_by(const Digits& digits) {
  wsfft::Division division{digits, 1, 1};
  division.digits = true;
  return division;
}

/// The better digits have more: those that can have the mesh that is asked for, then those for the
/// most PEs, as an exchange is among no more PEs than each of its two digits has values, then those
/// about equal.
std::array<std::int64_t, 6> rank_of(const Digits& digits, const FftOptions& options) {
  const auto [most_x, most_y] = most_pes(division_by(digits));
  const bool takes = takes_pes(options.mesh.x, most_x, options.batch) &&
                     takes_pes(options.mesh.y, most_y, options.batch);
  const auto [least, most] = std::ranges::minmax(digits);
  return {takes ? 1 : 0, std::int64_t{most_x} * most_y, -most, least, digits[2], digits[0]};
}

std::optional<Digits> digits_of(std::size_t size, const FftOptions& options) {
  const std::vector<Digits> all = all_digits(static_cast<int>(size), options.mesh);
  const auto best = std::ranges::max_element(
      all, {}, [&](const Digits& digits) { return rank_of(digits, options); });
  return best == all.end() ? std::nullopt : std::optional(*best);
}

/// Of one axis: one that no PE can have, or, unless there is a batch for these, one that is to have
/// several PEs.
bool takes_digits(const Shape3& shape, const FftOptions& options, const PeBytes& bytes) {
  if (shape.n0 != 1 || shape.n1 != 1) return false;
  if (shape.n2 > FftPlan::kMostSide) return true;
  const FftMesh& mesh = options.mesh;
  if (mesh == FftMesh{1, 1} || !digits_of(shape.n2, options)) return false;
  return (options.batch == 1 && std::max(mesh.x, mesh.y) > 1) ||
         !fits_pe(in_a_pe(shape), bytes, options.machine);
}

wsfft::Division digits_on(const Shape3& shape, const FftOptions& options) {
  if (const auto digits = digits_of(shape.n2, options))
    return on_lines(division_by(*digits), options);
  throw Error(
      ErrorCategory::usage,
      fmt::format("invalid mesh: {} x {} PEs", options.mesh.x, options.mesh.y),
      fmt::format("on a line of PEs {} is written as a product of two numbers of {} to {}, and "
                  "there is none",
                  shape.n2, kLeastBase, FftPlan::kMostSide),
      "choose several PEs along x and along y, or leave the mesh out");
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
