#pragma once

#include "counting/computing.hpp"
#include "model/core/group.hpp"

/// Phases of programs. A lane's counts are added to its phase when it leaves it.
namespace weft::counting {

WEFT_INLINE bool has_phases(const View& v) { return v.counts->phases.mark != nullptr; }

WEFT_INLINE PhaseSums& sums_of(const View& v, int strip, std::uint32_t phase) {
  const Phases& all = v.counts->phases;
  return all.sums[static_cast<std::size_t>(strip) * all.phases + phase - 1];
}

/// A task of this phase, or a stream that it started, was there in this cycle.
WEFT_INLINE void note_last(const View& v, int strip, int lane, std::uint32_t phase,
                           std::uint64_t cycle) {
  if (phase == 0) return;
  std::uint64_t& last = sums_of(v, strip, phase).last[lane];
  if (last < cycle) last = cycle;
}

/// The same of lanes, each with its phase.
static WEFT_INLINE void note_last(const View& v, int strip, Mask lanes, const Vector& phases,
                                  std::uint64_t cycle) {
  while (lanes != 0) {
    const std::uint32_t phase = phases.at[lowest(lanes)];
    const Mask same = equal(lanes, phases.at, phase);
    lanes &= ~same;
    if (phase != 0) raise(same, sums_of(v, strip, phase).last, cycle);
  }
}

/// A group, whose lanes are in one phase, ends its task.
static WEFT_INLINE void note_last_of_tasks(const Group& g) {
  const std::uint32_t phase = g.v.counts->phases.strip[g.at.index].phase.at[lowest(g.lanes)];
  if (phase == 0) return;
  std::uint64_t* const last = sums_of(g.v, g.at.index, phase).last;
  for (int i = 0; i < kLanes; ++i) {  // lanes without lines are never asked
    const std::uint64_t end = g.core.wake[i] + g.elapsed;
    last[i] = last[i] < end ? end : last[i];
  }
}

/// Beside sums and tallies, what all lanes of lines have counted at once.
static WEFT_INLINE void add_alike(const View& v, int strip, Vector (&total)[kPhaseRows]) {
  const auto add = [&](Count count, std::uint32_t n) WEFT_INLINED {
    std::uint32_t* const to = total[phase_row(count)].at;
    for (int i = 0; i < kLanes; ++i) to[i] += n;
  };
  const StripCounts& s = v.counts->strip[strip];
  for (std::size_t count = 0; count < kCounts; ++count)
    if (const auto what = static_cast<Count>(count);
        phase_row(what) >= 0 && what != Count::delivered)
      add(what, s.all[count]);
  for (std::uint32_t rest = v.strip[strip].colors; rest != 0; rest &= rest - 1)
    add(Count::delivered, v.counts->tallies[v.strip[strip].color_state[lowest(rest)]]
                              .all_left[static_cast<int>(Port::ramp)]);
  v.counts->add_passed(v, strip, total);
}

/// All that the lanes of a strip have counted so far, by phase_row.
template <class L>
[[gnu::noinline]] void find_totals(const View& v, int strip, Vector (&total)[kPhaseRows]) {
  const StripCounts& s = v.counts->strip[strip];
  const auto add = [&](Count count, const Tally& tally, const Vector& sum) {
    std::uint32_t* const to = total[phase_row(count)].at;
    for (int i = 0; i < kLanes; ++i) to[i] += sum.at[i];
    add_numbers(tally, to);
  };
  for (Vector& each : total)
    for (std::uint32_t& number : each.at) number = 0;
  for (std::size_t count = 0; count < kCounts; ++count)
    if (kPhaseRowOf[count] >= 0) add(static_cast<Count>(count), s.tally[count], s.sum[count]);
  for (std::uint32_t rest = v.strip[strip].colors; rest != 0; rest &= rest - 1) {
    const std::int32_t color = v.strip[strip].color_state[lowest(rest)];
    const ColorTally& tallies = v.counts->tallies[color];
    const ColorSums& sums = v.counts->sums[color];
    for (int port = 0; port < kPorts; ++port) {
      const auto link = static_cast<Port>(port);
      add(link == Port::ramp ? Count::delivered : count_of(link), tallies.left[port],
          sums.left[port]);
    }
    add(Count::held, tallies.held, sums.held);
  }
  if constexpr (kByLine<L>) add_alike(v, strip, total);
}

/// What lanes have counted up to a cycle goes to the phases that they are in.
template <class L>
[[gnu::noinline]] void add_to_phases(const View& v, int strip, Mask lanes, std::uint64_t now) {
  StripPhases& p = v.counts->phases.strip[strip];
  settle_computing<L>(v, strip, lanes, now);
  Vector total[kPhaseRows];
  find_totals<L>(v, strip, total);
  for (Mask rest = lanes; rest != 0;) {
    const std::uint32_t phase = p.phase.at[lowest(rest)];
    const Mask same = equal(rest, p.phase.at, phase);
    rest &= ~same;
    if (phase == 0) continue;
    PhaseSums& sums = sums_of(v, strip, phase);
    for (int row = 0; row < kPhaseRows; ++row)
      for (int i = 0; i < kLanes; ++i)
        sums.count[row].at[i] += has(same, i) ? total[row].at[i] - p.base[row].at[i] : 0;
    for (int i = 0; i < kLanes; ++i)
      sums.cycles.at[i] += has(same, i) ? static_cast<std::uint32_t>(now) - p.since.at[i] : 0;
  }
  for (int row = 0; row < kPhaseRows; ++row) copy(lanes, p.base[row].at, total[row].at);
  fill(lanes, p.since.at, static_cast<std::uint32_t>(now));
}

/// Lanes come to another phase, in step 3 of a cycle: what was counted before is of the old one.
template <class L>
[[gnu::noinline]] void enter(const View& v, int strip, Mask lanes, std::uint32_t phase,
                             std::uint64_t now) {
  StripPhases& p = v.counts->phases.strip[strip];
  note_last(v, strip, lanes & v.counts->strip[strip].in_task, p.phase, now - 1);
  add_to_phases<L>(v, strip, lanes, now);
  fill(lanes, p.phase.at, phase);
  if (phase == 0) return;
  PhaseSums& its = sums_of(v, strip, phase);
  fill(lanes & ~its.been, its.first, now);
  fill(lanes, its.last, now);
  its.been |= lanes;
}

/// Lanes at the same instruction take a task that begins with it, or issue it.
template <class L>
WEFT_INLINE void come_to_phase(const View& v, int strip, Mask lanes, std::uint32_t pc,
                               std::uint64_t now) {
  if (!has_phases(v)) return;
  const StripPhases& p = v.counts->phases.strip[strip];
  while (lanes != 0) {  // programs may differ in nothing but their phases
    const std::uint32_t marks = p.marks.at[lowest(lanes)];
    const Mask alike = equal(lanes, p.marks.at, marks);
    lanes &= ~alike;
    const std::uint32_t phase = v.counts->phases.mark[marks + pc];
    if (phase == Phases::kShared) continue;
    const Mask others = alike & ~equal(alike, p.phase.at, phase);
    if (others != 0) enter<L>(v, strip, others, phase, now);
  }
}

/// Lanes that come to an instruction before its cycle stay in their phases.
WEFT_INLINE bool stays_in_phase(const View& v, int strip, Mask lanes, std::uint32_t pc) {
  if (!has_phases(v)) return true;
  const StripPhases& p = v.counts->phases.strip[strip];
  const int lead = lowest(lanes);
  const std::uint32_t phase = v.counts->phases.mark[p.marks.at[lead] + pc];
  if (v.counts->strip[strip].together.are)
    return phase == Phases::kShared || phase == p.phase.at[lead];
  if (equal(lanes, p.marks.at, p.marks.at[lead]) != lanes) return false;
  return phase == Phases::kShared || equal(lanes, p.phase.at, phase) == lanes;
}

/// Step 3.1: microthread u had its turn.
static WEFT_INLINE void end_streams(const View& v, int strip, const CoreState& core, int u,
                                    std::uint64_t now) {
  if (!has_phases(v)) return;
  StripPhases& p = v.counts->phases.strip[strip];
  const Mask ended = p.known[u] & ~core.microthread[u].live;
  if (ended != 0) note_last(v, strip, ended, p.of_stream[u], now);
  p.known[u] &= ~ended;
}

/// Step 3 ends: microthreads that it has started are of the phase that the lane is in.
static WEFT_INLINE void note_streams(const View& v, int strip, const CoreState& core) {
  if (!has_phases(v)) return;
  StripPhases& p = v.counts->phases.strip[strip];
  for_each(core.live, [&](int u) {
    const Mask fresh = core.microthread[u].live & ~p.known[u];
    if (fresh == 0) return;
    copy(fresh, p.of_stream[u].at, p.phase.at);
    p.known[u] |= fresh;
  });
}

/// Phases have all that was counted up to a cycle, which is the next one.
template <class L>
WEFT_INLINE void settle_phases(const View& v, int strip, std::uint64_t cycle) {
  if (!has_phases(v)) return;
  const StripCounts& s = v.counts->strip[strip];
  const StripPhases& p = v.counts->phases.strip[strip];
  const Mask in_phases = s.programmed & ~equal(s.programmed, p.phase.at, 0);
  if (in_phases != 0) add_to_phases<L>(v, strip, in_phases, cycle);
  for (int u = 0; u < kMicrothreads; ++u)
    note_last(v, strip, p.known[u], p.of_stream[u], cycle - 1);
}

}  // namespace weft::counting
