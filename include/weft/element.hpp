#pragma once

#include <complex>
#include <cstdint>
#include <string_view>

namespace weft::inline v0 {

/// The type of the elements of a PE's named memory, as host and program see them.
enum class ElementType : std::uint8_t {
  unspecified,  ///< bytes that go with any type
  f32,
  f16,
  i32,
  u32,
  i16,
  u16,
  c64,  ///< complex, two f32: real part first
  c32,  ///< complex, two f16: real part first
};

/// "float", "Half", "int32", "complex<float>", ...
std::string_view to_string(ElementType type) noexcept;

/// Bytes of an element; of `unspecified`, 1.
constexpr int element_bytes(ElementType type) noexcept {
  switch (type) {
    case ElementType::unspecified:
      return 1;
    case ElementType::f16:
    case ElementType::i16:
    case ElementType::u16:
      return 2;
    case ElementType::c64:
      return 8;
    default:
      return 4;
  }
}

/// A number of half precision (IEEE 754 binary16), as its bits.
struct Half {
  std::uint16_t bits = 0;

  constexpr Half() = default;
  explicit Half(float value);  ///< rounded to nearest even; too large: infinity
  explicit operator float() const;
  bool operator==(const Half&) const = default;  ///< of the bits
};

/// A complex number of half precision.
struct ComplexHalf {
  Half real, imag;
  bool operator==(const ComplexHalf&) const = default;
};

/// The element type of a C++ type; a type that has none does not compile where one is needed.
template <class T>
inline constexpr ElementType element_of = ElementType::unspecified;
template <>
inline constexpr ElementType element_of<float> = ElementType::f32;
template <>
inline constexpr ElementType element_of<Half> = ElementType::f16;
template <>
inline constexpr ElementType element_of<std::int32_t> = ElementType::i32;
template <>
inline constexpr ElementType element_of<std::uint32_t> = ElementType::u32;
template <>
inline constexpr ElementType element_of<std::int16_t> = ElementType::i16;
template <>
inline constexpr ElementType element_of<std::uint16_t> = ElementType::u16;
template <>
inline constexpr ElementType element_of<std::complex<float>> = ElementType::c64;
template <>
inline constexpr ElementType element_of<ComplexHalf> = ElementType::c32;

/// A type that a PE's memory may have.
template <class T>
concept Element = element_of<T>
!= ElementType::unspecified;

}  // namespace weft::inline v0
