#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/words.hpp"
#include "io/sides.hpp"
#include "io/volume_file.hpp"
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

/// The axes that arrays have in files: as NumPy's, and not always those of Shape3.
struct ArrayLayout {
  std::size_t axes = 3;     ///< of one array: 4, 2 for N0,N2, 1 for N2
  bool batch_axis = false;  ///< a first axis counts the arrays

  io::Sides sides_of_one(const Shape3& one) const;
  io::Sides sides_of_all(const Shape3& one, int batch) const;
};

/// The kinds that --kind names: c2c has either direction.
struct TransformKind {
  FftKind kind;
  std::optional<FftDirection> direction{};
};

inline constexpr base::Word<TransformKind> kTransforms[] = {
    {"c2c", {FftKind::complex}},
    {"r2c", {FftKind::real, FftDirection::forward}},
    {"c2r", {FftKind::real, FftDirection::inverse}}};

/// "c2c", "r2c" or "c2r".
std::string_view kind_text(const Arrays& arrays) noexcept;

/// "forward" or "inverse"; of real numbers "r2c" or "c2r".
std::string_view way_text(const Arrays& arrays) noexcept;

/// Array number `n` of all of them; `one`: its shape.
Volume array_of(const Volume& all, const Shape3& one, int n);

/// Random numbers as a transform takes them, of these runs of all arrays.
std::vector<std::complex<float>> random_numbers(const Arrays& arrays, std::uint64_t seed,
                                                std::span<const io::NumberRun> runs);
/// All of them.
Volume random_arrays(const Arrays& arrays, std::uint64_t seed);

}  // namespace weft::cli
