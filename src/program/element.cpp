#include "weft/element.hpp"

#include <bit>

#include "isa/alu.hpp"

namespace weft::inline v0 {

Half::Half(float value)
    : bits(static_cast<std::uint16_t>(isa::fs2h(0, std::bit_cast<std::uint32_t>(value), 0))) {}

Half::operator float() const { return std::bit_cast<float>(isa::fh2s(0, bits, 0)); }

std::string_view to_string(ElementType type) noexcept {
  constexpr std::string_view kNames[] = {"bytes",  "float",          "Half",
                                         "int32",  "uint32",         "int16",
                                         "uint16", "complex<float>", "complex<Half>"};
  return kNames[static_cast<int>(type)];
}

}  // namespace weft::inline v0
