#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/reference.hpp"
#include "weft/error.hpp"

namespace weft::reference {
namespace {

template <typename Real>
Difference difference(std::span<const std::complex<Real>> result,
                      std::span<const std::complex<double>> reference) {
  if (result.size() != reference.size()) {
    throw Error(ErrorCategory::usage, "cannot compare with the reference",
                fmt::format("the result has {} elements, the reference {}", result.size(),
                            reference.size()),
                "compare arrays of the same shape");
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double error_squares = 0, reference_squares = 0, largest = 0;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double error = std::norm(std::complex<double>(result[i]) - reference[i]);
    // A NaN would slip through std::max below.
    if (!std::isfinite(error)) return {kInfinity, kInfinity};
    error_squares += error;
    reference_squares += std::norm(reference[i]);
    largest = std::max(largest, error);
  }
  if (error_squares == 0) return {};
  return {std::sqrt(error_squares / reference_squares), std::sqrt(largest)};
}

}  // namespace

Difference compare(std::span<const std::complex<float>> result,
                   std::span<const std::complex<double>> reference) {
  return difference(result, reference);
}

Difference compare(std::span<const std::complex<double>> result,
                   std::span<const std::complex<double>> reference) {
  return difference(result, reference);
}

}  // namespace weft::reference
