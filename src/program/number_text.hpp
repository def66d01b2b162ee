#pragma once

#include <cstdint>
#include <string>

#include "weft/element.hpp"

/// The number that bits of a register are, for people.
namespace weft::inline v0 {

struct NumberText {
  double number;
  std::string text;
};
NumberText number_text(std::uint32_t bits, ElementType type);

}  // namespace weft::inline v0
