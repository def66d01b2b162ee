#pragma once

#include <map>
#include <string>
#include <string_view>

namespace weft::inline v0 {

/// A text with the names of colors behind their numbers: "color 3 (halo)".
std::string with_color_names(std::string_view text, const std::map<int, std::string>& names);

}  // namespace weft::inline v0
