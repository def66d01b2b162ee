#include "cli/accuracy.hpp"

#include <fmt/format.h>

#include "weft/error.hpp"

namespace weft::cli {

void check_present(const reference::Reference& reference) {
  if (const std::string why = reference.why_absent(); !why.empty()) {
    throw Error(ErrorCategory::environment, fmt::format("cannot compare with {}", reference.title),
                why, "use --reference fftw or --reference none");
  }
}

Accuracy accuracy_of(const Volume& output, FftPrecision precision,
                     const reference::Reference& reference, const Shape3& shape,
                     const reference::Transform& exact) {
  return {&reference, reference::compare(output.data, exact.values),
          fft_error_bound(shape, precision), exact.wall_seconds};
}

}  // namespace weft::cli
