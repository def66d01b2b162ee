#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weft::base {

/// The words of one color at the host's end of a link, the oldest first.
struct HostWords {
  int color = 0;
  std::size_t limit = ~std::size_t{0};  ///< of an output: words held
  std::vector<std::uint32_t> words{};
  std::size_t first = 0;  ///< those before it have gone on

  std::size_t held() const { return words.size() - first; }
  /// The oldest ones, of which there are as many.
  std::span<const std::uint32_t> oldest(std::size_t count) const {
    return std::span(words).subspan(first, count);
  }
  void append(std::span<const std::uint32_t> more) {
    words.insert(words.end(), more.begin(), more.end());
  }
  /// The oldest ones go on. Their memory is given back once they are at least as many as the
  /// others.
  void drop(std::size_t count) {
    first += count;
    if (first < words.size() - first) return;
    std::vector<std::uint32_t> rest(words.begin() + static_cast<std::ptrdiff_t>(first),
                                    words.end());
    words.swap(rest);
    first = 0;
  }
  /// The same, to there.
  void take(std::span<std::uint32_t> to) {
    std::ranges::copy(oldest(to.size()), to.begin());
    drop(to.size());
  }
};

}  // namespace weft::base
