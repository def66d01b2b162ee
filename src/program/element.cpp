#include "weft/element.hpp"

#include <bit>

#include "isa/alu.hpp"

namespace weft::inline v0 {

Half::Half(float value) : bits(static_cast<std::uint16_t>(isa::to_half(value))) {}

Half::operator float() const { return std::bit_cast<float>(isa::result(isa::from_half(bits))); }

std::string_view to_string(ElementType type) noexcept {
  constexpr std::string_view kNames[] = {"bytes",  "float",          "Half",
                                         "int32",  "uint32",         "int16",
                                         "uint16", "complex<float>", "complex<Half>"};
  return kNames[static_cast<int>(type)];
}

}  // namespace weft::inline v0
