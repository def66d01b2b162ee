#pragma once

#include "counting/sums.hpp"
#include "model/core/group.hpp"

/// The cycles of tasks, by line of the program: they belong to the line that was issued last, so
/// that nothing is to do until another one is.
namespace weft::counting {

WEFT_INLINE std::uint32_t line_at(const View& v, const StripCounts& s, int lane, std::uint32_t pc) {
  return s.first_line.at[lane] + v.counts->line_of[pc];
}

/// A lane's line had the cycles up to `end`.
WEFT_INLINE void end_line(const View& v, StripCounts& s, int lane, std::uint64_t end) {
  v.counts->lines[s.line.at[lane]].at[lane] +=
      static_cast<std::uint32_t>(end) - s.line_since.at[lane];
  s.line_since.at[lane] = static_cast<std::uint32_t>(end);
}

/// Lanes that issue an instruction come to its line.
static WEFT_INLINE void come_to_line(const Group& g, std::uint32_t line) {
  StripCounts& s = g.v.counts->strip[g.at.index];
  const Mask others = g.lanes & ~equal(g.lanes, s.line.at, line);
  if (others == 0) return;
  const std::uint32_t before = s.line.at[lowest(others)];
  if (few(others) || equal(others, s.line.at, before) != others) {
    for_each(others, [&](int lane) {
      end_line(g.v, s, lane, g.time(lane));
      s.line.at[lane] = line;
    });
    return;
  }
  std::uint32_t* const cycles = g.v.counts->lines[before].at;
  std::uint32_t* const since = s.line_since.at;
  Vector time, sum;
  for (int i = 0; i < kLanes; ++i) {
    time.at[i] = static_cast<std::uint32_t>(g.core.wake[i] + g.elapsed);
    sum.at[i] = cycles[i] + (time.at[i] - since[i]);
  }
  copy(others, cycles, sum.at);
  copy(others, since, time.at);
  fill(others, s.line.at, line);
}

}  // namespace weft::counting
