#pragma once

#include "counting/instructions.hpp"
#include "counting/lines.hpp"
#include "counting/phases.hpp"

/// Lanes of lines mostly take a task together and go through it at the same time: then its cycles
/// are counted once for all of them.
namespace weft::counting {

/// Each lane has its own line and instruction from now on.
[[gnu::noinline]] WEFT_OWN void part(StripCounts& s) {
  if (!s.together.are) return;
  s.together.are = false;
  fill(kAllLanes, s.line.at, s.together.line);
  fill(kAllLanes, s.line_since.at, s.together.line_since);
  fill(kAllLanes, s.code.at, s.together.code);
  fill(kAllLanes, s.code_since.at, s.together.code_since);
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
  const auto cycle = static_cast<std::uint32_t>(now);
  s.together = {.are = true,
                .in_time = false,
                .line = line_at(v, s, lowest(lanes), pc),
                .line_since = cycle,
                .code = code_at(s, lowest(lanes), pc),
                .code_since = cycle};
  return true;
}

/// The present instruction and line had the cycles up to `end` in all lanes.
WEFT_INLINE void end_instruction_together(const View& v, TogetherCounts& t, std::uint64_t lanes,
                                          std::uint32_t end) {
  v.counts->code[t.code] += lanes * (end - t.code_since);
  t.code_since = end;
}
WEFT_INLINE void end_line_together(const View& v, TogetherCounts& t, std::uint32_t end) {
  v.counts->lines_together[t.line] += end - t.line_since;
  t.line_since = end;
}

WEFT_INLINE bool at_one_time(const Group& g) {
  const std::uint64_t time = g.core.wake[lowest(g.lanes)];
  return due(g.lanes, g.core.wake, time) == g.lanes && least(g.lanes, g.core.wake) == time;
}

/// A group has issued an instruction, and each of its lanes is counted: they are together from now
/// on, if they may be.
static WEFT_INLINE void join_again(const Group& g) {
  StripCounts& s = g.v.counts->strip[g.at.index];
  if (g.elapsed != 0 || !alike(g.v, g.at.index, g.lanes) || !at_one_time(g)) return;
  const int lead = lowest(g.lanes);
  const auto time = static_cast<std::uint32_t>(g.time(lead));
  std::uint32_t* const cycles = g.v.counts->lines[s.line.at[lead]].at;
  for (int i = 0; i < kLanes; ++i) cycles[i] += has(g.lanes, i) ? time - s.line_since.at[i] : 0;
  s.together = {.are = true,
                .in_time = true,
                .line = s.line.at[lead],
                .line_since = time,
                .code = s.code.at[lead],
                .code_since = time};
}

/// A group that issues an instruction has all lanes, which are together, and at one time; then it
/// is counted. It stays in its phase, or comes to the next one in time.
static WEFT_INLINE bool come_together(const Group& g) {
  StripCounts& s = g.v.counts->strip[g.at.index];
  TogetherCounts& t = s.together;
  if (!t.are) return false;
  const int lead = lowest(g.lanes);
  if (g.elapsed == 0) t.in_time = g.lanes == g.v.counts->all_lanes && at_one_time(g);
  if (!t.in_time || g.lanes != g.v.counts->all_lanes) {
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
  const auto time = static_cast<std::uint32_t>(g.time(lead));
  end_instruction_together(g.v, t, static_cast<std::uint64_t>(model::count(g.lanes)), time);
  t.code = code_at(s, lead, g.pc);
  const std::uint32_t line = line_at(g.v, s, lead, g.pc);
  if (line != t.line) {
    end_line_together(g.v, t, time);
    t.line = line;
  }
  return true;
}

/// Such a group's task ends.
static WEFT_INLINE void end_together(const Group& g) {
  StripCounts& s = g.v.counts->strip[g.at.index];
  const std::uint64_t end = g.time(lowest(g.lanes)) + 1;
  const auto cycle = static_cast<std::uint32_t>(end);
  if (has_phases(g.v)) note_last(g.v, g.at.index, g.lanes, end - 1);
  end_instruction_together(g.v, s.together, static_cast<std::uint64_t>(model::count(g.lanes)),
                           cycle);
  end_line_together(g.v, s.together, cycle);
  s.together.are = false;
  for (int i = 0; i < kLanes; ++i) s.until[i] = end < s.until[i] ? end : s.until[i];
  s.in_task &= ~g.lanes;
}

}  // namespace weft::counting
