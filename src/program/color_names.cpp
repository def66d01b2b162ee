#include "program/color_names.hpp"

#include <fmt/format.h>

namespace weft::inline v0 {

std::string color_number_text(int color, const ColorNames& names) {
  const auto name = names.find(color);
  return name == names.end() ? std::to_string(color) : fmt::format("{} ({})", color, name->second);
}

std::string color_text(int color, const ColorNames& names) {
  return "color " + color_number_text(color, names);
}

}  // namespace weft::inline v0
