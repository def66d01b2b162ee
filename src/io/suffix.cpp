#include "io/suffix.hpp"

#include <algorithm>
#include <cctype>

namespace weft::io {

bool has_suffix(std::string_view path, std::string_view suffix) {
  const auto is_same = [](unsigned char of_path, unsigned char of_suffix) {
    return std::tolower(of_path) == of_suffix;
  };
  return path.size() >= suffix.size() &&
         std::ranges::equal(path.substr(path.size() - suffix.size()), suffix, is_same);
}

}  // namespace weft::io
