#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/sides.hpp"
#include "io/volume_file.hpp"

namespace weft::io {

enum class Scalar {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  float32,
  float64,
};

/// How a file holds the elements of its array.
struct Encoding {
  Scalar scalar = Scalar::float32;
  bool is_complex = false;
  bool big_endian = false;
  bool first_axis_fastest = false;  ///< Fortran order
  double slope = 1, intercept = 0;  ///< value = stored number * slope + intercept
};

/// The description of the array in a file's header.
struct ArrayHeader {
  Sides sides;
  Encoding encoding;
  std::uint64_t data_offset = 0;
  std::uint64_t data_bytes = 0;
};

/// Bytes of one element.
std::uint64_t element_bytes(const Encoding& encoding) noexcept;

/// The elements' type as NumPy names it: "int16", "complex128".
std::string_view type_name(const Encoding& encoding) noexcept;

/// a * b, or the largest number if that is too large: a size that no file has.
std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) noexcept;

/// What a conversion to complex64 changed.
struct Changed {
  std::uint64_t rounded = 0;     ///< numbers that float32 does not hold exactly, but those
  std::uint64_t underflows = 0;  ///< that became 0, since float32 has none so small
};

/// Converts elements that follow each other in a file, from element `first` on, to as many
/// complex64 `numbers`, in the file's order. Adds to `changed`. Throws Error(input) for the first
/// one that is not finite, naming its index and `source`.
void decode_run(std::string_view bytes, std::size_t first, const Sides& sides,
                const Encoding& encoding, const std::string& source,
                std::span<std::complex<float>> numbers, Changed& changed);

/// Of such elements, those that ascending runs have of the array in C order: `numbers` are those of
/// the runs, one after the other. Others are passed over, whatever they are.
void decode_part(std::string_view bytes, std::size_t first, const Sides& sides,
                 const Encoding& encoding, const std::string& source,
                 std::span<const NumberRun> runs, std::span<std::complex<float>> numbers,
                 Changed& changed);

}  // namespace weft::io
