#include "fft/division/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "weft/error.hpp"

namespace weft::fft {
std::vector<int> divisors_of(int n) {
  std::vector<int> all;
  for (int d = n; d > 0; --d)
    if (n % d == 0) all.push_back(d);
  return all;
}

bool takes_pes(int asked, int most, int batch) {
  return asked >= 0 && (asked <= most || batch > 1);
}

Line line_of(int asked, int most, int batch, const char* axis) {
  if (asked == 0 || !takes_pes(asked, most, batch))
    throw Error(ErrorCategory::usage, fmt::format("invalid mesh: {} PEs along {}", asked, axis),
                fmt::format("allowed for this shape: 1 to {}{}", most,
                            batch > 1 ? ", and more for several arrays side by side" : ""),
                "choose such a mesh, or leave it out");
  int one = std::min(asked, most);
  while (asked % one != 0) --one;
  return {one, asked};
}

void check_shares(const Line& x, const Line& y, const std::array<int, 2>& most, int batch) {
  const std::int64_t places = std::int64_t{x.all / x.one} * (y.all / y.one);
  if (places <= batch) return;
  for (const auto& [line, of_one, axis] : {std::tuple{x, most[0], "x"}, {y, most[1], "y"}}) {
    if (line.all <= of_one || 2 * line.one > of_one) continue;
    const int fewer = line.all / of_one * of_one;
    throw Error(
        ErrorCategory::usage,
        fmt::format("invalid mesh: {} PEs along {} for {} arrays", line.all, axis, batch),
        fmt::format("arrays side by side would have {} PE{} of it each, where one can take {}, and "
                    "{} of {} places would be empty",
                    line.one, line.one == 1 ? "" : "s", of_one, places - batch, places),
        fmt::format("choose {} or {}", fewer, fewer + of_one));
  }
}

int side_by_side(int batch, int one) {
  int lines = 1;
  while (lines * lines < batch && lines * one < kLongestLine) lines *= 2;
  return lines;
}

int lines_down(int batch, int across, int most_y) {
  return std::min((batch - 1) / across + 1, std::max(kLongestLine / most_y, 1));
}

wsfft::Division in_a_pe(const Shape3& shape) {
  wsfft::Division division{{static_cast<int>(shape.n0), static_cast<int>(shape.n1),
                            static_cast<int>(shape.n2 * shape.n3)},
                           1,
                           1};
  division.inner = static_cast<int>(shape.n3);
  return division;
}

std::array<int, 2> most_pes(const wsfft::Division& division) {
  const auto [n0, n1, n2] = division.sides;
  if (division.in_place) return {n0, n1};
  return {std::min(n0, division.spectrum()), n1 == 1 ? 1 : std::min(n1, n0 == 1 ? n2 : n0)};
}

wsfft::Division on_lines(wsfft::Division division, const Line& x, const Line& y) {
  division.px = x.one;
  division.py = y.one;
  division.across = x.all / x.one;
  division.down = y.all / y.one;
  return division;
}

wsfft::Division on_lines(const wsfft::Division& division, const FftOptions& options) {
  const auto [mesh, batch] = std::pair(options.mesh, options.batch);
  const auto [most_x, most_y] = most_pes(division);
  const int width = mesh.x != 0 ? mesh.x : side_by_side(batch, most_x) * most_x;
  const Line x = line_of(width, most_x, batch, "x");
  const int height = mesh.y != 0 ? mesh.y : lines_down(batch, x.all / x.one, most_y) * most_y;
  const Line y = line_of(height, most_y, batch, "y");
  check_shares(x, y, {most_x, most_y}, batch);
  return on_lines(division, x, y);
}

std::string pencils_text(const wsfft::Division& division, FftDirection direction) {
  std::string text;
  for (const wsfft::Arrangement& arrangement : wsfft::arrangements_of(division, direction))
    for (const wsfft::Pencils& pencils : wsfft::passes_of(division, arrangement, direction)) {
      if (pencils.n == 1) continue;  // half way between two exchanges
      text += text.empty() ? fmt::format("{} pencil{} of {} numbers in a PE", pencils.count,
                                         pencils.count == 1 ? "" : "s", pencils.n)
                           : fmt::format(", then {} of {}", pencils.count, pencils.n);
    }
  if (const double padding = division.padding(); padding > 0)
    text += fmt::format("; {:.1f} % of its room is padding", 100 * padding);
  return text;
}

}  // namespace weft::fft
