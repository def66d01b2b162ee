#pragma once

#include "counting/window_ends.hpp"

/// From tallies to sums and windows of time. The PEs of a strip have one clock, but for those of
/// lines that are stepped apart (line_windows.hpp).
namespace weft::counting {

/// A tally goes to a sum, and to the window that its cycles are in.
template <class L>
WEFT_INLINE void empty(const View& v, int strip, Tally& tally, Vector& sum, int series) {
  Vector numbers;
  if (!take(tally, numbers)) return;
  for (int i = 0; i < kLanes; ++i) sum.at[i] += numbers.at[i];
  if (series < 0 || v.counts->windows == 0) return;
  if constexpr (kByLine<L>) return add_to_part(v, strip, series, numbers);
  const StripCounts& s = v.counts->strip[strip];
  with_window(*v.counts, strip, series, (s.ends - 1) >> s.window_bits, [&](auto* row) WEFT_INLINED {
    for (int i = 0; i < kLanes; ++i)
      row[i] = static_cast<std::remove_pointer_t<decltype(row)>>(row[i] + numbers.at[i]);
  });
}

template <class L>
[[gnu::noinline]] void empty_tallies(const View& v, int strip) {
  StripCounts& s = v.counts->strip[strip];
  const std::uint64_t some = kByLine<L> ? s.tallied : ~std::uint64_t{0};
  s.tallied = 0;
  for (std::size_t count = 0; count < kCounts; ++count)
    if ((some >> count & 1U) != 0)
      empty<L>(v, strip, s.tally[count], s.sum[count], kSeriesOf[count]);
  for (std::uint32_t rest = v.strip[strip].colors; rest != 0; rest &= rest - 1) {
    if ((some >> (kColorsTallied + lowest(rest)) & 1U) == 0) continue;
    const std::int32_t color = v.strip[strip].color_state[lowest(rest)];
    ColorTally& from = v.counts->tallies[color];
    ColorSums& to = v.counts->sums[color];
    for (int port = 0; port < kPorts; ++port)
      empty<L>(v, strip, from.left[port], to.left[port],
               port < kLinks ? series_of(count_of(static_cast<Port>(port))) : -1);
    empty<L>(v, strip, from.held, to.held, series_of(Count::held));
  }
}

/// Tallies are emptied, and are of the cycles from this one on.
template <class L>
[[gnu::noinline]] void turn(const View& v, int strip, std::uint64_t now) {
  StripCounts& s = v.counts->strip[strip];
  if constexpr (kByLine<L>) {
    const bool has_windows = v.counts->windows != 0, own_clocks = have_own_clocks(v);
    s.ends = (now | (kMostTallied - 1)) + 1;
    if (own_clocks) earlier(s.ends, pass_window_ends<L>(v, strip, now));
    if (s.tallied != 0 && (!own_clocks || (now ^ s.turned) >= kMostTallied))
      empty_tallies<L>(v, strip);
    s.turned = now;
    if (has_windows && !own_clocks) earlier(s.ends, turn_lanes<L>(v, strip, now));
    return;
  }
  empty_tallies<L>(v, strip);
  reach<L>(*v.counts, strip, now);
  std::uint64_t period = kMostTallied;
  if (v.counts->windows != 0 && std::uint64_t{1} << s.window_bits < period)
    period = std::uint64_t{1} << s.window_bits;
  s.ends = (now | (period - 1)) + 1;
  s.turned = now;
}

/// Before something is added to tallies in this cycle.
template <class L>
WEFT_INLINE StripCounts& counts_at(const View& v, int strip, std::uint64_t now) {
  StripCounts& s = v.counts->strip[strip];
  if (s.ends <= now) [[unlikely]]
    turn<L>(v, strip, now);
  return s;
}

/// One more of a count in some lanes.
template <class L>
WEFT_INLINE void count(const View& v, int strip, Count what, Mask lanes) {
  StripCounts& s = v.counts->strip[strip];
  if constexpr (kByLine<L>) {
    if (lanes == 0) return;
    if (lanes == v.counts->all_lanes) {
      ++s.all[static_cast<int>(what)];
      return;
    }
    s.tallied |= std::uint64_t{1} << static_cast<int>(what);
  }
  add(of(s, what), lanes);
}

WEFT_INLINE ColorTally& tally_of(const View& v, int strip, int color) {
  return v.counts->tallies[v.strip[strip].color_state[color]];
}

/// One more wavelet of a color leaves by a port.
template <class L>
WEFT_INLINE void count_by_port(const View& v, int strip, int color, int port, Mask lanes) {
  ColorTally& tally = tally_of(v, strip, color);
  if constexpr (kByLine<L>) {
    if (lanes == 0) return;
    StripCounts& s = v.counts->strip[strip];
    if (lanes == v.counts->all_lanes) {
      ++tally.all_left[port];
      if (port < kLinks) ++s.all[static_cast<int>(count_of(static_cast<Port>(port)))];
      return;
    }
    s.tallied |= std::uint64_t{1} << (kColorsTallied + color);
  }
  add(tally.left[port], lanes);
}

/// A wavelet of a color is held for a cycle.
template <class L>
WEFT_INLINE void count_color_held(const View& v, int strip, int color, Mask lanes) {
  ColorTally& tally = tally_of(v, strip, color);
  if constexpr (kByLine<L>) {
    if (lanes == 0) return;
    StripCounts& s = v.counts->strip[strip];
    if (lanes == v.counts->all_lanes) {
      ++tally.all_held;
      ++s.all[static_cast<int>(Count::held)];
      return;
    }
    s.tallied |= std::uint64_t{1} << (kColorsTallied + color);
  }
  add(tally.held, lanes);
}

/// The cycles from `first` to `end` of a lane go to a sum and its windows.
template <class L>
WEFT_INLINE void add_cycles(const View& v, int strip, Vector& sum, int series, int lane,
                            std::uint64_t first, std::uint64_t end) {
  if (end <= first) return;
  sum.at[lane] += static_cast<std::uint32_t>(end - first);
  if (series < 0 || v.counts->windows == 0) return;
  if constexpr (kByLine<L>)
    add_line_cycles<L>(v, strip, series, lane, first, end);
  else
    add_to_windows<L>(*v.counts, strip, series, lane, first, end);
}

/// The same of some lanes; not by line, by way of a tally where it is of these cycles.
template <class L>
[[gnu::noinline]] void add_cycles(const View& v, int strip, Mask lanes, Tally& tally, Vector& sum,
                                  int series, std::uint64_t first, std::uint64_t end) {
  if (end <= first) return;
  if constexpr (kByLine<L>) {
    const auto n = static_cast<std::uint32_t>(end - first);
    for (int i = 0; i < kLanes; ++i) sum.at[i] += has(lanes, i) ? n : 0;
    if (series < 0 || v.counts->windows == 0) return;
    counts_at<L>(v, strip, first);
    return add_line_cycles<L>(v, strip, series, lanes, first, end);
  }
  const StripCounts& s = v.counts->strip[strip];
  if (s.turned <= first && end <= s.ends)
    return add(tally, lanes, static_cast<std::uint32_t>(end - first));
  for_each(lanes, [&](int lane) { add_cycles<L>(v, strip, sum, series, lane, first, end); });
}

}  // namespace weft::counting
