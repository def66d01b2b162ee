#include "base/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace weft::base {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // row[j]: distance from the part of `a` seen so far to the first j characters of `b`.
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

std::optional<std::string_view> nearest(std::string_view word,
                                        std::span<const std::string_view> candidates) {
  if (word.empty()) return {};
  const std::string meant = lower(word);
  // A word of which nothing is left is no slip.
  const std::size_t most = std::min(std::max<std::size_t>(1, meant.size() / 3), meant.size() - 1);
  std::optional<std::string_view> best;
  std::pair<bool, std::size_t> least;  // whether it begins otherwise; distance
  for (const std::string_view candidate : candidates) {
    const std::string known = lower(candidate);
    const std::size_t distance = edit_distance(meant, known);
    const bool is_near = distance <= most, is_begun = meant.size() >= 2 && known.starts_with(meant);
    if (!is_near && !is_begun) continue;
    if (const std::pair rank(!is_begun, distance); !best || rank < least) {
      best = candidate;
      least = rank;
    }
  }
  return best;
}

}  // namespace weft::base
