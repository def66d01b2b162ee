#pragma once

#include "counting/windows.hpp"

/// Windows of time of lines that are stepped apart. Each lane has a clock of its own, so its
/// windows end in cycles of their own: what it has counted in one goes to the whole fabric when it
/// has left it. What all lanes count at once is one number for all of them (StripCounts::all).
namespace weft::counting {

template <class L>
inline constexpr bool kByLine = L::kLanesAlike;

WEFT_INLINE std::uint64_t lag_of(const View& v, int lane) { return v.counts->clock_lag[lane]; }

/// The PE of a strip's lane, in the whole fabric.
WEFT_INLINE LaneAddress in_whole(const View& v, int strip, int lane) {
  const int line = v.counts->line_numbers[lane], strips = v.counts->whole_strips;
  return v.counts->rows ? address_of(strips, strip, line) : address_of(strips, line, strip);
}

/// Numbers are about to be added to it.
WEFT_INLINE std::uint32_t* part_of(const View& v, int strip, int series) {
  v.counts->strip[strip].parts |= static_cast<std::uint16_t>(1U << series);
  return v.counts->lane_windows[strip].part[series].at;
}

/// The numbers that lanes have counted in the windows that they are in.
WEFT_INLINE void add_to_part(const View& v, int strip, int series, const Vector& numbers) {
  std::uint32_t* const part = part_of(v, strip, series);
  for (int i = 0; i < kLanes; ++i) part[i] += numbers.at[i];
}

/// Cycles of a window, by PEs' clocks and as short as they can be: `cycle` is in it.
struct WindowSpan {
  std::uint64_t begin, end;
};
WEFT_INLINE WindowSpan window_at(std::uint32_t windows, std::uint64_t cycle) {
  std::uint64_t length = 1;
  while (cycle >= windows * length) length *= 2;
  const std::uint64_t begin = cycle & ~(length - 1);
  return {begin, begin + length};
}

/// A series of the bundle, in the whole fabric: rows are mirrored.
WEFT_INLINE int series_in_whole(const View& v, int series) {
  constexpr int kFirst = series_of(Count::link_west), kLast = series_of(Count::link_north);
  static_assert(kLast == kFirst + kLinks - 1);
  const bool link = series >= kFirst && series <= kLast;
  return v.counts->rows && link ? kFirst + kLast - series : series;
}

/// So many more in a PE's window of the whole fabric that has this cycle of its clock.
template <class L>
WEFT_INLINE void give_window(const View& v, const LaneAddress& at, int series, std::uint64_t cycle,
                             std::uint32_t n) {
  const Counts& whole = *v.counts->whole;
  reach<L>(whole, at.strip, cycle);
  add_to_window(whole, at.strip, series_in_whole(v, series),
                cycle >> whole.strip[at.strip].window_bits, at.lane, n);
}

/// Lanes leave the windows that they are in.
template <class L>
WEFT_INLINE void give_windows(const View& v, int strip, Mask lanes) {
  StripCounts& s = v.counts->strip[strip];
  LaneWindows& w = v.counts->lane_windows[strip];
  std::uint32_t all[kSeries];
  for (int n = 0; n < kSeries; ++n) all[n] = s.all[static_cast<int>(kCountOf[n])];
  const std::uint32_t parts = s.parts;
  if (lanes == v.counts->all_lanes) s.parts = 0;
  for_each(lanes, [&](int lane) {
    std::uint32_t more[kSeries], some = parts;
    for (int n = 0; n < kSeries; ++n) {
      more[n] = all[n] - w.before[lane][n];
      w.before[lane][n] = all[n];
      some |= more[n] != 0 ? 1U << n : 0;
    }
    if (some == 0) return;
    const LaneAddress at = in_whole(v, strip, lane);
    const std::uint64_t begin = w.begins[lane] - lag_of(v, lane);
    for (; some != 0; some &= some - 1) {
      const int n = lowest(some);
      const std::uint32_t counted = more[n] + w.part[n].at[lane];
      w.part[n].at[lane] = 0;
      if (counted != 0) give_window<L>(v, at, n, begin, counted);
    }
  });
}

/// Lanes come to the windows that this cycle is in.
template <class L>
[[gnu::noinline]] void turn_lanes(const View& v, int strip, std::uint64_t now) {
  if (v.counts->windows == 0) return;
  LaneWindows& w = v.counts->lane_windows[strip];
  const Mask lanes = due(v.counts->all_lanes, w.ends, now);
  give_windows<L>(v, strip, lanes);
  for_each(lanes, [&](int lane) {
    const std::uint64_t lag = lag_of(v, lane);
    const WindowSpan next = window_at(v.counts->windows, now - lag);
    w.begins[lane] = next.begin + lag;
    w.ends[lane] = next.end + lag;
  });
  earlier(v.counts->strip[strip].ends, least(v.counts->all_lanes, w.ends));
}

/// Cycles of a lane, past or to come, as the bundle counts them. (Not of links, which rows mirror.)
template <class L>
WEFT_INLINE void add_line_cycles(const View& v, int strip, int series, int lane,
                                 std::uint64_t first, std::uint64_t end) {
  LaneWindows& w = v.counts->lane_windows[strip];
  if (w.begins[lane] <= first && end <= w.ends[lane]) {
    part_of(v, strip, series)[lane] += static_cast<std::uint32_t>(end - first);
    return;
  }
  const LaneAddress at = in_whole(v, strip, lane);
  const std::uint64_t lag = lag_of(v, lane);
  add_to_windows<L>(*v.counts->whole, at.strip, series, at.lane, first - lag, end - lag);
}

/// The same of some lanes.
template <class L>
WEFT_INLINE void add_line_cycles(const View& v, int strip, int series, Mask lanes,
                                 std::uint64_t first, std::uint64_t end) {
  LaneWindows& w = v.counts->lane_windows[strip];
  const auto n = static_cast<std::uint32_t>(end - first);
  Vector inside;
  std::uint32_t* const part = part_of(v, strip, series);
  for (int i = 0; i < kLanes; ++i)
    inside.at[i] = w.begins[i] <= first && end <= w.ends[i] && has(lanes, i) ? 1 : 0;
  for (int i = 0; i < kLanes; ++i) part[i] += inside.at[i] * n;
  for_each(lanes & ~equal(lanes, inside.at, 1),
           [&](int lane) { add_line_cycles<L>(v, strip, series, lane, first, end); });
}

}  // namespace weft::counting
