#include "evaluation/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "io/atomic_file.hpp"
#include "weft/error.hpp"

namespace weft::evaluation {
namespace {

/// A kind of picture. A file of it that was cut off lacks `end` among its last bytes.
struct Format {
  std::string_view suffix, terminal, end;
};
constexpr std::array<Format, 2> kFormats = {
    {{".png", "pngcairo size 1100,560 font 'DejaVu Sans,11' background '#ffffff'", "IEND"},
     {".svg", "svg size 1100,560 font 'DejaVu Sans,13' background '#ffffff'", "</svg>"}}};
constexpr Format kMapFormat{
    ".png", "pngcairo size 900,760 font 'DejaVu Sans,11' background '#ffffff'", "IEND"};
/// Along the longer side of a map: more would be less than a pixel each.
constexpr std::size_t kMostBlocks = 512;

/// In double quotes, for gnuplot; titles have no formatting.
std::string in_quotes(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all + "\"";
}

/// Ours are lines, measured ones are points, estimates and formulas are broken lines with points.
std::string style_of(const Series& series) {
  constexpr const char* kColors[] = {"#1f6fb4", "#d1602b", "#2c8f57", "#7a4fa3", "#8c6d31",
                                     "#c2559d", "#444444", "#16a3b0", "#b3121d", "#e0a100",
                                     "#6aa84f", "#9fb3c8", "#5b3a1e"};
  const std::string rgb = fmt::format(
      "lc rgb '{}'", kColors[static_cast<std::size_t>(series.color) % std::size(kColors)]);
  switch (series.mark) {
    case Mark::ours:
      return fmt::format("with linespoints pt {} ps 0.9 lw 2 {} {}", series.dashed ? 6 : 7,
                         series.dashed ? "dt (5,5)" : "", rgb);
    case Mark::measured:
      return "with points pt 4 ps 1.6 lw 2 " + rgb;
    case Mark::estimated:
    case Mark::formula:
      return "with linespoints dt (6,6) pt 6 ps 1.2 lw 1.3 " + rgb;
  }
  return "";
}

std::string script(const Figure& figure, const std::string& title, const std::string& terminal,
                   const std::string& file) {
  std::string data, plots;
  std::size_t count = 0;
  for (const Series& series : figure.series) {
    if (series.points.empty()) continue;
    data += fmt::format("$d{} << EOD\n", count);
    for (const auto& [x, y] : series.points) data += fmt::format("{} {}\n", x, y);
    data += "EOD\n";
    plots += fmt::format("{}$d{} using 1:2 {} title {}", count > 0 ? ", " : "", count,
                         style_of(series), in_quotes(series.title));
    ++count;
  }
  return fmt::format(
      "set terminal {}\nset output {}\n{}set encoding utf8\n"
      "set border 3 lc rgb '#888888'\nset tics nomirror textcolor rgb '#444444'\n"
      "set grid ytics lt 1 lc rgb '#e2e2e2' lw 0.8\n"
      "set title {} noenhanced\nset key outside right top vertical Left reverse noenhanced\n"
      "set xlabel {} noenhanced\nset ylabel {} noenhanced\nset logscale x 2\n{}"
      "set offsets graph 0.03, graph 0.03, graph 0.05, 0\nplot {}\n",
      terminal, in_quotes(file), data, in_quotes(title), in_quotes(figure.x), in_quotes(figure.y),
      figure.log_y ? "set logscale y 10\n" : "set yrange [0:*]\n", plots);
}

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

/// Row 0 is at the top, as in the mesh; no color is white, which the paper has.
std::string script(const HeatMap& map, const std::string& file) {
  constexpr double kThinnest = 0.25;  // side to side: PEs of a thin mesh are drawn as no squares
  const Cells cells(map);
  const std::uint64_t most = std::max<std::uint64_t>(1, std::ranges::max(map.values));
  return fmt::format(
      "set terminal {}\nset output {}\n$map << EOD\n{}EOD\nset encoding utf8\n"
      "set title {} noenhanced\nset xlabel 'x'\nset ylabel 'y'\n"
      "set xrange [-0.5:{}-0.5]\nset yrange [{}-0.5:-0.5]\nset size ratio {}\n"
      "set tics out nomirror\nset xtics {}\nset ytics {}\nset cbtics {}\nset cbrange [0:{}]\n"
      "set palette defined (0 '#f2f0f7', 0.3 '#9ebcda', 0.7 '#8856a7', 1 '#4d004b')\n"
      "plot $map matrix using {}:{}:3 with image notitle\n",
      kMapFormat.terminal, in_quotes(file), lines_of(map, cells), in_quotes(map.title), map.width,
      map.height,
      std::clamp(static_cast<double>(map.height) / static_cast<double>(map.width), kThinnest,
                 1 / kThinnest),
      tic_step(map.width), tic_step(map.height), tic_step(most), most, cells.x(), cells.y());
}

/// Runs gnuplot on a script. Returns whether it said that it drew.
bool run_gnuplot(const std::string& text) {
  std::FILE* pipe = ::popen("gnuplot 2>/dev/null", "w");
  if (pipe == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), pipe) == text.size();
  return ::pclose(pipe) == 0 && written;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Draws by the script that script_of(file to write) is.
template <class F>
void draw(const Format& format, const std::string& file, F script_of, const std::string& remedy) {
  constexpr std::size_t kLast = 16;  // bytes
  const std::string part = file + ".part";
  const bool drawn = run_gnuplot(script_of(part));
  const std::string picture = content_of(part);
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  // gnuplot does not report a full disk.
  if (!drawn || picture.find(format.end, picture.size() - std::min(kLast, picture.size())) ==
                    std::string::npos)
    throw Error(ErrorCategory::environment, fmt::format("cannot draw '{}'", file),
                "gnuplot failed, or the folder is full", remedy);
  io::write_file(file, picture);
}

}  // namespace

bool can_plot() { return std::system("gnuplot --version >/dev/null 2>&1") == 0; }

void plot(const Figure& figure, const std::string& title, const std::string& stem) {
  for (const Format& format : kFormats) {
    const std::string file = stem + std::string(format.suffix);
    draw(
        format, file,
        [&](const std::string& part) {
          return script(figure, title, std::string(format.terminal), part);
        },
        "look at the text and CSV files");
  }
}

void plot(const HeatMap& map, const std::string& file) {
  if (!can_plot())
    throw Error(ErrorCategory::environment, fmt::format("cannot draw '{}'", file),
                "gnuplot is not installed", "install gnuplot-nox");
  draw(
      kMapFormat, file, [&](const std::string& part) { return script(map, part); },
      "name a file in a folder with room");
}

}  // namespace weft::evaluation
