#pragma once

#include <string>
#include <string_view>

namespace weft::page {

/// In double quotes, for gnuplot; titles have no formatting.
inline std::string in_quotes(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all + "\"";
}

}  // namespace weft::page
