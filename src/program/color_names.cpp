#include "program/color_names.hpp"

#include <fmt/format.h>

namespace weft::inline v0 {

std::string color_text(int color, const ColorNames& names) {
  const auto name = names.find(color);
  return name == names.end() ? fmt::format("color {}", color)
                             : fmt::format("color {} ({})", color, name->second);
}

}  // namespace weft::inline v0
