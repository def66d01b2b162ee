#include "io/raw_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "io/allocate.hpp"
#include "weft/error.hpp"

namespace weft::io {

namespace {

std::uint64_t scalar_bytes(Scalar scalar) noexcept {
  switch (scalar) {
    case Scalar::int8:
    case Scalar::uint8:
      return 1;
    case Scalar::int16:
    case Scalar::uint16:
      return 2;
    case Scalar::int32:
    case Scalar::uint32:
    case Scalar::float32:
      return 4;
    case Scalar::int64:
    case Scalar::uint64:
    case Scalar::float64:
      return 8;
  }
  return 0;
}

template <typename T>
T load(const char* from, bool swap) noexcept {
  char bytes[sizeof(T)];
  std::memcpy(bytes, from, sizeof(T));
  if (swap) std::reverse(bytes, bytes + sizeof(T));
  return std::bit_cast<T>(bytes);
}

[[noreturn]] void throw_not_finite(Shape3 at, double stored, double scaled,
                                   const std::string& source) {
  const bool overflowed = std::isfinite(scaled);
  throw Error(Category::input, fmt::format("'{}' holds a number that cannot be used", source),
              fmt::format("element ({}, {}, {}) is {}{}", at.n0, at.n1, at.n2,
                          overflowed ? scaled : (std::isfinite(stored) ? scaled : stored),
                          overflowed ? ", too large for float32" : ""),
              overflowed ? "scale the array down"
                         : "replace such elements by finite ones, e.g. with numpy.nan_to_num");
}

/// Reads one real number after another, scaled.
template <typename T>
struct Reader {
  const char* next;
  bool swap;
  double slope, intercept;
  std::uint64_t underflows = 0;

  float read(Shape3 at, const std::string& source) {
    const T stored = load<T>(next, swap);
    next += sizeof(T);
    const double scaled = static_cast<double>(stored) * slope + intercept;
    const float value = static_cast<float>(scaled);
    if (!std::isfinite(value)) {
      throw_not_finite(at, static_cast<double>(stored), scaled, source);
    }
    if (value == 0 && scaled != 0) ++underflows;
    return value;
  }
};

template <typename T>
void decode_as(std::string_view bytes, const Encoding& encoding, const std::string& source,
               Decoded& decoded) {
  constexpr bool kHostIsBig = std::endian::native == std::endian::big;
  Reader<T> reader{bytes.data(), encoding.big_endian != kHostIsBig, encoding.slope,
                   encoding.intercept};
  Volume& volume = decoded.volume;
  const Shape3 n = volume.shape;
  const auto read_element = [&](std::size_t i, std::size_t j, std::size_t k) {
    const float re = reader.read({i, j, k}, source);
    const float im = encoding.is_complex ? reader.read({i, j, k}, source) : 0.0F;
    volume.data[(i * n.n1 + j) * n.n2 + k] = {re, im};
  };
  if (encoding.first_axis_fastest) {
    for (std::size_t k = 0; k < n.n2; ++k)
      for (std::size_t j = 0; j < n.n1; ++j)
        for (std::size_t i = 0; i < n.n0; ++i) read_element(i, j, k);
  } else {
    for (std::size_t i = 0; i < n.n0; ++i)
      for (std::size_t j = 0; j < n.n1; ++j)
        for (std::size_t k = 0; k < n.n2; ++k) read_element(i, j, k);
  }
  decoded.underflows = reader.underflows;
}

}  // namespace

std::uint64_t element_bytes(const Encoding& encoding) noexcept {
  return scalar_bytes(encoding.scalar) * (encoding.is_complex ? 2 : 1);
}

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) noexcept {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  return a != 0 && b > kMost / a ? kMost : a * b;
}

Decoded decode(std::string_view bytes, Shape3 shape, const Encoding& encoding,
               const std::string& source) {
  if (bytes.size() != saturating_product(saturating_product(shape.n0, shape.n1),
                                         saturating_product(shape.n2, element_bytes(encoding)))) {
    throw Error(Category::emulator, fmt::format("reading '{}' went wrong", source),
                "header and data were not checked against each other", "please report it");
  }
  Decoded decoded{allocate_volume(shape, fmt::format("the array of '{}'", source))};
  switch (encoding.scalar) {
    case Scalar::int8:
      decode_as<std::int8_t>(bytes, encoding, source, decoded);
      break;
    case Scalar::uint8:
      decode_as<std::uint8_t>(bytes, encoding, source, decoded);
      break;
    case Scalar::int16:
      decode_as<std::int16_t>(bytes, encoding, source, decoded);
      break;
    case Scalar::uint16:
      decode_as<std::uint16_t>(bytes, encoding, source, decoded);
      break;
    case Scalar::int32:
      decode_as<std::int32_t>(bytes, encoding, source, decoded);
      break;
    case Scalar::uint32:
      decode_as<std::uint32_t>(bytes, encoding, source, decoded);
      break;
    case Scalar::int64:
      decode_as<std::int64_t>(bytes, encoding, source, decoded);
      break;
    case Scalar::uint64:
      decode_as<std::uint64_t>(bytes, encoding, source, decoded);
      break;
    case Scalar::float32:
      decode_as<float>(bytes, encoding, source, decoded);
      break;
    case Scalar::float64:
      decode_as<double>(bytes, encoding, source, decoded);
      break;
  }
  return decoded;
}

}  // namespace weft::io
