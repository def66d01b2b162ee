#pragma once

#include "counting/line_windows.hpp"

/// Windows of time of lines that have clocks of their own, and so come to the ends of their windows
/// one after the other. A strip goes through these ends in order, and notes at each one what the
/// line's lane has counted. The line's PE gets later what was counted between two ends.
namespace weft::counting {

/// f(line's number, end of its window) for the ends that come up to a cycle. `next`: the first one
/// that is not past. Returns its cycle.
template <class F>
WEFT_INLINE std::uint64_t for_window_ends(const View& v, std::size_t& next, std::uint64_t now,
                                          F f) {
  WindowEnds& ends = *v.counts->window_ends;
  for (;; ++next) {
    if (next >= ends.known) ends.find_more(ends);
    const WindowEnd end = ends.end[next];
    if (end.cycle > now) return end.cycle;
    f(end.line, end.cycle);
  }
}

/// A lane's part of tallies that are not empty.
static WEFT_INLINE void add_tallied(const View& v, int strip, int lane,
                                    std::uint32_t (&to)[kSeries]) {
  const StripCounts& s = v.counts->strip[strip];
  for (std::uint64_t rest = s.tallied; rest != 0; rest &= rest - 1) {
    const int n = lowest(rest);
    if (n < kColorsTallied) {
      if (kSeriesOf[static_cast<std::size_t>(n)] >= 0)
        to[kSeriesOf[static_cast<std::size_t>(n)]] += number_in(s.tally[n], lane);
      continue;
    }
    const ColorTally& color = v.counts->tallies[v.strip[strip].color_state[n - kColorsTallied]];
    for (int link = 0; link < kLinks; ++link)
      to[series_of(count_of(static_cast<Port>(link)))] += number_in(color.left[link], lane);
    to[series_of(Count::held)] += number_in(color.held, lane);
  }
}

/// What a lane has counted before a cycle, with what is under way.
static WEFT_INLINE void find_counted(const View& v, int strip, int lane, std::uint64_t cycle,
                                     std::uint32_t (&counted)[kSeries]) {
  const StripCounts& s = v.counts->strip[strip];
  const LaneWindows& w = v.counts->lane_windows[strip];
  for (int n = 0; n < kSeries; ++n) counted[n] = s.all[static_cast<int>(kCountOf[n])];
  for (std::uint32_t rest = s.parts; rest != 0; rest &= rest - 1)
    counted[lowest(rest)] += w.part[lowest(rest)].at[lane];
  const auto add = [&](Count what, std::uint64_t first, std::uint64_t end) WEFT_INLINED {
    if (first < end) counted[series_of(what)] += static_cast<std::uint32_t>(end - first);
  };
  if (has(s.data, lane)) add(Count::waits_data, s.settled, cycle);
  if (has(s.room, lane)) add(Count::waits_room, s.settled, cycle);
  if (has(s.open, lane))
    add(Count::computing, s.since[lane], s.until[lane] < cycle ? s.until[lane] : cycle);
  if (s.tallied != 0) add_tallied(v, strip, lane, counted);
}

/// What a line has counted since it left the window before goes to the fabric. (The cycle is in the
/// same window there as others of its window: none there is shorter.)
template <class L>
WEFT_INLINE void give_left(const View& v, int strip, const WindowLeft& left) {
  const Counts& c = *v.counts;
  SeriesNumbers& given = c.given[static_cast<std::size_t>(strip) * c.line_count + left.line];
  SeriesNumbers counted{}, more;
  for (int n = 0; n < kSeries; ++n) counted.at[n] = left.counted[n];
  constexpr int kNumbers = sizeof more.at / sizeof more.at[0];
  std::uint32_t differ = 0;
  for (int n = 0; n < kNumbers; ++n) {
    more.at[n] = counted.at[n] - given.at[n];
    differ |= more.at[n] != 0 ? 1U << n : 0;
  }
  if (differ == 0) return;
  given = counted;
  const LaneAddress at = in_whole(v, strip, c.lines_in[left.line]);
  reach<L>(*c.whole, at.strip, left.cycle);
  const std::uint64_t window = left.cycle >> c.whole->strip[at.strip].window_bits;
  add_to_window(*c.whole, at, window, series_in_whole(v, differ),
                [&](int n) WEFT_INLINED { return more.at[series_in_whole(v, n)]; });
}

/// Many at a time, as they are in few places, which are in no near cache by the next time.
template <class L>
[[gnu::noinline]] void give_left(const View& v, int strip) {
  LaneWindows& w = v.counts->lane_windows[strip];
  for (int n = 0; n < w.left_count; ++n) give_left<L>(v, strip, w.left[n]);
  w.left_count = 0;
}

/// A line leaves the window of the cycle before `end`.
template <class L>
WEFT_INLINE void leave_window(const View& v, int strip, std::size_t number, std::uint64_t end) {
  LaneWindows& w = v.counts->lane_windows[strip];
  const LineInLane& line = v.counts->lines_in[number];
  WindowLeft& left = w.left[w.left_count];
  left.cycle = end - 1 - line.clock_lag;
  left.line = number;
  find_counted(v, strip, line.lane, end, left.counted);
  if (++w.left_count == kMostLeft) give_left<L>(v, strip);
}

/// A strip comes to this cycle. Returns when the next window ends.
template <class L>
[[gnu::noinline]] std::uint64_t pass_window_ends(const View& v, int strip, std::uint64_t now) {
  StripCounts& s = v.counts->strip[strip];
  return for_window_ends(v, s.next_end, now, [&](std::size_t line, std::uint64_t end) WEFT_INLINED {
    leave_window<L>(v, strip, line, end);
  });
}

/// After all cycles of a strip, of which `end` is the next.
template <class L>
WEFT_INLINE void leave_windows(const View& v, int strip, std::uint64_t end) {
  for (std::size_t n = 0; n < v.counts->line_count; ++n) leave_window<L>(v, strip, n, end);
  give_left<L>(v, strip);
}

}  // namespace weft::counting
