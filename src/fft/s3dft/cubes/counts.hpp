#pragma once

#include <cstdint>

#include "fft/s3dft/cubes/program.hpp"
#include "fft/traffic.hpp"

/// Counts of a transform by p^3 nodes, for any p: docs/algorithms.md.
namespace weft::s3dft::cubes {

/// Of each link and ramp, by the streams of the program.
fft::Traffic traffic_of(const Transform& t);

/// About the cycles of one of kStage on the default machine, without the scaling behind it.
double align_cycles(const Transform& t, const Stage& stage);
double sum_cycles(const Transform& t, const Stage& stage);

/// Of one step: its products, and the unit shifts of its blocks, each alone.
double product_cycles(const Transform& t, const Stage& stage);
double roll_cycles(const Transform& t, const Stage& stage);

/// Of all stages.
double cycles_of(const Transform& t);

}  // namespace weft::s3dft::cubes
