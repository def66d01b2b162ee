#include "fabric/profile/phases.hpp"

#include <algorithm>

namespace weft::fabric {

void order_phases(std::vector<PhaseCounts>& phases) {
  std::ranges::stable_sort(phases, {},
                           [](const PhaseCounts& phase) { return std::ranges::min(phase.first); });
}

std::uint64_t cycles_in(const PhaseCounts& phase, std::size_t pe) {
  if (phase.first[pe] == PhaseCounts::kNever) return 0;
  std::uint64_t cycles = 0;
  for (const Count state :
       {Count::computing, Count::moving, Count::waits_data, Count::waits_room, Count::idle})
    cycles += phase.counts[static_cast<std::size_t>(state)][pe];
  return std::min(cycles, phase.last[pe] - phase.first[pe] + 1);
}

std::vector<RunPhase> phases_of(std::vector<PhaseCounts> phases) {
  order_phases(phases);
  std::size_t last = 0;
  std::uint64_t cycle = 0;
  for (const PhaseCounts& phase : phases)
    for (std::size_t pe = 0; pe < phase.last.size(); ++pe)
      if (phase.last[pe] > cycle) {
        cycle = phase.last[pe];
        last = pe;
      }
  std::vector<RunPhase> all;
  all.reserve(phases.size());
  for (const PhaseCounts& phase : phases)
    all.push_back({phase.name, false, cycles_in(phase, last)});
  return all;
}

}  // namespace weft::fabric
