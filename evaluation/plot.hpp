#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "evaluation/result.hpp"

namespace weft::evaluation {

/// Whether gnuplot is there.
bool can_plot();

/// Draws a figure as PNG and SVG, each file whole or not at all: `stem`.png and `stem`.svg. Throws
/// Error(environment) if gnuplot fails.
void plot(const Figure& figure, const std::string& title, const std::string& stem);

/// A number for each PE, row by row.
struct HeatMap {
  std::string title{};
  std::size_t width = 0, height = 0;
  std::vector<std::uint64_t> values{};
};

/// Draws it with axes and a color bar as a PNG, whole or not at all. Of a mesh with more PEs than
/// the picture has room for, the largest value of each block of PEs. Throws Error(environment) if
/// gnuplot is not there, or fails.
void plot(const HeatMap& map, const std::string& file);

}  // namespace weft::evaluation
