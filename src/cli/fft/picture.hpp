#pragma once

#include <string>

#include "cli/fft/arrays.hpp"
#include "weft/fft.hpp"

/// The picture that `weft fft --png` draws.
namespace weft::cli {

/// As much of a run's arrays as a picture shows, as arrays of one number along the last axes.
struct PicturePlanes {
  Volume input, output;
};

/// The plane of the input, or of the output. Of processes that have parts, all call it, and all get
/// the whole plane.
Volume input_plane(const FftPlan& plan, const Arrays& arrays, const Volume& input);
Volume output_plane(const FftPlan& plan, const Arrays& arrays, const Volume& output);

/// Throws Error(environment).
void write_picture(const std::string& path, const PicturePlanes& planes, FftDirection direction);

}  // namespace weft::cli
