#include "evaluation/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "io/atomic_file.hpp"
#include "page/gnuplot.hpp"
#include "weft/error.hpp"

namespace weft::evaluation {
namespace {

using page::in_quotes;

/// A kind of picture. A file of it that was cut off lacks `end` among its last bytes.
struct Format {
  std::string_view suffix, terminal, end;
};
constexpr std::array<Format, 2> kFormats = {
    {{".png", "pngcairo size 1100,560 font 'DejaVu Sans,11' background '#ffffff'", "IEND"},
     {".svg", "svg size 1100,560 font 'DejaVu Sans,13' background '#ffffff'", "</svg>"}}};
constexpr Format kMapFormat{".png", "", "IEND"};

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
      "set xlabel {} noenhanced\nset ylabel {} noenhanced\n{}{}"
      "set offsets graph 0.03, graph 0.03, graph 0.05, 0\nplot {}\n",
      terminal, in_quotes(file), data, in_quotes(title), in_quotes(figure.x), in_quotes(figure.y),
      figure.log_x ? "set logscale x 2\n" : "",
      figure.log_y ? "set logscale y 10\n" : "set yrange [0:*]\n", plots);
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

/// The picture, for this file, by the script that script_of(file to write) is.
template <class F>
std::string drawn(const Format& format, const std::string& file, F script_of,
                  const std::string& remedy) {
  constexpr std::size_t kLast = 16;  // bytes
  const std::string part = file + ".part";
  const bool has_drawn = run_gnuplot(script_of(part));
  std::string picture = content_of(part);
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  // gnuplot does not report a full disk.
  if (!has_drawn || picture.find(format.end, picture.size() - std::min(kLast, picture.size())) ==
                        std::string::npos)
    throw Error(ErrorCategory::environment, fmt::format("cannot draw '{}'", file),
                "gnuplot failed, or the folder is full", remedy);
  return picture;
}

std::string picture_of(const HeatMap& map, const std::string& file) {
  return drawn(
      kMapFormat, file, [&](const std::string& part) { return heat_map_script(map, part); },
      "name a file in a folder with room");
}

void check_can_plot(const std::string& file) {
  if (!can_plot())
    throw Error(ErrorCategory::environment, fmt::format("cannot draw '{}'", file),
                "gnuplot is not installed", "install gnuplot-nox");
}

}  // namespace

bool can_plot() { return std::system("gnuplot --version >/dev/null 2>&1") == 0; }

void plot(const Figure& figure, const std::string& title, const std::string& stem) {
  for (const Format& format : kFormats) {
    const std::string file = stem + std::string(format.suffix);
    io::write_file(file, drawn(
                             format, file,
                             [&](const std::string& part) {
                               return script(figure, title, std::string(format.terminal), part);
                             },
                             "look at the text and CSV files"));
  }
}

void plot(const HeatMap& map, const std::string& file) {
  check_can_plot(file);
  io::write_file(file, picture_of(map, file));
}

void plot(const std::vector<HeatMap>& maps, const std::string& file) {
  check_can_plot(file);
  std::vector<std::string> pictures;
  pictures.reserve(maps.size());
  for (const HeatMap& map : maps) pictures.push_back(picture_of(map, file));
  io::write_file(file, animated_png(pictures));
}

}  // namespace weft::evaluation
