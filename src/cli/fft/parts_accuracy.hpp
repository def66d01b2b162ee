#pragma once

#include "cli/common/accuracy.hpp"
#include "cli/fft/arrays.hpp"
#include "cli/fft/shared_transform.hpp"
#include "reference/reference.hpp"
#include "weft/fft.hpp"

namespace weft::cli {

/// Where processes that have parts of the arrays compare them.
enum class Comparing {
  in_first,   ///< the first process alone, with whole arrays, one at a time
  by_owners,  ///< each the arrays that are whole in it
  together,   ///< all in parts, by transforms among all
};

/// By FFTW each compares what it has. In the first process are arrays of one axis that several PEs
/// share, other references, and a build without FFTW for MPI (`has_shared`).
Comparing comparing_of(const reference::Reference& reference, bool has_shared, const FftPlan& plan,
                       FftDirection direction);

/// Of the first process, before a run: throws Error(environment) if so many bytes of its host do
/// not hold the arrays that it compares whole, beside the parts of all processes there.
void check_memory(const reference::Reference& reference, Comparing comparing, const Arrays& arrays,
                  const FftPlan& plan, double host_bytes);

/// As accuracy_of, of processes that have parts of the arrays: all call it alike, and get the same,
/// without seconds. Together, sums of squares are of one process after the other, so last digits
/// are not those of one process; only there `make` is called. Leaves nothing of the input. Throws
/// Error(environment), the same in all, and std::bad_alloc in one process alone that has no memory
/// for a row under way: its end is that of all.
Accuracy accuracy_of_parts(const reference::Reference& reference, Comparing comparing,
                           const MakeSharedTransform& make, const Arrays& arrays,
                           const FftPlan& plan, double bound, Volume&& input, const Volume& output);

}  // namespace weft::cli
