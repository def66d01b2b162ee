#pragma once

#include <functional>

#include "cli/fft/arrays.hpp"
#include "reference/reference.hpp"
#include "weft/fft.hpp"

namespace weft::cli {

/// How a result compares with a reference.
struct Accuracy {
  const reference::Reference* reference = nullptr;
  reference::Difference difference;
  double bound = 0;
  double reference_seconds = 0;  ///< of the reference's transforms in double precision
  bool in_first = false;         ///< of several processes, the first one has compared whole arrays

  bool ok() const noexcept { return difference.rel_l2 <= bound; }
};

/// Throws Error(environment) unless the reference can run on this host.
void check_present(const reference::Reference& reference);

/// The reference's transform of one of the arrays.
reference::Transformed transform_one(const reference::Reference& reference, const Arrays& arrays,
                                     const Volume& input, FftNorm norm,
                                     reference::Arithmetic arithmetic);

/// Compares emulated transforms of the arrays of `input` with the reference's in double precision:
/// the one that differs most. `bound`: fft_error_bound. `look` gets each array and the reference's
/// transform of it.
Accuracy accuracy_of(
    const reference::Reference& reference, const Arrays& arrays, FftNorm norm, double bound,
    const Volume& input, const Volume& output,
    const std::function<void(const Volume&, const reference::Transformed&)>& look = {});

}  // namespace weft::cli
