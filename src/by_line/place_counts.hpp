#pragma once

#include "by_line/delay_lines.hpp"
#include "counting/window_ends.hpp"

/// Links that delayed wavelets cross, counted for 64 places of a delay line at once: each is the
/// same in all lanes.
namespace weft::by_line {

/// Of one delay line.
struct PlaceCounts {
  std::uint64_t ends;     ///< before something is counted in this cycle, tallies are emptied
  Tally* tally;           ///< by 64 places
  std::uint32_t* total;   ///< by place: what was in them before
  std::uint32_t* before;  ///< what the total was as a window began; [line][place], or, where lines
                          ///< have one clock, by place
  std::uint64_t begin, end;  ///< of their window
  std::size_t next_end;      ///< as StripCounts
};

/// f(strip, wavelets) for what has crossed links since a window began.
template <class F>
WEFT_INLINE void for_passed(const DelayLine& r, const PlaceCounts& p, std::uint32_t* before, F f) {
  for (int place = 0; place < r.length; ++place) {
    const std::uint32_t more = p.total[place] - before[place];
    if (more == 0) continue;
    before[place] = p.total[place];
    f(r.strip(place), more);
  }
}

/// Lines with one clock leave the window that they are in.
WEFT_OWN void leave_place_window(const View& v, const DelayLine& r, PlaceCounts& p) {
  const int series = series_of(count_of(r.out));
  for_passed(r, p, p.before, [&](int strip, std::uint32_t more) {
    counting::count_alike(v, strip, series, p.begin, more);
  });
}

/// A line leaves the window of the cycle before `end`.
template <class L>
void leave_place_window(const View& v, const DelayLine& r, PlaceCounts& p, std::size_t number,
                        std::uint64_t end) {
  const LineInLane& line = v.counts->lines_in[number];
  const int series = series_of(count_of(r.out));
  const std::uint64_t cycle = end - 1 - line.clock_lag;
  std::uint32_t* const before = p.before + number * static_cast<std::size_t>(r.length);
  for_passed(r, p, before, [&](int strip, std::uint32_t more) {
    counting::give_window<L>(v, counting::in_whole(v, strip, line), series, cycle, more);
  });
}

/// Lines come to this cycle. Returns when the next window ends.
template <class L>
std::uint64_t turn_place_windows(const View& v, const DelayLine& r, PlaceCounts& p,
                                 std::uint64_t now) {
  if (counting::have_own_clocks(v))
    return counting::for_window_ends(v, p.next_end, now, [&](std::size_t line, std::uint64_t end) {
      leave_place_window<L>(v, r, p, line, end);
    });
  if (p.end > now) return p.end;
  leave_place_window(v, r, p);
  const std::uint64_t length = counting::window_length(v.counts->windows, now);
  p.begin = now & ~(length - 1);
  return p.end = p.begin + length;
}

/// Lines leave their last windows, after a run that ended before the cycle.
template <class L>
void end_place_windows(const View& v, const DelayLine& r, PlaceCounts& p, std::uint64_t end) {
  if (!counting::have_own_clocks(v)) return leave_place_window(v, r, p);
  turn_place_windows<L>(v, r, p, end);
  for (std::size_t line = 0; line < v.counts->line_count; ++line)
    leave_place_window<L>(v, r, p, line, end);
}

/// The wavelets that have crossed the link at a place.
WEFT_INLINE std::uint32_t passed_at(const PlaceCounts& p, int place) {
  return p.total[place] + counting::number_in(p.tally[place / kLanes], place % kLanes);
}

/// As Counts::add_passed.
WEFT_OWN void add_passed(const View& v, int strip, Vector (&total)[kPhaseRows]) {
  for (std::uint32_t rest = v.bundle->delayed_colors; rest != 0; rest &= rest - 1) {
    const DelayLine& r = v.bundle->delay_lines[lowest(rest)];
    const std::uint32_t n = passed_at(v.bundle->place_counts[lowest(rest)], r.place(strip));
    std::uint32_t* const to = total[phase_row(count_of(r.out))].at;
    for (int i = 0; i < kLanes; ++i) to[i] += n;
  }
}

/// Tallies go to totals.
WEFT_OWN void empty_places(const DelayLine& r, PlaceCounts& p) {
  for (int word = 0; word * kLanes < r.length; ++word) {
    Vector numbers;
    if (!counting::take(p.tally[word], numbers)) continue;
    for (int i = 0; i < kLanes; ++i) p.total[word * kLanes + i] += numbers.at[i];
  }
}

/// Tallies are emptied, and are of the cycles from this one on.
template <class L>
[[gnu::noinline]] void turn_places(const View& v, const DelayLine& r, PlaceCounts& p,
                                   std::uint64_t now) {
  empty_places(r, p);
  p.ends = (now | (kMostTallied - 1)) + 1;
  if (v.counts->windows != 0) earlier(p.ends, turn_place_windows<L>(v, r, p, now));
}

/// The places of a word, 64 of them, at which delayed wavelets are in step 1 of the cycle.
WEFT_INLINE Mask places_with(const DelayLine& r, int word, std::uint64_t now) {
  const int slot = r.slot(word * kLanes, now), bit = slot % 64;
  const Mask low = r.taken[slot / 64] >> bit;
  if (bit == 0) return low;
  return low | r.taken[((slot / 64 + 1) & (r.slots / 64 - 1))] << (64 - bit);
}

/// Delayed wavelets cross the links at their places, but for those that have come in this cycle, to
/// stepped strips, and for the last place.
template <class L>
WEFT_INLINE void count_passing(const View& v, const DelayLine& r, PlaceCounts& p,
                               std::uint64_t now) {
  if (r.under_way == r.begun) return;
  if (p.ends <= now) turn_places<L>(v, r, p, now);
  const int last = r.length - 1;
  for (int word = 0; word * kLanes < last; ++word) {
    Mask passing = places_with(r, word, now) & ~r.stepped[word];
    if (last - word * kLanes < kLanes) passing &= lane_bit(last - word * kLanes) - 1;
    counting::add(p.tally[word], passing);
  }
}

}  // namespace weft::by_line
