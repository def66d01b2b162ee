#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace weft::inline v0 {

/// Sides of a 3-D array, slowest axis first (as NumPy's shape).
struct Shape3 {
  std::size_t n0 = 0, n1 = 0, n2 = 0;

  /// Elements; of more than 2^64 - 1, so many.
  std::size_t size() const noexcept {
    std::size_t plane = 0, all = 0;
    const bool more = __builtin_mul_overflow(n1, n2, &plane);
    if (n0 == 0 || n1 == 0 || n2 == 0) return 0;
    return more || __builtin_mul_overflow(n0, plane, &all) ? ~std::size_t{0} : all;
  }
  bool operator==(const Shape3&) const = default;
};

/// A dense complex 3-D array in C order: element (i, j, k) is data[(i * n1 + j) * n2 + k]. Plain
/// data: threads may read one at the same time, if none changes it.
struct Volume {
  Shape3 shape;
  std::vector<std::complex<float>> data;
};

}  // namespace weft::inline v0
