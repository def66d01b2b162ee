#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "isa/alu.hpp"
#include "weft/fft.hpp"

/// Blocks of numbers as they lie in PEs.
namespace weft::s3dft {

/// Real and imaginary parts in a PE's words, in one precision.
struct Parts {
  std::uint32_t* words;
  bool halves;

  void put(std::size_t part, float value) const {
    if (halves)
      words[part / 2] |= isa::to_half(value) << (part % 2 * 16U);
    else
      words[part] = isa::as_word(value);
  }
  float get(std::size_t part) const {
    if (halves) return isa::from_half(words[part / 2] >> (part % 2 * 16U) & 0xffffU);
    return isa::as_float(words[part]);
  }
};

/// c(1, i) of an axis of n numbers, for each i: c(a, b) is that of a b modulo n.
inline std::vector<std::complex<float>> coefficients(int n, FftDirection direction) {
  const double angle = (direction == FftDirection::forward ? -2 : 2) * std::numbers::pi / n;
  std::vector<std::complex<float>> all;
  all.reserve(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) all.emplace_back(std::polar(1.0, angle * i));
  return all;
}

}  // namespace weft::s3dft
