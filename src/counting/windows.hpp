#pragma once

#include <cstddef>
#include <type_traits>

#include "counting/tally.hpp"
#include "model/lanes/lane_vectors.hpp"
#include "model/state/view.hpp"

/// Windows of time of a fabric. The PEs of a strip have windows of one length.
namespace weft::counting {

WEFT_INLINE std::size_t window_row(const Counts& c, int strip, int series, std::uint64_t window) {
  const auto number = static_cast<std::size_t>(strip) * kSeries + static_cast<std::size_t>(series);
  return (number * c.windows + window) * kLanes;
}

/// f(row, a vector of 64 numbers) for the window of a series.
template <class F>
WEFT_INLINE void with_window(const Counts& c, int strip, int series, std::uint64_t window, F f) {
  const std::size_t row = window_row(c, strip, series, window);
  c.strip[strip].used |= static_cast<std::uint16_t>(1U << series);
  if ((c.strip[strip].wide >> series & 1U) != 0)
    f(c.wide + row);
  else
    f(c.narrow + row);
}

/// So many more in a lane's window of a series.
WEFT_INLINE void add_to_window(const Counts& c, int strip, int series, std::uint64_t window,
                               int lane, std::uint64_t n) {
  with_window(c, strip, series, window, [&](auto* row) WEFT_INLINED {
    row[lane] = static_cast<std::remove_pointer_t<decltype(row)>>(row[lane] + n);
  });
}

/// The same in a lane's window of several series, bits of a mask: more(series) each.
template <class F>
WEFT_INLINE void add_to_window(const Counts& c, const LaneAddress& at, std::uint64_t window,
                               std::uint32_t some, F more) {
  StripCounts& s = c.strip[at.strip];
  s.used |= static_cast<std::uint16_t>(some);
  const std::size_t first = window_row(c, at.strip, 0, window) + static_cast<std::size_t>(at.lane);
  const std::size_t step = std::size_t{c.windows} * kLanes;
  const auto add = [&](auto* numbers, std::uint32_t rest) WEFT_INLINED {
    for (; rest != 0; rest &= rest - 1) {
      auto& to = numbers[first + step * static_cast<std::size_t>(lowest(rest))];
      to = static_cast<std::remove_reference_t<decltype(to)>>(to + more(lowest(rest)));
    }
  };
  add(c.narrow, some & ~s.wide);
  add(c.wide, some & s.wide);
}

/// All lanes of a window. (A window of zeros stays as it is: perhaps it takes no memory.)
template <class L, class Number>
WEFT_INLINE bool any_in(const Number* row) {
  Number any = 0;
  for (int i = 0; i < kLanes; ++i) any = static_cast<Number>(any | row[i]);
  return any != 0;
}
template <class L>
WEFT_INLINE void widen(const std::uint16_t* narrow, std::uint32_t* wide) {
  if (!any_in<L>(narrow)) return;
  for (int i = 0; i < kLanes; ++i) wide[i] = narrow[i];
}

/// Each two windows of a series become one.
template <class L, class Number>
WEFT_INLINE void join_windows(Number* rows, std::uint32_t windows) {
  for (std::size_t to = 0; to < windows / 2; ++to) {
    Number* const row = rows + to * kLanes;
    const Number* const one = rows + 2 * to * kLanes;
    if (!any_in<L>(row) && !any_in<L>(one) && !any_in<L>(one + kLanes)) continue;
#pragma GCC ivdep
    for (int i = 0; i < kLanes; ++i) row[i] = static_cast<Number>(one[i] + one[i + kLanes]);
  }
  for (std::size_t window = windows / 2; window < windows; ++window) {
    Number* const row = rows + window * kLanes;
    if (!any_in<L>(row)) continue;
    for (int i = 0; i < kLanes; ++i) row[i] = 0;
  }
}

/// A strip's windows become twice as long.
template <class L>
[[gnu::noinline]] void double_windows(const Counts& c, int strip) {
  StripCounts& s = c.strip[strip];
  ++s.window_bits;
  for (int series = 0; series < kSeries; ++series) {
    const std::size_t first = window_row(c, strip, series, 0);
    std::uint16_t* const narrow = c.narrow + first;
    std::uint32_t* const wide = c.wide + first;
    const std::uint32_t bit = 1U << series;
    const bool widens = (s.wide & bit) == 0 && s.window_bits > most_narrow_bits(series);
    if (widens) s.wide |= bit;
    if ((s.used & bit) == 0) continue;  // its memory stays untouched
    if (widens) {
      for (std::size_t window = 0; window < c.windows; ++window)
        widen<L>(narrow + window * kLanes, wide + window * kLanes);
    }
    if ((s.wide & bit) != 0)
      join_windows<L>(wide, c.windows);
    else
      join_windows<L>(narrow, c.windows);
  }
  if (s.packed != 0) c.join_past(c, strip);
}

/// Windows are long enough for a PE's cycle.
template <class L>
WEFT_INLINE void reach(const Counts& c, int strip, std::uint64_t cycle) {
  if (c.windows == 0) return;
  while (cycle >> c.strip[strip].window_bits >= c.windows) double_windows<L>(c, strip);
}

/// The cycles from `first` to `end` of a lane's clock go to windows of a series.
template <class L>
WEFT_INLINE void add_to_windows(const Counts& c, int strip, int series, int lane,
                                std::uint64_t first, std::uint64_t end) {
  reach<L>(c, strip, end - 1);
  const std::uint32_t bits = c.strip[strip].window_bits;
  while (first < end) {
    const std::uint64_t window = first >> bits, next = (window + 1) << bits;
    const std::uint64_t to = end < next ? end : next;
    add_to_window(c, strip, series, window, lane, to - first);
    first = to;
  }
}

}  // namespace weft::counting
