#include "program/color_names.hpp"

#include <charconv>

namespace weft::inline v0 {

std::string with_color_names(std::string_view text, const std::map<int, std::string>& names) {
  constexpr std::string_view kWord = "color ";
  std::string named;
  for (;;) {
    const std::size_t at = text.find(kWord);
    if (at == std::string_view::npos) return named.append(text);
    const char* const first = text.data() + at + kWord.size();
    int color = -1;
    const char* const end = std::from_chars(first, text.data() + text.size(), color).ptr;
    const auto length = static_cast<std::size_t>(end - text.data());
    named.append(text.substr(0, length));
    text.remove_prefix(length);
    const auto name = end == first ? names.end() : names.find(color);
    if (name != names.end() && !text.starts_with(" (")) named.append(" (" + name->second + ")");
  }
}

}  // namespace weft::inline v0
