#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weft/volume.hpp"

namespace weft::io {

enum class Scalar { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };

/// How a file holds the elements of its array.
struct Encoding {
  Scalar scalar = Scalar::float32;
  bool is_complex = false;
  bool big_endian = false;
  bool first_axis_fastest = false;  ///< Fortran order
  double slope = 1, intercept = 0;  ///< value = stored number * slope + intercept
};

/// What a file's header says about the array after it.
struct ArrayHeader {
  Shape3 shape;
  Encoding encoding;
  std::uint64_t data_offset = 0;
  std::uint64_t data_bytes = 0;
};

/// Bytes of one element.
std::uint64_t element_bytes(const Encoding& encoding) noexcept;

/// a * b, or the largest number if that is too large: a size that no file has.
std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) noexcept;

struct Decoded {
  Volume volume;
  std::uint64_t underflows = 0;  ///< numbers that became 0, since float32 has none so small
};

/// Converts the elements to complex64. `bytes` holds exactly the array.
/// Throws Error(input) for the first one that is not finite, naming its index and `source`.
Decoded decode(std::string_view bytes, Shape3 shape, const Encoding& encoding,
               const std::string& source);

}  // namespace weft::io
