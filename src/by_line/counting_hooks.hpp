#pragma once

#include "by_line/hooks.hpp"
#include "by_line/place_counts.hpp"
#include "counting/hooks.hpp"

/// The step of a bundle that counts, as hooks.
namespace weft::by_line {

/// `Lanes`: the lane policy of these hooks.
template <class Lanes>
struct CountingHooks : counting::Counting<LineHooks, Lanes> {
  /// What a core waits for is found in visits to it: as a microthread starts, and as a task ends
  /// that the core came to the end of before.
  WEFT_INLINE static bool starts_unnoticed(const View&) { return false; }
  WEFT_INLINE static std::uint64_t next_wake(CoreState& core, std::uint64_t now) {
    std::uint64_t wake = LineHooks::next_wake(core, now);
    if (core.ending != 0 && core.live != 0)
      earlier(wake, (core.next_end > now ? core.next_end : now) + 1);
    return wake;
  }
  /// PEs come to phases in time.
  template <class L>
  WEFT_INLINE static bool executes_early(Group& g) {
    return counting::stays_in_phase(g.v, g.at.index, g.lanes, g.pc) &&
           LineHooks::template executes_early<L>(g);
  }
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
