#pragma once

#include <complex>
#include <span>
#include <string>
#include <vector>

#include "io/fit.hpp"

namespace weft::io {

/// Of the whole field on another grid, the numbers of a part; `read` and `before` as of fit_part.
/// One axis after another; the outer edges of first and last element stay in place. A side that
/// grows is interpolated linearly. A side that shrinks takes, for each new element, the average of
/// the interpolated field over that element's width, so that detail too fine for the new grid does
/// not alias. Both reproduce constants and, away from the edges, linear fields exactly. `purpose`
/// as in allocate_numbers.
std::vector<std::complex<float>> resample(const ReadRuns& read, Shape3 have, const FftPart& part,
                                          std::span<const FftPart> before,
                                          const std::string& purpose);

}  // namespace weft::io
