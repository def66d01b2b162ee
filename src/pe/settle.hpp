#pragma once

#include "pe/phases.hpp"

/// Between runs.
namespace weft::pe {

/// All is counted up to a cycle, c.cycle, which is the next one of a run.
WEFT_HD void settle_counts(CoreView c) {
  const PeCounts counts = counts_of(c);
  count_held(counts, c.cycle);
  count_state(counts, c.cycle);
  if (c.near().running) count_instruction(counts, c.cycle);
  if (counts.sizes().phase_count == 0) return;
  add_to_phase(counts, c.cycle);
  if (c.near().running) note_last(counts, counts.at(row::phase), c.cycle - 1);
  for_streams(counts, counts.at(row::streams),
              [&](std::uint32_t phase) { note_last(counts, phase, c.cycle - 1); });
}

}  // namespace weft::pe
