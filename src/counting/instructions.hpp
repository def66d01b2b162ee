#pragma once

#include "counting/tally.hpp"
#include "model/core/group.hpp"

/// The cycles of tasks, by instruction, of all lanes of a strip: they belong to the one that was
/// issued last.
namespace weft::counting {

WEFT_INLINE std::uint32_t code_at(const StripCounts& s, int lane, std::uint32_t pc) {
  return s.first_code.at[lane] + pc;
}

/// A lane's instruction had the cycles up to `end`.
WEFT_INLINE void end_instruction(const View& v, StripCounts& s, int lane, std::uint64_t end) {
  v.counts->code[s.code.at[lane]] += static_cast<std::uint32_t>(end) - s.code_since.at[lane];
  s.code_since.at[lane] = static_cast<std::uint32_t>(end);
}

/// Lanes, of one program, take a task that begins at `pc`.
WEFT_INLINE void begin_instructions(StripCounts& s, Mask lanes, std::uint32_t pc,
                                    std::uint64_t now) {
  fill(lanes, s.code.at, code_at(s, lowest(lanes), pc));
  fill(lanes, s.code_since.at, static_cast<std::uint32_t>(now));
}

/// Lanes that issue an instruction.
static WEFT_INLINE void come_to_instruction(const Group& g) {
  StripCounts& s = g.v.counts->strip[g.at.index];
  const std::uint32_t next = code_at(s, lowest(g.lanes), g.pc);
  const std::uint32_t before = s.code.at[lowest(g.lanes)];
  if (few(g.lanes) || equal(g.lanes, s.code.at, before) != g.lanes)
    return for_each(g.lanes, [&](int lane) {
      end_instruction(g.v, s, lane, g.time(lane));
      s.code.at[lane] = next;
    });
  Vector time;
  std::uint64_t cycles = 0;
  for (int i = 0; i < kLanes; ++i) {
    time.at[i] = static_cast<std::uint32_t>(g.core.wake[i] + g.elapsed);
    cycles += has(g.lanes, i) ? time.at[i] - s.code_since.at[i] : 0;
  }
  g.v.counts->code[before] += cycles;
  copy(g.lanes, s.code_since.at, time.at);
  fill(g.lanes, s.code.at, next);
}

}  // namespace weft::counting
