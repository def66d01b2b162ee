#pragma once

#include <map>
#include <string>

namespace weft::inline v0 {

/// By number.
using ColorNames = std::map<int, std::string>;

/// "color 3 (halo east)"; without the name, if it has none.
std::string color_text(int color, const ColorNames& names);
/// "3 (halo east)".
std::string color_number_text(int color, const ColorNames& names);

}  // namespace weft::inline v0
