#pragma once

#include "by_line/hooks.hpp"
#include "by_line/place_counts.hpp"
#include "counting/ahead.hpp"

/// The step of a bundle that counts, as hooks.
namespace weft::by_line {

/// `Lanes`: the lane policy of these hooks.
template <class Lanes>
struct CountingHooks : counting::CountingAhead<LineHooks, Lanes> {
  template <class L>
  WEFT_INLINE static void let_through(const View& v, int strip, int color, Mask lanes,
                                      std::uint64_t now) {
    StripCounts& s = counting::counts_at<L>(v, strip, now);
    counting::count_by_port<L>(v, strip, color, static_cast<int>(Port::ramp), lanes);
    counting::count<L>(v, strip, Count::let_in, lanes);
    Vector& refused = s.sum[static_cast<int>(Count::refused)];
    for_each(lanes, [&](int lane) { --refused.at[lane]; });  // as numbers of 32 bits go round
  }
  template <class L>
  WEFT_INLINE static void pass_along(const View& v, DelayLine& r, int color, std::uint64_t now) {
    count_passing<L>(v, r, v.bundle->place_counts[color], now);
  }
};

}  // namespace weft::by_line
