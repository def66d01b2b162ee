#pragma once

#include <string>

#include "evaluation/result.hpp"

namespace weft::evaluation {

/// Whether gnuplot is there.
bool can_plot();

/// Draws a figure as PNG and SVG, each file whole or not at all: `stem`.png and `stem`.svg. Throws
/// Error(environment) if gnuplot fails.
void plot(const Figure& figure, const std::string& title, const std::string& stem);

}  // namespace weft::evaluation
