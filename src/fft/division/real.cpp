#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <ranges>
#include <utility>

#include "fft/division/lines.hpp"
#include "fft/division/way.hpp"
#include "weft/error.hpp"

namespace weft::fft {
namespace {

using wsfft::Division;

Division with_px(Division division, int px) {
  division.px = px;
  return division;
}

/// PEs along x that take the fewest numbers in the PE that has most, before and after the exchange
/// along rows; of several, the fewest PEs.
int best_px(const Division& division, int most) {
  return std::ranges::min(std::views::iota(1, most + 1), {}, [&](int px) {
    const Division one = with_px(division, px);
    return std::int64_t{one.block(0, wsfft::Axis::row)} * one.spectrum() +
           std::int64_t{one.block(2, wsfft::Axis::row)} * one.sides[0];
  });
}

/// PEs along x with which a PE has the fewest numbers; of several, the most PEs.
int px_of_fewest_numbers(const Division& division, int most) {
  return std::ranges::min(std::views::iota(1, most + 1) | std::views::reverse, {},
                          [&](int px) { return with_px(division, px).numbers(); });
}

Division real_on(const Shape3& shape, const FftOptions& options) {
  const auto [mesh, batch] = std::pair(options.mesh, options.batch);
  Division division = in_a_pe(shape);
  division.real = true;
  const auto [most_x, most_y] = most_pes(division);
  if (batch == 1 && most_y == 1 && mesh.y > 1)
    throw Error(ErrorCategory::usage, fmt::format("invalid mesh: {} PEs along y", mesh.y),
                "allowed: 1, as a real array of one or two axes lies on a row of PEs",
                "choose 1 along y");
  division.py = line_of(mesh.y != 0 ? mesh.y : most_y, most_y, batch, "y").one;
  const int px = mesh.x != 0 ? 0 : best_px(division, most_x);
  const Line x = line_of(px == 0 ? mesh.x : px * side_by_side(batch, px), most_x, batch, "x");
  const int down = lines_down(batch, x.all / (px == 0 ? x.one : px), most_y);
  const Line y{division.py, mesh.y != 0 ? mesh.y : down * division.py};
  check_shares(x, y, {most_x, most_y}, batch);
  return on_lines(division, x, y);
}

std::vector<int> real_widths(const Division& largest) {
  const int most = most_pes(largest)[0];
  std::vector<int> widths{largest.width(), most, 1};
  for (int px = 2; px < most; px *= 2) widths.push_back(px);  // an exchange by halves needs one
  for (const int py : divisors_of(largest.py)) {
    Division one = largest;
    one.py = py;
    widths.push_back(px_of_fewest_numbers(one, most));
  }
  return widths;
}

}  // namespace

const Way kReal{[](const Shape3&, const FftOptions& options, const PeBytes&) {
                  return options.kind == FftKind::real;
                },
                real_on,
                [](const Division& division, FftDirection direction) {
                  const int kept = division.spectrum(), padded = division.pitch(2);
                  return fmt::format("half a spectrum of {} numbers{}: {}", kept,
                                     padded == kept ? "" : fmt::format(", padded to {}", padded),
                                     pencils_text(division, direction));
                },
                real_widths};

std::optional<WrongShape> wrong_for_real(const Shape3& shape) {
  const auto [n0, n1, n2, n3] = shape;
  if (n2 > FftPlan::kMostSide)
    return WrongShape{
        fmt::format("a real array has at most {} numbers along its last axis", FftPlan::kMostSide),
        "take complex numbers"};
  if (n2 % 2 != 0)
    return WrongShape{
        fmt::format("a real array has an even count of numbers along its last axis, not {}", n2),
        "take complex numbers"};
  if (n0 == 1 && n1 > 1)
    return WrongShape{"a real array of two axes lies on a row of PEs",
                      fmt::format("give it as {},1,{}", n1, n2)};
  return {};
}

}  // namespace weft::fft
