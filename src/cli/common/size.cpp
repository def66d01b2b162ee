#include "cli/common/size.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "weft/error.hpp"

namespace weft::cli {

std::uint64_t parse_size(const char* option, const std::string& text, std::uint64_t least) {
  constexpr std::string_view kUnits = "KMGT";
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  const std::size_t power = unit.size() == 1 ? kUnits.find(unit[0]) + 1 : 0;
  const bool is_known = error == std::errc{} && (unit.empty() || power > 0);
  const std::size_t shift = 10 * power;
  if (!is_known || number > ~std::uint64_t{0} >> shift || number << shift < least)
    throw Error(ErrorCategory::usage, fmt::format("invalid {}: {}", option, text),
                least > 1 ? fmt::format("it is a number of bytes, of {}K or more", least >> 10U)
                          : "it is a number of bytes, of 1 or more",
                "give a whole number, or one with K, M, G or T, such as 64M: powers of 1024");
  return number << shift;
}

}  // namespace weft::cli
