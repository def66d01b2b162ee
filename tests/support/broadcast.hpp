#pragma once

#include <vector>

#include "weft/weft.hpp"

namespace weft::test {

/// Along which way a line of PEs lies, and to where its wavelets flow.
enum class Heading { east, west, south, north };

/// `lines` lines of `length` PEs each. In every line the first PE sends `words` words on one color
/// that each other PE taps and passes on; every PE but the last also shifts one word to the next on
/// another.
struct Broadcast {
  int length, lines, words;
  Heading heading;

  Layout layout() const;
  int width() const { return along_x() ? length : lines; }
  int height() const { return along_x() ? lines : length; }
  bool along_x() const { return heading == Heading::east || heading == Heading::west; }
};

/// The words that the PE at `place` of a line ended with.
struct BroadcastResult {
  std::vector<std::uint32_t> heard;         ///< empty at the sender
  std::uint32_t shifted = 0, finished = 0;  ///< the word from the PE before; cycle of its arrival
  bool operator==(const BroadcastResult&) const = default;
};

BroadcastResult result_of(const Fabric& fabric, const Broadcast& broadcast, int line, int place);

/// All PEs' results, line by line.
std::vector<BroadcastResult> results_of(const Fabric& fabric, const Broadcast& broadcast);

}  // namespace weft::test
