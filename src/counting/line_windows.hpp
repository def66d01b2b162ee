#pragma once

#include <bit>

#include "counting/windows.hpp"
#include "model/state/view.hpp"

/// Windows of time of lines that are stepped apart. What a line has counted in one goes to the
/// whole fabric when it has left it. What all lanes count at once is one number for all of them
/// (StripCounts::all). Here is what is done where all lines have one clock; window_ends.hpp has the
/// others.
namespace weft::counting {

template <class L>
inline constexpr bool kByLine = !L::Shape::kHasWestAndEast;

/// Lines have clocks of their own.
WEFT_INLINE bool have_own_clocks(const View& v) { return v.counts->window_ends != nullptr; }

/// The PE of a line at a strip, in the whole fabric.
WEFT_INLINE LaneAddress in_whole(const View& v, int strip, const LineInLane& of) {
  const int strips = v.counts->whole_strips;
  return v.counts->rows ? address_of(strips, strip, of.line) : address_of(strips, of.line, strip);
}

/// f(line) for the lines in these lanes.
template <class F>
WEFT_INLINE void for_lines(const View& v, Mask lanes, F f) {
  const LineInLane* const all = v.counts->lines_in;
  if (v.counts->stands_for == nullptr) return for_each(lanes, [&](int lane) { f(all[lane]); });
  for (std::size_t n = 0; n < v.counts->line_count; ++n)
    if (has(lanes, all[n].lane)) f(all[n]);
}

/// Numbers are about to be added to it.
WEFT_INLINE std::uint32_t* part_of(const View& v, int strip, int series) {
  v.counts->strip[strip].parts |= static_cast<std::uint16_t>(1U << series);
  return v.counts->lane_windows[strip].part[series].at;
}

/// What lanes have counted beside what all count at once.
WEFT_INLINE void add_to_part(const View& v, int strip, int series, const Vector& numbers) {
  std::uint32_t* const part = part_of(v, strip, series);
  for (int i = 0; i < kLanes; ++i) part[i] += numbers.at[i];
}

/// The cycles of the window that a cycle of a line's clock is in, if that is as short as it can be.
WEFT_INLINE std::uint64_t window_length(std::uint32_t windows, std::uint64_t cycle) {
  const int bits = lowest(std::uint64_t{windows});  // there are 2^bits
  return std::bit_ceil((cycle >> bits) + 1);
}

/// A series of the bundle, in the whole fabric, and the other way round: rows are mirrored.
inline constexpr int kFirstLink = series_of(Count::link_west),
                     kLastLink = series_of(Count::link_north);
static_assert(kLastLink == kFirstLink + kLinks - 1);
WEFT_INLINE int series_in_whole(const View& v, int series) {
  const bool link = series >= kFirstLink && series <= kLastLink;
  return v.counts->rows && link ? kFirstLink + kLastLink - series : series;
}
/// The same of some, bits of a mask.
WEFT_INLINE std::uint32_t series_in_whole(const View& v, std::uint32_t some) {
  constexpr std::uint32_t kLinksAlone = ((1U << kLinks) - 1) << kFirstLink;
  if (!v.counts->rows || (some & kLinksAlone) == 0) return some;
  std::uint32_t whole = some & ~kLinksAlone;
  for (int n = kFirstLink; n <= kLastLink; ++n)
    whole |= (some >> n & 1U) << (kFirstLink + kLastLink - n);
  return whole;
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

/// The windows of a strip of lines with one clock (Counts::alike).
WEFT_INLINE std::uint32_t* alike_windows(const View& v, int strip, int series) {
  const auto row = static_cast<std::size_t>(strip) * kSeries + static_cast<std::size_t>(series);
  return v.counts->alike + row * v.counts->windows;
}

/// They are long enough for a cycle.
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

/// All lanes have counted so many more in the window that begins so.
WEFT_INLINE void count_alike(const View& v, int strip, int series, std::uint64_t begin,
                             std::uint32_t n) {
  reach_alike(v, strip, begin);
  alike_windows(v, strip, series)[begin >> v.counts->strip[strip].window_bits] += n;
}

/// Cycles that all lanes have counted (StripCounts::all), in any windows.
static WEFT_INLINE void add_alike_cycles(const View& v, int strip, int series, std::uint64_t first,
                                         std::uint64_t end) {
  v.counts->lane_windows[strip].before[series] += static_cast<std::uint32_t>(end - first);
  reach_alike(v, strip, end - 1);
  const std::uint32_t bits = v.counts->strip[strip].window_bits;
  std::uint32_t* const row = alike_windows(v, strip, series);
  while (first < end) {
    const std::uint64_t next = ((first >> bits) + 1) << bits, to = end < next ? end : next;
    row[first >> bits] += static_cast<std::uint32_t>(to - first);
    first = to;
  }
}

/// Lines leave the window that they are in.
template <class L>
WEFT_INLINE void give_windows(const View& v, int strip) {
  StripCounts& s = v.counts->strip[strip];
  LaneWindows& w = v.counts->lane_windows[strip];
  for (int n = 0; n < kSeries; ++n) {
    const std::uint32_t all = s.all[static_cast<int>(kCountOf[n])];
    if (all != w.before[n]) count_alike(v, strip, n, w.begin, all - w.before[n]);
    w.before[n] = all;
  }
  for (std::uint32_t rest = s.parts; rest != 0; rest &= rest - 1) {
    const int n = lowest(rest);
    std::uint32_t* const part = w.part[n].at;
    const Mask some = v.counts->all_lanes & ~equal(v.counts->all_lanes, part, 0);
    if (some == 0) continue;
    for_lines(v, some, [&](const LineInLane& line) {
      give_window<L>(v, in_whole(v, strip, line), n, w.begin, part[line.lane]);
    });
    for (int i = 0; i < kLanes; ++i) part[i] = 0;
  }
  s.parts = 0;
}

/// After all cycles of a strip, whose window has been left.
template <class L>
WEFT_INLINE void give_alike(const View& v, int strip) {
  const Counts& whole = *v.counts->whole;
  const std::uint32_t bits = v.counts->strip[strip].window_bits;
  const std::uint64_t last = (std::uint64_t{v.counts->windows} << bits) - 1;  // in them
  for (int n = 0; n < kSeries; ++n) {
    const std::uint32_t* const row = alike_windows(v, strip, n);
    std::size_t used = v.counts->windows;
    while (used > 0 && row[used - 1] == 0) --used;
    if (used == 0) continue;
    std::size_t first = 0;
    while (row[first] == 0) ++first;
    for_lines(v, v.counts->all_lanes, [&](const LineInLane& line) {
      const LaneAddress at = in_whole(v, strip, line);
      reach<L>(whole, at.strip, last);  // none of these is longer than one there
      const std::uint32_t whole_bits = whole.strip[at.strip].window_bits;
      const std::uint64_t begin = std::uint64_t{first} << bits >> whole_bits;
      with_window(whole, at.strip, series_in_whole(v, n), begin, [&](auto* windows) WEFT_INLINED {
        for (std::size_t window = first; window < used; ++window) {
          auto& to = windows[((std::uint64_t{window} << bits >> whole_bits) - begin) * kLanes +
                             static_cast<std::size_t>(at.lane)];
          to = static_cast<std::remove_reference_t<decltype(to)>>(to + row[window]);
        }
      });
    });
  }
}

/// Cycles are in the window that all lanes are in, or do not have to be.
WEFT_INLINE bool are_inside(const View& v, int strip, std::uint64_t first, std::uint64_t end) {
  if (v.counts->windows == 0 || have_own_clocks(v)) return true;
  const LaneWindows& w = v.counts->lane_windows[strip];
  return w.begin <= first && end <= w.end;
}

/// All lanes have done the same in these cycles.
WEFT_INLINE void count_cycles_alike(const View& v, int strip, Count what, std::uint64_t first,
                                    std::uint64_t end) {
  if (first == end) return;
  v.counts->strip[strip].all[static_cast<int>(what)] += static_cast<std::uint32_t>(end - first);
  if (!are_inside(v, strip, first, end)) add_alike_cycles(v, strip, series_of(what), first, end);
}

/// Lines come to the window that this cycle is in. Returns when it ends.
template <class L>
[[gnu::noinline]] std::uint64_t turn_lanes(const View& v, int strip, std::uint64_t now) {
  LaneWindows& w = v.counts->lane_windows[strip];
  if (w.end > now) return w.end;
  give_windows<L>(v, strip);
  const std::uint64_t length = window_length(v.counts->windows, now);
  w.begin = now & ~(length - 1);
  return w.end = w.begin + length;
}

/// Cycles of a lane, in any windows. (Not of links, which rows mirror.)
template <class L>
WEFT_INLINE void add_past_cycles(const View& v, int strip, int series, int lane,
                                 std::uint64_t first, std::uint64_t end) {
  for_lines(v, lane_bit(lane), [&](const LineInLane& line) {
    const LaneAddress at = in_whole(v, strip, line);
    add_to_windows<L>(*v.counts->whole, at.strip, series, at.lane, first - line.clock_lag,
                      end - line.clock_lag);
  });
}

/// The same, as the bundle counts them.
template <class L>
WEFT_INLINE void add_line_cycles(const View& v, int strip, int series, int lane,
                                 std::uint64_t first, std::uint64_t end) {
  if (are_inside(v, strip, first, end))
    part_of(v, strip, series)[lane] += static_cast<std::uint32_t>(end - first);
  else
    add_past_cycles<L>(v, strip, series, lane, first, end);
}

/// The same of some lanes.
template <class L>
WEFT_INLINE void add_line_cycles(const View& v, int strip, int series, Mask lanes,
                                 std::uint64_t first, std::uint64_t end) {
  if (!are_inside(v, strip, first, end))
    return for_each(lanes,
                    [&](int lane) { add_past_cycles<L>(v, strip, series, lane, first, end); });
  const auto n = static_cast<std::uint32_t>(end - first);
  std::uint32_t* const part = part_of(v, strip, series);
  for (int i = 0; i < kLanes; ++i) part[i] += has(lanes, i) ? n : 0;
}

}  // namespace weft::counting
