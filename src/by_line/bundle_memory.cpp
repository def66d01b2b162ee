#include <algorithm>
#include <cstddef>

#include "by_line/bundle_state.hpp"

namespace weft::by_line {

using model::kLanes;
using model::Mask;
using model::View;

/// All strips' memory. Some strips side by side share those of the whole fabric: a part of the
/// words of each in turn, so that these stay in a near cache. Without data, programs write few
/// words: those that are the same on both sides stay as they are, and their pages take no memory.
template <Way way>
void BundleState::move_memory(const View& whole, const LineGroup& lines, const std::uint8_t* lanes,
                              int length) {
  constexpr int kTogether = std::max(model::kStripWidth, model::kStripHeight);
  constexpr std::size_t kPart = 64;  // chosen: words of 16 strips are a quarter of a MiB
  const std::size_t words = facts_.memory_bytes / 4, moved = view_.timing.memory_bytes / 4;
  const auto count = static_cast<std::size_t>(lines.count);
  for (int first = 0; first < length; first += kTogether)
    for (std::size_t begin = 0; begin < moved; begin += kPart)
      for (int strip = first; strip < std::min(first + kTogether, length); ++strip) {
        find_addresses(whole, lines, strip);
        std::uint32_t* own = memory_.data() + static_cast<std::size_t>(strip) * words * kLanes;
        std::uint32_t* theirs[kLanes] = {};
        for (std::size_t n = 0; n < count; ++n) {
          const auto there = static_cast<std::size_t>(addresses_[n].strip);
          theirs[n] = whole.memory + there * whole.memory_words * kLanes + addresses_[n].lane;
        }
        for (std::size_t word = begin; word < std::min(begin + kPart, moved); ++word)
          for (std::size_t n = 0; n < count; ++n) {
            std::uint32_t& here = own[word * kLanes + lanes[n]];
            std::uint32_t& there = theirs[n][word * kLanes];
            if (!whole.data && here == there) continue;
            if constexpr (way == Way::take)
              here = there;
            else
              there = here;
          }
      }
}

/// A strip's words in which lines had differed, in the lanes that have written them.
void BundleState::give_written(const View& whole, const LineGroup& lines, const std::uint8_t* lanes,
                               int strip) {
  const std::size_t words = facts_.memory_bytes / 4, alike = view_.timing.memory_bytes / 4;
  if (written_.size() == 0) return;
  const auto index = static_cast<std::size_t>(strip);
  for (std::size_t word = alike; word < words; ++word) {
    const Mask written = written_[index * (words - alike) + word - alike];
    for (std::size_t n = 0; written != 0 && n < static_cast<std::size_t>(lines.count); ++n) {
      if (!model::has(written, lanes[n])) continue;
      const auto there = static_cast<std::size_t>(addresses_[n].strip);
      whole.memory[(there * whole.memory_words + word) * kLanes +
                   static_cast<std::size_t>(addresses_[n].lane)] =
          memory_[(index * words + word) * kLanes + lanes[n]];
    }
  }
}

template void BundleState::move_memory<Way::take>(const View&, const LineGroup&,
                                                  const std::uint8_t*, int);
template void BundleState::move_memory<Way::give>(const View&, const LineGroup&,
                                                  const std::uint8_t*, int);

}  // namespace weft::by_line
