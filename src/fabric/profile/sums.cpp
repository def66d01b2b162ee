#include "fabric/profile/sums.hpp"

namespace weft::fabric {
namespace {

/// The other states of a core.
constexpr Count kBusy[] = {Count::computing, Count::moving, Count::waits_data, Count::waits_room};

}  // namespace

void fill_idle(Profile& p) {
  std::vector<std::uint64_t>& idle = p.totals[index_of(Count::idle)];
  for (std::size_t pe = 0; pe < idle.size(); ++pe) {
    idle[pe] = p.cycles;
    for (const Count state : kBusy) idle[pe] -= p.totals[index_of(state)][pe];
  }
}

void fill_idle(PhaseCounts& phase, std::size_t pe, std::uint64_t cycles) {
  for (const Count state : kBusy) cycles -= phase.counts[index_of(state)][pe];
  phase.counts[index_of(Count::idle)][pe] = cycles;
}

PhaseCounts empty_phase(const std::string& name, std::size_t pes, OfPhase kept) {
  PhaseCounts phase;
  phase.name = name;
  phase.first.assign(pes, PhaseCounts::kNever);
  phase.last.assign(pes, 0);
  const auto keep = [&](Count count) { phase.counts[index_of(count)].resize(pes); };
  for (const Count state : kBusy) keep(state);
  keep(Count::idle);
  for (const CountInfo& info : count_infos())
    if (kept == OfPhase::all && is_by_phase(info)) keep(info.count);
  return phase;
}

void begin_windows(Profile& p, std::size_t windows) {
  if (windows == 0) return;
  p.window_cycles = 1;
  while (p.window_cycles * windows < p.cycles) p.window_cycles *= 2;
  p.windows = static_cast<int>((p.cycles + p.window_cycles - 1) / p.window_cycles);
}

}  // namespace weft::fabric
