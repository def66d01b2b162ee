#pragma once

#include "pe/counts.hpp"

/// Phases of programs. What a PE has counted goes to its phase when it leaves it.
namespace weft::pe {

/// A task of this phase, or a stream that it started, was there in this cycle.
WEFT_HD void note_last(PeCounts c, std::uint32_t phase, std::uint64_t cycle) {
  if (phase == 0) return;
  const std::uint64_t before = c.in_phase(phase, phase_row::last) |
                               std::uint64_t{c.in_phase(phase, phase_row::last + 1)} << 32U;
  if (before >= cycle) return;
  c.in_phase(phase, phase_row::last) = static_cast<std::uint32_t>(cycle);
  c.in_phase(phase, phase_row::last + 1) = static_cast<std::uint32_t>(cycle >> 32U);
}

/// What was counted up to a cycle, but not yet of a phase, is of the present one. Of what lasts all
/// is counted up to it.
WEFT_HD_RARE void add_to_phase(PeCounts c, std::uint64_t cycle) {
  const std::uint32_t phase = c.at(row::phase);
  const auto add = [&](std::uint32_t total, std::uint32_t n) {
    std::uint32_t& base = c.at(row::base + n);
    if (phase != 0) c.in_phase(phase, n) += total - base;
    base = total;
  };
#define WEFT_COUNT(name, ...)                       \
  if constexpr (model::phase_row(Count::name) >= 0) \
    add(c.total(Count::name), static_cast<std::uint32_t>(model::phase_row(Count::name)));
#include "weft/counts.def"
#undef WEFT_COUNT
  std::uint32_t& since = c.at(row::phase_since);
  if (phase != 0) c.in_phase(phase, phase_row::cycles) += static_cast<std::uint32_t>(cycle) - since;
  since = static_cast<std::uint32_t>(cycle);
}

/// The PE comes to another phase, in step 3 of a cycle: what is held in the cycle is of the old
/// one. `in_task`: the core was in a task in the cycle before.
WEFT_HD_RARE void enter_phase(PeCounts c, std::uint32_t phase, std::uint64_t cycle, bool in_task) {
  if (in_task) note_last(c, c.at(row::phase), cycle - 1);
  count_held(c, cycle + 1);
  count_state(c, cycle);
  add_to_phase(c, cycle);
  c.at(row::phase) = phase;
  if (phase == 0) return;
  note_last(c, phase, cycle);
  if (c.in_phase(phase, phase_row::been) != 0) return;
  c.in_phase(phase, phase_row::been) = 1;
  c.in_phase(phase, phase_row::first) = static_cast<std::uint32_t>(cycle);
  c.in_phase(phase, phase_row::first + 1) = static_cast<std::uint32_t>(cycle >> 32U);
}

/// The phase of an instruction, by its number over all programs, or kSharedPhase.
WEFT_HD std::uint32_t phase_of(PeCounts c, std::uint32_t pc) {
  return c.sizes().phase_count == 0 ? model::kSharedPhase
                                    : c.all->marks[c.all->first_mark[c.n] + pc];
}

/// A task begins with the instruction in this cycle, or the core issues it.
WEFT_HD void come_to_phase(PeCounts c, std::uint32_t pc, std::uint64_t cycle, bool in_task) {
  const std::uint32_t phase = phase_of(c, pc);
  if (phase != model::kSharedPhase && phase != c.at(row::phase))
    enter_phase(c, phase, cycle, in_task);
}

/// The instruction has another phase than the PE, which comes to it in time.
WEFT_HD bool leaves_phase(PeCounts c, std::uint32_t pc) {
  const std::uint32_t phase = phase_of(c, pc);
  return phase != model::kSharedPhase && phase != c.at(row::phase);
}

/// f(phase) of each of some microthreads.
template <class F>
WEFT_HD void for_streams(PeCounts c, std::uint32_t some, F f) {
  for (; some != 0; some &= some - 1U)
    f(c.at(row::stream_phase + static_cast<std::uint32_t>(lowest(some))));
}

/// Step 3.1 has ended; these microthreads are there.
WEFT_HD void end_streams(PeCounts c, std::uint32_t live, std::uint64_t cycle) {
  if (c.sizes().phase_count == 0) return;
  std::uint32_t& known = c.at(row::streams);
  for_streams(c, known & ~live, [&](std::uint32_t phase) { note_last(c, phase, cycle); });
  known &= live;
}

/// Those that an instruction has started are of the phase that the PE is in.
WEFT_HD void note_streams(PeCounts c, std::uint32_t live) {
  if (c.sizes().phase_count == 0) return;
  const std::uint32_t phase = c.at(row::phase);
  for_streams(c, live & ~c.at(row::streams), [&](std::uint32_t& its) { its = phase; });
  c.at(row::streams) = live;
}

}  // namespace weft::pe
