#pragma once

#include <cstddef>
#include <type_traits>

#include "counting/tally.hpp"
#include "model/hooks.hpp"
#include "model/lanes/lane_vectors.hpp"

/// From tallies to sums and windows of time. The PEs of a strip have one clock.
namespace weft::counting {

/// Windows of a series whose numbers fit into 16 bits have at most 2^n cycles. A color is held once
/// a cycle, and there are 24.
constexpr std::uint32_t most_narrow_bits(int series) {
  return series == series_of(Count::held) ? 11 : 15;
}

WEFT_INLINE std::size_t window_row(const View& v, int strip, int series, std::uint64_t window) {
  const auto number = static_cast<std::size_t>(strip) * kSeries + static_cast<std::size_t>(series);
  return (number * v.counts->windows + window) * kLanes;
}

/// f(row, a vector of 64 numbers) for the window of a series.
template <class F>
WEFT_INLINE void with_window(const View& v, int strip, int series, std::uint64_t window, F f) {
  const std::size_t row = window_row(v, strip, series, window);
  if ((v.counts->strip[strip].wide >> series & 1U) != 0)
    f(v.counts->wide + row);
  else
    f(v.counts->narrow + row);
}

/// Each two windows of a series become one.
template <class L, class Number>
WEFT_INLINE void join_windows(Number* rows, std::uint32_t windows) {
  for (std::size_t to = 0; to < windows; ++to) {
    Number* const row = rows + to * kLanes;
    for (int i = 0; i < kLanes; ++i)
      row[i] = to < windows / 2
                   ? static_cast<Number>(rows[2 * to * kLanes + static_cast<std::size_t>(i)] +
                                         rows[(2 * to + 1) * kLanes + static_cast<std::size_t>(i)])
                   : Number{0};
  }
}

/// A strip's windows become twice as long.
template <class L>
[[gnu::noinline]] void double_windows(const View& v, int strip) {
  StripCounts& s = v.counts->strip[strip];
  const std::uint32_t windows = v.counts->windows;
  ++s.window_bits;
  for (int series = 0; series < kSeries; ++series) {
    const std::size_t first = window_row(v, strip, series, 0);
    std::uint16_t* const narrow = v.counts->narrow + first;
    std::uint32_t* const wide = v.counts->wide + first;
    const std::uint32_t bit = 1U << series;
    if ((s.wide & bit) == 0 && s.window_bits > most_narrow_bits(series)) {
      s.wide |= bit;
      for (std::size_t i = 0; i < std::size_t{windows} * kLanes; ++i) wide[i] = narrow[i];
    }
    if ((s.wide & bit) != 0)
      join_windows<L>(wide, windows);
    else
      join_windows<L>(narrow, windows);
  }
}

/// Windows are long enough for a PE's cycle.
template <class L>
WEFT_INLINE void reach(const View& v, int strip, std::uint64_t cycle) {
  if (v.counts->windows == 0) return;
  while (cycle >> v.counts->strip[strip].window_bits >= v.counts->windows)
    double_windows<L>(v, strip);
}

/// A tally goes to a sum, and to the window that its cycles are in.
template <class L>
WEFT_INLINE void empty(const View& v, int strip, Tally& tally, Vector& sum, int series) {
  Vector numbers;
  if (!take(tally, numbers)) return;
  for (int i = 0; i < kLanes; ++i) sum.at[i] += numbers.at[i];
  if (series < 0 || v.counts->windows == 0) return;
  const StripCounts& s = v.counts->strip[strip];
  with_window(v, strip, series, (s.ends - 1) >> s.window_bits, [&](auto* row) WEFT_INLINED {
    for (int i = 0; i < kLanes; ++i)
      row[i] = static_cast<std::remove_pointer_t<decltype(row)>>(row[i] + numbers.at[i]);
  });
}

template <class L>
[[gnu::noinline]] void empty_tallies(const View& v, int strip) {
  StripCounts& s = v.counts->strip[strip];
  for (std::size_t count = 0; count < kCounts; ++count)
    empty<L>(v, strip, s.tally[count], s.sum[count], kSeriesOf[count]);
  for (std::uint32_t rest = v.strip[strip].colors; rest != 0; rest &= rest - 1) {
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
  empty_tallies<L>(v, strip);
  reach<L>(v, strip, now);
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

/// The cycles from `first` to `end` of a lane go to a sum and its windows.
template <class L>
WEFT_INLINE void add_cycles(const View& v, int strip, Vector& sum, int series, int lane,
                            std::uint64_t first, std::uint64_t end) {
  if (end <= first) return;
  sum.at[lane] += static_cast<std::uint32_t>(end - first);
  if (series < 0 || v.counts->windows == 0) return;
  reach<L>(v, strip, end - 1);
  const std::uint32_t bits = v.counts->strip[strip].window_bits;
  while (first < end) {
    const std::uint64_t window = first >> bits, next = (window + 1) << bits;
    const std::uint64_t to = end < next ? end : next;
    with_window(v, strip, series, window, [&](auto* row) WEFT_INLINED {
      row[lane] = static_cast<std::remove_pointer_t<decltype(row)>>(row[lane] + (to - first));
    });
    first = to;
  }
}

/// The same of some lanes, by way of a tally where it is of these cycles.
template <class L>
[[gnu::noinline]] void add_cycles(const View& v, int strip, Mask lanes, Tally& tally, Vector& sum,
                                  int series, std::uint64_t first, std::uint64_t end) {
  const StripCounts& s = v.counts->strip[strip];
  if (s.turned <= first && end <= s.ends)
    return add(tally, lanes, static_cast<std::uint32_t>(end - first));
  for_each(lanes, [&](int lane) { add_cycles<L>(v, strip, sum, series, lane, first, end); });
}

}  // namespace weft::counting
