#include "page/planes.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace weft::page {
namespace {

/// From the end, so that each byte still finds the one to its left.
void subtract_left(std::string& bytes, std::size_t width) {
  for (std::size_t n = bytes.size(); n-- > 0;)
    if (n % width != 0) bytes[n] = static_cast<char>(bytes[n] - bytes[n - 1]);
}

}  // namespace

std::string exact_plane(std::span<const std::uint64_t> values, std::size_t width) {
  std::uint64_t all = 0;
  for (const std::uint64_t value : values) all |= value;
  std::string bytes;
  std::size_t needed = 1;
  while (needed < 8 && all >> (8 * needed) != 0) ++needed;
  bytes.reserve(needed * values.size());
  for (std::size_t n = 0; n < needed; ++n)
    for (const std::uint64_t value : values)
      bytes.push_back(static_cast<char>(value >> (8 * n) & 0xff));
  subtract_left(bytes, width);
  return bytes;
}

std::string coarse_plane(std::span<const std::uint64_t> values, std::size_t width,
                         std::uint64_t full) {
  std::string bytes(values.size(), '\0');
  const double by = 255.0 / static_cast<double>(full);
  for (std::size_t n = 0; n < values.size(); ++n) {
    const std::uint64_t value = values[n];
    if (value == 0) continue;
    const int level = static_cast<int>(std::lround(static_cast<double>(value) * by));
    bytes[n] = static_cast<char>(value >= full ? 255 : std::clamp(level, 1, 254));
  }
  subtract_left(bytes, width);
  return bytes;
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t n = 0; n < bytes.size(); n += 3) {
    const std::string_view part = bytes.substr(n, 3);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (k < part.size() ? static_cast<unsigned char>(part[k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text.push_back(k <= part.size() ? kDigits[word >> (18 - 6 * k) & 63] : '=');
  }
  return text;
}

}  // namespace weft::page
