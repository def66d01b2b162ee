#pragma once

#include <cstdint>
#include <string_view>

#include "weft/fft.hpp"
#include "weft/volume.hpp"

namespace weft::cli {

/// The arrays that are transformed at a time, one after the other along axis 0.
struct Arrays {
  Shape3 shape{};  ///< of one, in space
  FftKind kind = FftKind::complex;
  FftDirection direction = FftDirection::forward;
  int batch = 1;

  bool is_c2r() const noexcept {
    return kind == FftKind::real && direction == FftDirection::inverse;
  }
  bool is_r2c() const noexcept {
    return kind == FftKind::real && direction == FftDirection::forward;
  }
  /// Of one array before the transform, and after it: c2r takes, and r2c gives, half a spectrum.
  Shape3 input_shape() const noexcept;
  Shape3 output_shape() const noexcept;
  /// Of all.
  Shape3 stacked(const Shape3& one) const noexcept;
  bool operator==(const Arrays&) const = default;
};

/// "forward" or "inverse"; of real numbers "r2c" or "c2r".
std::string_view way_text(const Arrays& arrays) noexcept;

/// Array number `n` of all of them; `one`: its shape.
Volume array_of(const Volume& all, const Shape3& one, int n);

/// Random numbers as a transform takes them.
Volume random_arrays(const Arrays& arrays, std::uint64_t seed);

}  // namespace weft::cli
