#pragma once

#include "cli/common/accuracy.hpp"
#include "cli/fft/arrays.hpp"
#include "cli/fft/shared_transform.hpp"
#include "reference/reference.hpp"
#include "weft/fft.hpp"

namespace weft::cli {

/// As accuracy_of, of processes that have parts of the arrays: all call it alike, and get the same,
/// without seconds. By FFTW they compare arrays that are whole in a process there, and others by
/// transforms among all, in parts: then sums of squares are of one process after the other, so last
/// digits are not those of one process. The first process alone, with whole arrays, compares those
/// of one axis, by other references, and where `make` is empty. Leaves nothing of the input. Throws
/// Error(environment), the same in all, and std::bad_alloc in one process alone that has no memory
/// for a row under way: its end is that of all.
Accuracy accuracy_of_parts(const reference::Reference& reference, const MakeSharedTransform& make,
                           const Arrays& arrays, const FftPlan& plan, double bound, Volume&& input,
                           const Volume& output);

}  // namespace weft::cli
