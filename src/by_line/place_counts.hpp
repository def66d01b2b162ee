#pragma once

#include "by_line/delay_lines.hpp"
#include "counting/line_windows.hpp"

/// Links that delayed wavelets cross, counted for 64 places of a delay line at once: each is the
/// same in all lanes.
namespace weft::by_line {

/// Of one delay line.
struct PlaceCounts {
  std::uint64_t ends;     ///< before something is counted in this cycle, tallies are emptied
  Tally* tally;           ///< by 64 places
  std::uint32_t* total;   ///< by place: what was in them before
  std::uint32_t* before;  ///< [lane][place]: what the total was as its window began
  LaneSpans windows;
};

/// Lanes leave the windows that they are in.
template <class L>
void give_place_windows(const View& v, const DelayLine& r, PlaceCounts& p, Mask lanes) {
  if (lanes == 0) return;
  const auto places = static_cast<std::size_t>(r.length);
  const int series = series_of(count_of(r.out));
  if (v.counts->alike != nullptr) {
    const std::uint64_t begin = p.windows.begins[0] - counting::lag_of(v, 0);
    for (std::size_t place = 0; place < places; ++place) {
      const std::uint32_t more = p.total[place] - p.before[place];
      p.before[place] = p.total[place];
      if (more != 0)
        counting::count_alike(v, r.strip(static_cast<int>(place)), series, begin, more);
    }
    return;
  }
  for_each(lanes, [&](int lane) {
    std::uint32_t* const before = p.before + static_cast<std::size_t>(lane) * places;
    for (std::size_t place = 0; place < places; ++place) {
      const std::uint32_t more = p.total[place] - before[place];
      if (more == 0) continue;
      before[place] = p.total[place];
      counting::give_window<L>(v, counting::in_whole(v, r.strip(static_cast<int>(place)), lane),
                               series, p.windows.begins[lane] - counting::lag_of(v, lane), more);
    }
  });
}

/// The wavelets that have crossed the link at a place.
WEFT_INLINE std::uint32_t passed_at(const PlaceCounts& p, int place) {
  std::uint32_t n = p.total[place];
  const Tally& tally = p.tally[place / kLanes];
  for (int k = 0; k < kDigits; ++k)
    n += static_cast<std::uint32_t>(tally.digit[k] >> (place % kLanes) & 1U) << k;
  return n;
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
  if (v.counts->windows == 0) return;
  const Mask lanes = due(r.all, p.windows.ends, now);
  give_place_windows<L>(v, r, p, lanes);
  earlier(p.ends, counting::come_to_windows(v, p.windows, lanes, now));
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
