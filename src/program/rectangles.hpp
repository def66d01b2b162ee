#pragma once

#include <map>
#include <utility>
#include <vector>

#include "weft/types.hpp"

namespace weft {

/// Divides a rectangle into ones of equal value: value_at(x, y) for all of its PEs. Runs of a row
/// are joined, and then equal runs of rows below each other.
template <class Value, class ValueAt>
std::vector<std::pair<Rect, Value>> rectangles(const Rect& where, ValueAt value_at) {
  std::vector<std::pair<Rect, Value>> all;
  std::map<std::pair<int, int>, std::size_t> above, here;  // by first and last column: in `all`
  for (int y = where.y; y < where.y + where.height; ++y) {
    here.clear();
    for (int x = where.x; x < where.x + where.width;) {
      const Value value = value_at(x, y);
      int end = x + 1;
      while (end < where.x + where.width && value_at(end, y) == value) ++end;
      const auto at = above.find({x, end});
      if (at != above.end() && all[at->second].second == value) {
        ++all[at->second].first.height;
        here.emplace(std::pair{x, end}, at->second);
      } else {
        here.emplace(std::pair{x, end}, all.size());
        all.emplace_back(Rect{x, y, end - x, 1}, value);
      }
      x = end;
    }
    std::swap(above, here);
  }
  return all;
}

}  // namespace weft
