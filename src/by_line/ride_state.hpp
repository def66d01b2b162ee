#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "by_line/rides.hpp"

namespace weft::by_line {

/// Numbers that are looked at 64 at a time: so many of them, for `count` strips.
constexpr std::size_t whole_words(std::size_t count) {
  return (count + model::kLanes - 1) / model::kLanes * model::kLanes;
}

/// The rides of a bundle (rides.hpp); to be used again for the next one.
class RideState {
 public:
  /// No ride is under way. `lanes`: those with lines. Enters itself into the view's bundle.
  void begin(const model::View& v, Bundle& bundle, model::Mask lanes, std::uint64_t cycle);

  /// After a run that ended before the cycle: filters have counted all rides, and strips know when
  /// they passed.
  void end(const model::View& v, std::uint64_t cycle);

 private:
  struct Color {
    std::vector<std::uint64_t> gates, changed, taken, next_ride, last_start, next_accepted,
        next_uncounted, accepted_at, coming;
    std::vector<std::int32_t> gate_before, gate_after;
    std::vector<model::Vector> payload;
  };

  void begin_color(const model::View& v, int color, Port out, model::Mask lanes,
                   std::uint64_t cycle);

  std::array<Color, kColors> colors_;
  std::array<Rides, kColors> rides_{};
};

}  // namespace weft::by_line
