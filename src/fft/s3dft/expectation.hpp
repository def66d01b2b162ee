#pragma once

#include "fft/algorithm.hpp"
#include "fft/s3dft/program.hpp"

namespace weft::s3dft {

/// The cycles of a step of a stage on the default machine, by formula (docs/algorithms.md).
double step_cycles(const Transform& t, const Stage& stage);

fft::Expectation expect(const fft::Job& job, fft::Model model);

}  // namespace weft::s3dft
