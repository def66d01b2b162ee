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

/// PEs in a lane, and in some.
WEFT_INLINE std::uint64_t pes_in(const Counts& c, int lane) {
  return c.stands_for == nullptr ? 1 : c.stands_for[lane];
}
WEFT_INLINE std::uint64_t pes_in(const Counts& c, Mask lanes) {
  if (c.stands_for == nullptr) return static_cast<std::uint64_t>(model::count(lanes));
  std::uint64_t pes = 0;
  for_each(lanes, [&](int lane) { pes += c.stands_for[lane]; });
  return pes;
}

/// No group executes any more: each lane has its own instruction.
WEFT_INLINE void leave_group(StripCounts& s) {
  GroupCounts& group = s.group;
  if (group.lanes == 0) return;
  const Mask lanes = group.lanes;
  group.lanes = 0;
  if (group.code_after == 0) return;
  if (few(lanes))
    return for_each(lanes, [&](int lane) {
      s.code.at[lane] = group.code;
      s.code_since.at[lane] += group.code_after;
    });
  fill(lanes, s.code.at, group.code);
  assign(lanes, s.code_since.at, [&](int i) { return s.code_since.at[i] + group.code_after; });
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

/// The group goes on to another instruction. Returns whether it has these lanes since it began.
static WEFT_INLINE bool go_on_in_group(const Group& g, std::uint32_t next) {
  GroupCounts& group = g.v.counts->strip[g.at.index].group;
  if (g.elapsed == 0 || group.lanes != g.lanes) return false;
  const auto after = static_cast<std::uint32_t>(g.elapsed - group.began);
  g.v.counts->code[group.code] += group.pes * (after - group.code_after);
  group.code = next;
  group.code_after = after;
  return true;
}

/// Lanes that issue an instruction of a line. Returns whether they have been at it.
static WEFT_INLINE bool come_to_instruction(const Group& g, std::uint32_t line) {
  StripCounts& s = g.v.counts->strip[g.at.index];
  const std::uint32_t next = code_at(s, lowest(g.lanes), g.pc);
  if (go_on_in_group(g, next)) {
    if (s.group.line == line) return true;
    s.group.line = line;
    return false;
  }
  leave_group(s);
  const std::uint32_t before = s.code.at[lowest(g.lanes)];
  s.group = {g.lanes, pes_in(*g.v.counts, g.lanes), g.elapsed, next, 0, line};
  if (few(g.lanes) || equal(g.lanes, s.code.at, before) != g.lanes) {
    for_each(g.lanes, [&](int lane) {
      end_instruction(g.v, s, lane, g.time(lane));
      s.code.at[lane] = next;
    });
    return false;
  }
  Vector time, cycles;
  for (int i = 0; i < kLanes; ++i) {
    time.at[i] = static_cast<std::uint32_t>(g.core.wake[i] + g.elapsed);
    cycles.at[i] = time.at[i] - s.code_since.at[i];
  }
  g.v.counts->code[before] += cycles_of_pes(*g.v.counts, g.lanes, cycles);
  copy(g.lanes, s.code_since.at, time.at);
  fill(g.lanes, s.code.at, next);
  return false;
}

}  // namespace weft::counting
