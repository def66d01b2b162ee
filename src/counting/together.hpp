#pragma once

#include "counting/instructions.hpp"
#include "counting/lines.hpp"
#include "counting/phases.hpp"

/// Lanes of lines mostly take a task together and go through it together, each at its own time:
/// then the cycles of a group's instructions are counted once for all of them.
namespace weft::counting {

/// Each lane has its own line and instruction from now on.
[[gnu::noinline]] WEFT_OWN void part(StripCounts& s) {
  TogetherCounts& t = s.together;
  if (!t.are) return;
  t.are = false;
  fill(kAllLanes, s.line.at, t.line);
  fill(kAllLanes, s.code.at, t.code);
  for (int i = 0; i < kLanes; ++i) {
    s.line_since.at[i] = t.base.at[i] + t.line_after;
    s.code_since.at[i] = t.base.at[i] + t.code_after;
  }
}

/// These are all lanes, of one program and in the same phase.
static WEFT_INLINE bool alike(const View& v, int strip, Mask lanes) {
  const StripCounts& s = v.counts->strip[strip];
  const int lead = lowest(lanes);
  if (lanes != v.counts->all_lanes) return false;
  if (equal(lanes, s.first_code.at, s.first_code.at[lead]) != lanes) return false;
  if (!has_phases(v)) return true;
  const StripPhases& p = v.counts->phases.strip[strip];
  return equal(lanes, p.marks.at, p.marks.at[lead]) == lanes &&
         equal(lanes, p.phase.at, p.phase.at[lead]) == lanes;
}

/// Lanes, of one program, take a task. Returns whether these are all, so that they are together.
static WEFT_INLINE bool begin_together(const View& v, int strip, Mask lanes, std::uint32_t pc,
                                       std::uint64_t now) {
  StripCounts& s = v.counts->strip[strip];
  if (!alike(v, strip, lanes)) {
    part(s);
    return false;
  }
  TogetherCounts& t = s.together;
  t.are = true;
  t.line = line_at(v, s, lowest(lanes), pc);
  t.code = code_at(s, lowest(lanes), pc);
  t.line_after = t.code_after = 0;
  fill(kAllLanes, t.base.at, static_cast<std::uint32_t>(now));
  return true;
}

/// The present instruction and line had the cycles up to so many after each lane's base.
WEFT_INLINE void end_instruction_together(const View& v, TogetherCounts& t, std::uint32_t end) {
  v.counts->code[t.code] += v.counts->line_count * (end - t.code_after);
  t.code_after = end;
}
WEFT_INLINE void end_line_together(const View& v, TogetherCounts& t, std::uint32_t end) {
  v.counts->lines_together[t.line] += end - t.line_after;
  t.line_after = end;
}

/// A group of all lanes begins to execute: the cycles since their bases are counted, and each
/// lane's base is its present cycle.
static WEFT_INLINE void begin_group_together(const Group& g) {
  const Counts& c = *g.v.counts;
  TogetherCounts& t = g.v.counts->strip[g.at.index].together;
  Vector cycles;
  std::uint32_t differ = 0;
  const int lead = lowest(g.lanes);
  const std::uint32_t first = static_cast<std::uint32_t>(g.core.wake[lead]) - t.base.at[lead];
  for (int i = 0; i < kLanes; ++i) {
    const auto time = static_cast<std::uint32_t>(g.core.wake[i]);
    cycles.at[i] = time - t.base.at[i];
    t.base.at[i] = time;
  }
  Vector other;
  fill(kAllLanes, other.at, first);
  copy(g.lanes, other.at, cycles.at);
  for (int i = 0; i < kLanes; ++i) differ |= other.at[i] ^ first;
  if (differ == 0) {
    c.code[t.code] += c.line_count * (first - t.code_after);
    c.lines_together[t.line] += first - t.line_after;
  } else {
    std::uint32_t* const of_line = c.lines[t.line].at;
    for (int i = 0; i < kLanes; ++i) of_line[i] += cycles.at[i] - t.line_after;
    for (std::uint32_t& each : cycles.at) each -= t.code_after;
    c.code[t.code] += cycles_of_pes(c, g.lanes, cycles);
  }
  t.line_after = t.code_after = 0;
}

/// A group has issued its first instruction, and each of its lanes is counted: they are together
/// from now on, if they may be.
static WEFT_INLINE void join_again(const Group& g) {
  StripCounts& s = g.v.counts->strip[g.at.index];
  if (g.elapsed != 0 || !alike(g.v, g.at.index, g.lanes)) return;
  TogetherCounts& t = s.together;
  const int lead = lowest(g.lanes);
  std::uint32_t* const cycles = g.v.counts->lines[s.line.at[lead]].at;
  for (int i = 0; i < kLanes; ++i) {
    t.base.at[i] = static_cast<std::uint32_t>(g.core.wake[i]);
    cycles[i] += t.base.at[i] - s.line_since.at[i];
  }
  s.group.lanes = 0;
  t.are = true;
  t.line = s.line.at[lead];
  t.code = s.code.at[lead];
  t.line_after = t.code_after = 0;
}

/// A group that issues an instruction has all lanes, which are together: then it is counted. It
/// stays in its phase, or comes to the next one in time.
static WEFT_INLINE bool come_together(const Group& g) {
  StripCounts& s = g.v.counts->strip[g.at.index];
  TogetherCounts& t = s.together;
  if (!t.are) return false;
  const int lead = lowest(g.lanes);
  if (g.lanes != g.v.counts->all_lanes) {
    part(s);
    return false;
  }
  if (has_phases(g.v)) {
    const StripPhases& p = g.v.counts->phases.strip[g.at.index];
    const std::uint32_t phase = g.v.counts->phases.mark[p.marks.at[lead] + g.pc];
    if (phase != Phases::kShared && phase != p.phase.at[lead]) {
      part(s);
      return false;
    }
  }
  if (g.elapsed == 0) begin_group_together(g);
  const auto after = static_cast<std::uint32_t>(g.elapsed);
  end_instruction_together(g.v, t, after);
  t.code = code_at(s, lead, g.pc);
  const std::uint32_t line = line_at(g.v, s, lead, g.pc);
  if (line != t.line) {
    end_line_together(g.v, t, after);
    t.line = line;
  }
  return true;
}

/// Such a group's task ends.
static WEFT_INLINE void end_together(const Group& g) {
  StripCounts& s = g.v.counts->strip[g.at.index];
  const auto after = static_cast<std::uint32_t>(g.elapsed) + 1;
  if (has_phases(g.v)) note_last_of_tasks(g);
  end_instruction_together(g.v, s.together, after);
  end_line_together(g.v, s.together, after);
  s.together.are = false;
  for (int i = 0; i < kLanes; ++i) {
    const std::uint64_t end = g.core.wake[i] + g.elapsed + 1;
    s.until[i] = end < s.until[i] ? end : s.until[i];
  }
  s.in_task &= ~g.lanes;
}

}  // namespace weft::counting
