#pragma once

#include "fft/algorithm.hpp"

/// The form `cubes` of S3DFT, as plans take it: the parts of fft::Algorithm.
namespace weft::s3dft::cubes {

fft::Choice choose(const Shape3& shape, FftPrecision precision, const FftOptions& options);
fft::Written write(const fft::Job& job);
fft::Expectation expect(const fft::Job& job, fft::Model model);

}  // namespace weft::s3dft::cubes
