#include "program/number_text.hpp"

#include <fmt/format.h>

#include <bit>

namespace weft::inline v0 {

NumberText number_text(std::uint32_t bits, ElementType type) {
  const auto text = [](auto n) { return NumberText{static_cast<double>(n), fmt::format("{}", n)}; };
  switch (type) {
    case ElementType::f32:
      return text(std::bit_cast<float>(bits));
    case ElementType::f16: {
      Half half;
      half.bits = static_cast<std::uint16_t>(bits);
      return text(static_cast<float>(half));
    }
    case ElementType::i16:
      return text(static_cast<std::int16_t>(bits & 0xffffU));
    case ElementType::u16:
      return text(bits & 0xffffU);
    case ElementType::i32:
      return text(static_cast<std::int32_t>(bits));
    default:
      return text(bits);
  }
}

}  // namespace weft::inline v0
