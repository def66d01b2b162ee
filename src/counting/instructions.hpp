#pragma once

#include "counting/tally.hpp"
#include "model/core/group.hpp"
#include "model/lanes/lane_vectors.hpp"

/// The cycles of tasks, by instruction, of all lanes of a strip: they belong to the one that was
/// issued last.
namespace weft::counting {

WEFT_INLINE std::uint32_t code_at(const StripCounts& s, int lane, std::uint32_t pc) {
  return s.first_code.at[lane] + pc;
}

/// The PEs in a lane.
WEFT_INLINE std::uint64_t pes_in(const Counts& c, int lane) {
  return c.stands_for == nullptr ? 1 : c.stands_for[lane];
}

/// So many of each of these lanes, of all PEs in them.
static WEFT_INLINE std::uint64_t cycles_of_pes(const Counts& c, Mask lanes, const Vector& cycles) {
  std::uint64_t all = 0;
  if (c.stands_for != nullptr) {
    for_each(lanes, [&](int lane) { all += c.stands_for[lane] * cycles.at[lane]; });
    return all;
  }
  Vector some;
  fill(kAllLanes, some.at, 0);
  copy(lanes, some.at, cycles.at);
  for (const std::uint32_t cycle : some.at) all += cycle;
  return all;
}

/// A lane's instruction had the cycles up to `end`.
WEFT_INLINE void end_instruction(const View& v, StripCounts& s, int lane, std::uint64_t end) {
  const std::uint32_t cycles = static_cast<std::uint32_t>(end) - s.code_since.at[lane];
  v.counts->code[s.code.at[lane]] += pes_in(*v.counts, lane) * cycles;
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
  Vector time, cycles;
  for (int i = 0; i < kLanes; ++i) {
    time.at[i] = static_cast<std::uint32_t>(g.core.wake[i] + g.elapsed);
    cycles.at[i] = time.at[i] - s.code_since.at[i];
  }
  g.v.counts->code[before] += cycles_of_pes(*g.v.counts, g.lanes, cycles);
  copy(g.lanes, s.code_since.at, time.at);
  fill(g.lanes, s.code.at, next);
}

}  // namespace weft::counting
