#pragma once

#include <cstdint>

#include "fft/s3dft/cubes/program.hpp"
#include "fft/traffic.hpp"

/// Counts of a transform by p^3 nodes, for any p: docs/algorithms.md.
namespace weft::s3dft::cubes {

/// Of each link and ramp, by the streams of the program.
fft::Traffic traffic_of(const Transform& t);

/// A machine beside the default one.
struct Pace {
  double products = 1;         ///< multiply-adds take so many times as long
  double step = 0, shift = 0;  ///< cycles that each step, and each unit shift, takes longer
};

/// About the cycles of one of kStage, without the scaling behind it.
double align_cycles(const Transform& t, const Stage& stage, const Pace& pace = {});
double sum_cycles(const Transform& t, const Stage& stage, const Pace& pace = {});

/// Of one step: its products, and the unit shifts of its blocks, each alone.
double product_cycles(const Transform& t, const Stage& stage);
double roll_cycles(const Transform& t, const Stage& stage);

/// Of all stages.
double cycles_of(const Transform& t, const Pace& pace = {});

}  // namespace weft::s3dft::cubes
