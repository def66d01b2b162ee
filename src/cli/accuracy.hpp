#pragma once

#include "reference/reference.hpp"
#include "weft/fft.hpp"

namespace weft::cli {

/// How a result compares with a reference.
struct Accuracy {
  const reference::Reference* reference = nullptr;
  reference::Difference difference;
  double bound = 0;
  double reference_seconds = 0;  ///< of the reference's transform in double precision

  bool ok() const noexcept { return difference.rel_l2 <= bound; }
};

/// Throws Error(environment) unless the reference can run on this host.
void check_present(const reference::Reference& reference);

/// Compares `output`, emulated in `precision`, with `exact`, the reference's transform of an array
/// of `shape` in double precision.
Accuracy accuracy_of(const Volume& output, FftPrecision precision,
                     const reference::Reference& reference, const Shape3& shape,
                     const reference::Transform& exact);

}  // namespace weft::cli
