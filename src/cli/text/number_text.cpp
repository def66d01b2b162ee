#include "cli/text/number_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace weft::cli {

std::string duration_text(double seconds) {
  double value = seconds;  // limits below are where rounding adds a digit
  const char* unit = "s";
  for (const char* smaller : {"ms", "us"}) {
    if (value >= 0.9995) break;
    value *= 1000;
    unit = smaller;
  }
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, unit);
}

std::string long_duration_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace weft::cli
