#pragma once

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include "weft/patterns.hpp"

namespace weft::test {

/// Of the streams that go on at once along a line of PEs: the most that pass a router, as it has
/// one route for a color and so each takes one; and the most that share a link in one direction.
struct StreamCounts {
  int colors = 0, link = 0;
  bool operator==(const StreamCounts&) const = default;
};

/// Folded rings of `length` places along a line, the places of a ring `pitch` PEs apart: `pitch`
/// rings lie beside one another. Each PE sends to the places that are so many ahead of its own.
inline StreamCounts streams_of_rings(int length, int pitch, std::initializer_list<int> ahead) {
  std::vector<std::pair<int, int>> ways;
  for (int offset = 0; offset < pitch; ++offset)
    for (int z = 0; z < length; ++z)
      for (const int places : ahead)
        ways.emplace_back(
            RingShift::pe_at(z, length) * pitch + offset,
            RingShift::pe_at((z + length + places) % length, length) * pitch + offset);
  StreamCounts counts;
  for (int pe = 0; pe < length * pitch; ++pe) {
    int passing = 0, onwards = 0;
    for (const auto& [from, to] : ways) {
      passing += std::min(from, to) <= pe && pe <= std::max(from, to) ? 1 : 0;
      onwards += from <= pe && pe < to ? 1 : 0;
    }
    counts = {std::max(counts.colors, passing), std::max(counts.link, onwards)};
  }
  return counts;
}

}  // namespace weft::test
