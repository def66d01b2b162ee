#pragma once

#include <bit>

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

/// Lanes come to the windows that this cycle is in, which are as short as they can be. Returns when
/// the first one of all lanes ends.
WEFT_INLINE std::uint64_t come_to_windows(const View& v, LaneSpans& spans, Mask lanes,
                                          std::uint64_t now) {
  const int bits = lowest(std::uint64_t{v.counts->windows});  // there are 2^bits
  for_each(lanes, [&](int lane) {
    const std::uint64_t lag = lag_of(v, lane), cycle = now - lag;
    const std::uint64_t length = std::bit_ceil((cycle >> bits) + 1);
    spans.begins[lane] = (cycle & ~(length - 1)) + lag;
    spans.ends[lane] = spans.begins[lane] + length;
  });
  return least(v.counts->all_lanes, spans.ends);
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

/// The windows of a strip of lanes with one clock (Counts::alike).
WEFT_INLINE std::uint32_t* alike_windows(const View& v, int strip, int series) {
  const auto row = static_cast<std::size_t>(strip) * kSeries + static_cast<std::size_t>(series);
  return v.counts->alike + row * v.counts->windows;
}

/// They are long enough for a cycle of these clocks.
static WEFT_INLINE void reach_alike(const View& v, int strip, std::uint64_t cycle) {
  StripCounts& s = v.counts->strip[strip];
  const std::size_t windows = v.counts->windows;
  for (; cycle >> s.window_bits >= windows; ++s.window_bits)
    for (int n = 0; n < kSeries; ++n) {
      std::uint32_t* const row = alike_windows(v, strip, n);
      for (std::size_t to = 0; to < windows; ++to)
        row[to] = to < windows / 2 ? row[2 * to] + row[2 * to + 1] : 0;
    }
}

/// All lanes have counted so many more in the window that they are in.
WEFT_INLINE void count_alike(const View& v, int strip, int series, std::uint64_t begin,
                             std::uint32_t n) {
  reach_alike(v, strip, begin);
  alike_windows(v, strip, series)[begin >> v.counts->strip[strip].window_bits] += n;
}

/// What StripCounts::all has more than before. All lanes have one clock.
static WEFT_INLINE void leave_alike(const View& v, int strip) {
  const StripCounts& s = v.counts->strip[strip];
  LaneWindows& w = v.counts->lane_windows[strip];
  const std::uint64_t begin = w.begins[0] - lag_of(v, 0);
  for (int n = 0; n < kSeries; ++n) {
    const std::uint32_t all = s.all[static_cast<int>(kCountOf[n])];
    if (all != w.before[0][n]) count_alike(v, strip, n, begin, all - w.before[0][n]);
    w.before[0][n] = all;
  }
}

/// Lanes leave the windows that they are in.
template <class L>
WEFT_INLINE void give_windows(const View& v, int strip, Mask lanes) {
  if (lanes == 0) return;
  StripCounts& s = v.counts->strip[strip];
  LaneWindows& w = v.counts->lane_windows[strip];
  const bool alike = v.counts->alike != nullptr;
  if (alike) leave_alike(v, strip);
  std::uint32_t all[kSeries];
  for (int n = 0; n < kSeries; ++n) all[n] = s.all[static_cast<int>(kCountOf[n])];
  const std::uint32_t parts = s.parts;
  if (alike && parts == 0) return;
  if (lanes == v.counts->all_lanes) s.parts = 0;
  for_each(lanes, [&](int lane) {
    std::uint32_t more[kSeries] = {}, some = parts;
    for (int n = 0; n < kSeries && !alike; ++n) {
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

/// After all cycles of a strip of lanes with one clock, whose windows have been left.
template <class L>
WEFT_INLINE void give_alike(const View& v, int strip) {
  const std::uint32_t bits = v.counts->strip[strip].window_bits;
  for (int n = 0; n < kSeries; ++n)
    for (std::size_t window = 0; window < v.counts->windows; ++window) {
      const std::uint32_t counted = alike_windows(v, strip, n)[window];
      if (counted == 0) continue;
      for_each(v.counts->all_lanes, [&](int lane) {
        give_window<L>(v, in_whole(v, strip, lane), n, std::uint64_t{window} << bits, counted);
      });
    }
}

/// Cycles are in the windows that all these lanes are in.
WEFT_INLINE bool are_inside(const View& v, int strip, Mask lanes, std::uint64_t first,
                            std::uint64_t end) {
  if (v.counts->windows == 0) return true;
  const LaneWindows& w = v.counts->lane_windows[strip];
  if (v.counts->alike != nullptr) return w.begins[0] <= first && end <= w.ends[0];
  int outside = 0;
  for (int i = 0; i < kLanes; ++i)
    outside += has(lanes, i) && (w.begins[i] > first || end > w.ends[i]) ? 1 : 0;
  return outside == 0;
}

/// Lanes come to the windows that this cycle is in.
template <class L>
[[gnu::noinline]] void turn_lanes(const View& v, int strip, std::uint64_t now) {
  if (v.counts->windows == 0) return;
  LaneWindows& w = v.counts->lane_windows[strip];
  const Mask lanes = due(v.counts->all_lanes, w.ends, now);
  give_windows<L>(v, strip, lanes);
  earlier(v.counts->strip[strip].ends, come_to_windows(v, w, lanes, now));
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
