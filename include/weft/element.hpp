#pragma once
#include <complex>
#include <cstdint>
#include <string_view>
namespace weft::inline v0 {
enum class ElementType : std::uint8_t { unspecified, f32, f16, i32, u32, i16, u16, c64, c32 };
struct Half {
  std::uint16_t bits = 0;
  Half() = default;
  explicit Half(float value);
  explicit operator float() const;
};
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
constexpr int element_bytes(ElementType t) {
  return t == ElementType::f16 || t == ElementType::i16 || t == ElementType::u16 ? 2
         : t == ElementType::c64                                                 ? 8
                                                                                 : 4;
}
std::string_view to_string(ElementType type) noexcept;
}  // namespace weft::inline v0
