#include "machine/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace weft {

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

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  return *std::ranges::min_element(candidates, {}, [word](std::string_view candidate) {
    return edit_distance(word, candidate);
  });
}

}  // namespace weft
