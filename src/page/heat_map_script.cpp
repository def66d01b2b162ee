#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "page/gnuplot.hpp"
#include "weft/heat_map.hpp"

namespace weft::inline v0 {
namespace {

using page::in_quotes;

constexpr std::string_view kTerminal =
    "pngcairo size 900,760 font 'DejaVu Sans,11' background '#ffffff'";
/// Along the longer side of a map: more would be less than a pixel each.
constexpr std::size_t kMostBlocks = 512;

/// What gnuplot shows as one cell: a block of `side` x `side` PEs.
struct Cells {
  std::size_t side;
  /// gnuplot draws no image of one row or column of cells, so a single one is there twice, as two
  /// halves of it.
  std::size_t times_x, times_y;

  explicit Cells(const HeatMap& map)
      : side((std::max(map.width, map.height) + kMostBlocks - 1) / kMostBlocks),
        times_x(map.width <= side ? 2 : 1),
        times_y(map.height <= side ? 2 : 1) {}
  std::string x() const { return place("$1", times_x); }
  std::string y() const { return place("$2", times_y); }

 private:
  /// The middle of the cell of that number, in PEs.
  std::string place(std::string_view number, std::size_t times) const {
    return fmt::format("({}*({}+0.5)-0.5)", static_cast<double>(side) / static_cast<double>(times),
                       number);
  }
};

/// The largest value of each cell, a line for each row of cells.
std::string lines_of(const HeatMap& map, const Cells& cells) {
  const std::size_t side = cells.side;
  std::string lines;
  for (std::size_t y = 0; y < map.height; y += side) {
    std::string line;
    for (std::size_t x = 0; x < map.width; x += side) {
      std::uint64_t most = 0;
      for (std::size_t row = y; row < std::min(y + side, map.height); ++row)
        for (std::size_t column = x; column < std::min(x + side, map.width); ++column)
          most = std::max(most, map.values[row * map.width + column]);
      for (std::size_t n = 0; n < cells.times_x; ++n) line += fmt::format("{} ", most);
    }
    for (std::size_t n = 0; n < cells.times_y; ++n) lines += line + '\n';
  }
  return lines;
}

/// 1, 2 or 5 of a power of ten, for about ten tics: there is nothing between whole numbers.
std::uint64_t tic_step(std::uint64_t range) {
  std::uint64_t ten = 1;
  while (range / ten > 100) ten *= 10;
  for (const std::uint64_t step : {1U, 2U, 5U})
    if (range / (step * ten) <= 10) return step * ten;
  return 10 * ten;
}

}  // namespace

/// Row 0 is at the top, as in the mesh; no color is white, which the paper has.
std::string heat_map_script(const HeatMap& map, const std::string& file) {
  constexpr double kThinnest = 0.25;  // side to side: PEs of a thin mesh are drawn as no squares
  const Cells cells(map);
  const std::uint64_t most =
      map.scale != 0 ? map.scale : std::max<std::uint64_t>(1, std::ranges::max(map.values));
  return fmt::format(
      "set terminal {}\nset output {}\n$map << EOD\n{}EOD\nset encoding utf8\n"
      "set title {} noenhanced\nset xlabel 'x'\nset ylabel 'y'\n"
      "set xrange [-0.5:{}-0.5]\nset yrange [{}-0.5:-0.5]\nset size ratio {}\n"
      "set tics out nomirror\nset xtics {}\nset ytics {}\nset cbtics {}\nset cbrange [0:{}]\n"
      "set palette defined (0 '#f2f0f7', 0.3 '#9ebcda', 0.7 '#8856a7', 1 '#4d004b')\n"
      "plot $map matrix using {}:{}:3 with image notitle\n",
      kTerminal, in_quotes(file), lines_of(map, cells), in_quotes(map.title), map.width, map.height,
      std::clamp(static_cast<double>(map.height) / static_cast<double>(map.width), kThinnest,
                 1 / kThinnest),
      tic_step(map.width), tic_step(map.height), tic_step(most), most, cells.x(), cells.y());
}

}  // namespace weft::inline v0
