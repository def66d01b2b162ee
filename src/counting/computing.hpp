#pragma once

#include "counting/sums.hpp"

/// A core computes from one cycle to another; both are noted where they are known, and counted when
/// the next such stretch begins.
namespace weft::counting {

/// A lane's stretch of computing is over or counted up to here.
template <class L>
WEFT_INLINE void count_computing(const View& v, int strip, int lane, std::uint64_t end) {
  StripCounts& s = v.counts->strip[strip];
  add_cycles<L>(v, strip, s.sum[static_cast<int>(Count::computing)], series_of(Count::computing),
                lane, s.since[lane], end);
}

/// The whole stretches of lanes, as far as their ends are known.
template <class L>
WEFT_INLINE void count_computing(const View& v, int strip, Mask lanes) {
  StripCounts& s = v.counts->strip[strip];
  if constexpr (kByLine<L>) {
    constexpr int kSeriesOfIt = series_of(Count::computing);
    if (lanes == v.counts->all_lanes) {
      const std::uint64_t first = s.since[lowest(lanes)], end = s.until[lowest(lanes)];
      std::uint64_t differs = 0;
      for (int i = 0; i < kLanes; ++i)
        differs |= has(lanes, i) ? (s.since[i] ^ first) | (s.until[i] ^ end) : 0;
      if (differs == 0 && first <= end)
        return count_cycles_alike(v, strip, Count::computing, first, end);
    }
    std::uint32_t* const sum = s.sum[static_cast<int>(Count::computing)].at;
    Vector cycles;
    for (int i = 0; i < kLanes; ++i)
      cycles.at[i] = has(lanes, i) && s.since[i] < s.until[i]
                         ? static_cast<std::uint32_t>(s.until[i] - s.since[i])
                         : 0;
    for (int i = 0; i < kLanes; ++i) sum[i] += cycles.at[i];
    if (v.counts->windows == 0) return;
    if (have_own_clocks(v)) return add_to_part(v, strip, kSeriesOfIt, cycles);
    const LaneWindows& w = v.counts->lane_windows[strip];
    std::uint32_t* const part = part_of(v, strip, kSeriesOfIt);
    Vector outside;
    for (int i = 0; i < kLanes; ++i) {
      const bool is_inside = w.begin <= s.since[i] && s.until[i] <= w.end;
      outside.at[i] = is_inside ? 0 : cycles.at[i];
      part[i] += is_inside ? cycles.at[i] : 0;
    }
    for_each(lanes & ~equal(lanes, outside.at, 0), [&](int lane) {
      add_past_cycles<L>(v, strip, kSeriesOfIt, lane, s.since[lane], s.until[lane]);
    });
  } else {
    for_each(lanes, [&](int lane) { count_computing<L>(v, strip, lane, s.until[lane]); });
  }
}

/// The stretches of lanes are counted up to a cycle.
template <class L>
WEFT_INLINE void settle_computing(const View& v, int strip, Mask lanes, std::uint64_t cycle) {
  StripCounts& s = v.counts->strip[strip];
  for_each(lanes & s.open, [&](int lane) {
    const std::uint64_t end = s.until[lane] < cycle ? s.until[lane] : cycle;
    count_computing<L>(v, strip, lane, end);
    if (s.since[lane] < end) s.since[lane] = end;
    if (s.until[lane] <= cycle) s.open &= ~lane_bit(lane);
  });
}

/// These lanes compute from this cycle on.
template <class L>
WEFT_INLINE void begin_computing(const View& v, int strip, Mask lanes, std::uint64_t first) {
  StripCounts& s = v.counts->strip[strip];
  if (const Mask open = lanes & s.open; open != 0) count_computing<L>(v, strip, open);
  fill(lanes, s.since, first);
  fill(lanes, s.until, kNever);
  s.open |= lanes;
}

/// A lane computes no longer than up to a cycle.
WEFT_INLINE void end_computing(StripCounts& s, int lane, std::uint64_t end) {
  if (end < s.until[lane]) s.until[lane] = end;
}

}  // namespace weft::counting
