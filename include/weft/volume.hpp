#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace weft::inline v0 {

/// Sides of a 3-D array, slowest axis first (as NumPy's shape); of four axes if n3 is not 1.
struct Shape3 {
  std::size_t n0 = 0, n1 = 0, n2 = 0, n3 = 1;

  /// Elements; of more than 2^64 - 1, so many.
  std::size_t size() const noexcept {
    std::size_t all = 1;
    bool more = false;
    for (const std::size_t side : {n0, n1, n2, n3}) {
      if (side == 0) return 0;
      more = __builtin_mul_overflow(all, side, &all) || more;
    }
    return more ? ~std::size_t{0} : all;
  }
  bool operator==(const Shape3&) const = default;
};

/// A dense complex array in C order: element (i, j, k) is data[(i * n1 + j) * n2 + k], and element
/// (i, j, k, l) of four axes data[((i * n1 + j) * n2 + k) * n3 + l]. Plain data: threads may read
/// one at the same time, if none changes it.
struct Volume {
  Shape3 shape;
  std::vector<std::complex<float>> data;
};

}  // namespace weft::inline v0
