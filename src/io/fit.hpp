#pragma once

#include <complex>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "io/volume_file.hpp"
#include "weft/fft.hpp"

/// Inputs that are made to fit, of which a process has a part.
namespace weft::io {

/// Reads numbers of an array, of ascending runs, one run after the other.
using ReadRuns = std::function<std::vector<std::complex<float>>(std::span<const NumberRun>)>;

/// The numbers of a part of one array, of a shape that an array of the shape `have` is made to fit.
/// `read` is called once, for what they need. Where parts need the same numbers, as at their
/// borders, the first of them counts these: `before` has the parts of the processes before this
/// one. Throws Error(input) as `Fit` says; `source` is how messages name the input.
std::vector<std::complex<float>> fit_part(const ReadRuns& read, Shape3 have, const FftPart& part,
                                          std::span<const FftPart> before, Fit how,
                                          const std::string& source);

}  // namespace weft::io
