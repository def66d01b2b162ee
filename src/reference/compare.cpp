#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/reference.hpp"
#include "weft/error.hpp"

namespace weft::reference {
namespace {

template <typename Real>
ErrorSums sums(std::span<const std::complex<Real>> result,
               std::span<const std::complex<double>> reference) {
  if (result.size() != reference.size()) {
    throw Error(ErrorCategory::usage, "cannot compare with the reference",
                fmt::format("the result has {} elements, the reference {}", result.size(),
                            reference.size()),
                "compare arrays of the same shape");
  }
  ErrorSums all;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double error = std::norm(std::complex<double>(result[i]) - reference[i]);
    // A NaN would slip through std::max below.
    if (!std::isfinite(error)) return {.finite = false};
    all.error_squares += error;
    all.reference_squares += std::norm(reference[i]);
    all.largest = std::max(all.largest, error);
  }
  return all;
}

}  // namespace

void ErrorSums::add(const ErrorSums& others) {
  error_squares += others.error_squares;
  reference_squares += others.reference_squares;
  largest = std::max(largest, others.largest);
  finite = finite && others.finite;
}

Difference ErrorSums::difference() const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!finite) return {kInfinity, kInfinity};
  if (error_squares == 0) return {};
  return {std::sqrt(error_squares / reference_squares), std::sqrt(largest)};
}

ErrorSums error_sums(std::span<const std::complex<float>> result,
                     std::span<const std::complex<double>> reference) {
  return sums(result, reference);
}

Difference compare(std::span<const std::complex<float>> result,
                   std::span<const std::complex<double>> reference) {
  return sums(result, reference).difference();
}

Difference compare(std::span<const std::complex<double>> result,
                   std::span<const std::complex<double>> reference) {
  return sums(result, reference).difference();
}

}  // namespace weft::reference
