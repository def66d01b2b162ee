#include <fmt/format.h>

#include "reference/reference.hpp"
#include "weft/error.hpp"
#include "weft/io.hpp"

namespace weft::inline v0 {

std::vector<std::complex<double>> fft_by_fftw(const Volume& input, FftDirection direction,
                                              FftNorm norm) {
  return reference::fftw(input, direction, norm);
}

double relative_l2_error(const Volume& result, const std::vector<std::complex<double>>& reference) {
  if (result.data.size() != reference.size()) {
    throw Error(
        ErrorCategory::usage, "cannot compare with the reference",
        fmt::format("it has {} numbers, the reference {}", result.data.size(), reference.size()),
        "compare transforms of the same array");
  }
  return reference::compare(result.data, reference).rel_l2;
}

}  // namespace weft::inline v0
