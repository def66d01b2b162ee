#include "reproduce/result.hpp"

#include <fmt/format.h>

#include <cmath>

namespace weft::reproduce {

std::string_view to_string(Mark mark) noexcept {
  constexpr std::string_view kNames[] = {"ours alone", "measured by the authors",
                                         "estimated by the authors"};
  return kNames[static_cast<int>(mark)];
}

Cell cell(std::string text) { return {std::move(text)}; }

Cell whole(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  for (int at = static_cast<int>(digits.size()) - 3; at > (value < 0 ? 1 : 0); at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return {digits, value};
}

Cell decimal(double value, int digits) { return {fmt::format("{:.{}f}", value, digits), value}; }

Cell percent(double ratio) { return {fmt::format("{:+.1f} %", 100 * (ratio - 1)), ratio - 1}; }

Cell none() { return {"-"}; }

}  // namespace weft::reproduce
