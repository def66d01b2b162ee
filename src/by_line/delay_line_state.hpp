#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "by_line/delay_lines.hpp"

namespace weft::by_line {

/// Numbers that are looked at 64 at a time: so many of them, for `count` strips.
constexpr std::size_t whole_words(std::size_t count) {
  return (count + model::kLanes - 1) / model::kLanes * model::kLanes;
}

/// The delay lines of a bundle (delay_lines.hpp); to be used again for the next one.
class DelayLineState {
 public:
  /// No delayed wavelet is under way. `lanes`: those with lines. Enters itself into the view's
  /// bundle.
  void begin(const model::View& v, Bundle& bundle, model::Mask lanes, std::uint64_t cycle);

  /// After a run that ended before the cycle: filters have counted all delayed wavelets, and strips
  /// know when they passed.
  void end(const model::View& v, std::uint64_t cycle);

 private:
  struct Color {
    std::vector<std::uint64_t> stepped, changed, taken, next_entry, last_start, next_accepted,
        next_uncounted, accepted_at, coming;
    std::vector<std::int32_t> stepped_before, stepped_after;
    std::vector<model::Vector> payload;
  };

  void begin_color(const model::View& v, int color, Port out, model::Mask lanes,
                   std::uint64_t cycle);

  std::array<Color, kColors> colors_;
  std::array<DelayLine, kColors> delay_lines_{};
};

}  // namespace weft::by_line
