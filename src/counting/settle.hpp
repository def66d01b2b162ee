#pragma once

#include "counting/cores.hpp"

/// Between runs.
namespace weft::counting {

/// All of a strip is counted up to a cycle, and in its sums and windows.
template <class L>
[[gnu::noinline]] void settle(const View& v, int strip, std::uint64_t cycle) {
  StripCounts& s = v.counts->strip[strip];
  count_waits<L>(v, strip, cycle);
  for_each(s.open, [&](int lane) {
    const std::uint64_t end = s.until[lane] < cycle ? s.until[lane] : cycle;
    count_computing<L>(v, strip, lane, end);
    if (s.since[lane] < end) s.since[lane] = end;
    if (s.until[lane] <= cycle) s.open &= ~lane_bit(lane);
  });
  for_each(s.in_task, [&](int lane) { end_task_cycles(v, s, lane, cycle); });
  empty_tallies<L>(v, strip, kAllLanes);
}

}  // namespace weft::counting
