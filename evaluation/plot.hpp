#pragma once

#include <string>
#include <vector>

#include "evaluation/result.hpp"
#include "weft/heat_map.hpp"

namespace weft::evaluation {

/// Whether gnuplot is there.
bool can_plot();

/// Draws a figure as PNG and SVG, each file whole or not at all: `stem`.png and `stem`.svg. Throws
/// Error(environment) if gnuplot fails.
void plot(const Figure& figure, const std::string& title, const std::string& stem);

/// Draws a heat map as a PNG, whole or not at all. Of a mesh with more PEs than
/// the picture has room for, the largest value of each block of PEs. Throws Error(environment) if
/// gnuplot is not there, or fails.
void plot(const HeatMap& map, const std::string& file);
/// The same of several, as an animated PNG.
void plot(const std::vector<HeatMap>& maps, const std::string& file);

}  // namespace weft::evaluation
