#pragma once

#include <string_view>

namespace weft::io {

/// Whether `path` ends in `suffix`, small letters, in letters of any case.
bool has_suffix(std::string_view path, std::string_view suffix);

}  // namespace weft::io
