#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "by_line/bundle_loop.hpp"
#include "by_line/shared_lines.hpp"

namespace weft::by_line {

/// The cycles in which some line was stepped, each by its own clock.
class SteppedCycles {
 public:
  explicit SteppedCycles(std::uint64_t first) : first_(first) {}

  void add(const std::vector<SteppedBlock>& blocks, const LineGroup& lines) {
    std::vector<std::uint64_t> clocks(lines.clock_lag.begin(),
                                      lines.clock_lag.begin() + lines.count);
    std::ranges::sort(clocks);
    const auto alike = std::ranges::unique(clocks);
    clocks.erase(alike.begin(), alike.end());
    for (const std::uint64_t behind : clocks)
      for (const SteppedBlock& block : blocks) {
        const std::uint64_t at = block.from - behind - first_;
        const std::uint64_t bits = block.cycles;
        if (words_.size() < at / 64 + 2) words_.resize(2 * (at / 64 + 2));
        words_[at / 64] |= bits << at % 64;
        if (at % 64 > 32) words_[at / 64 + 1] |= bits >> (64 - at % 64);
      }
  }

  /// Those of other processes, too, all of which call it.
  void add_others(SharedLines& shared) { shared.add_bits(words_); }

  /// How many come before `end`. (A bundle's last cycles are not of all its lines.)
  std::uint64_t count(std::uint64_t end) const {
    std::uint64_t all = 0;
    for (std::size_t at = 0; at < words_.size() && first_ + 64 * at < end; ++at) {
      const std::uint64_t left = end - first_ - 64 * at;
      const std::uint64_t word =
          left < 64 ? words_[at] & ((std::uint64_t{1} << left) - 1) : words_[at];
      all += static_cast<std::uint64_t>(std::popcount(word));
    }
    return all;
  }

 private:
  std::uint64_t first_;
  std::vector<std::uint64_t> words_;  ///< a bit per cycle
};

}  // namespace weft::by_line
