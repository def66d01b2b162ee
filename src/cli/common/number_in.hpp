#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace weft::cli {

/// The number that is all of a text; none if anything else stands there, or it is too large.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return number;
}

}  // namespace weft::cli
