#pragma once

#include "counting/windows.hpp"

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
  for_each(lanes & s.open, [&](int lane) { count_computing<L>(v, strip, lane, s.until[lane]); });
  fill(lanes, s.since, first);
  fill(lanes, s.until, kNever);
  s.open |= lanes;
}

/// A lane computes no longer than up to a cycle.
WEFT_INLINE void end_computing(StripCounts& s, int lane, std::uint64_t end) {
  if (end < s.until[lane]) s.until[lane] = end;
}

}  // namespace weft::counting
