#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/sides.hpp"

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

/// Converts the elements to complex64, in C order. `bytes` holds exactly the array.
/// Throws Error(input) for the first one that is not finite, naming its index and `source`.
std::vector<std::complex<float>> decode(std::string_view bytes, const Sides& sides,
                                        const Encoding& encoding, const std::string& source,
                                        Changed& changed);

/// The same of elements that follow each other in an array in C order, from number `first` on, into
/// as many `numbers`. Adds to `changed`.
void decode_run(std::string_view bytes, std::size_t first, const Sides& sides,
                const Encoding& encoding, const std::string& source,
                std::span<std::complex<float>> numbers, Changed& changed);

}  // namespace weft::io
