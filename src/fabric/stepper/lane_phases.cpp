#include "fabric/stepper/lane_phases.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/in_parallel.hpp"
#include "fabric/build/dry_run.hpp"
#include "fabric/build/phase_marks.hpp"
#include "fabric/build/program_numbers.hpp"
#include "fabric/build/strips.hpp"

namespace weft::fabric {
namespace {

using model::kPhaseRows, model::PhaseSums;

/// Numbers by lane of one phase of a strip: its counts, and the cycles in it.
constexpr std::size_t kPhaseNumbers = (std::size_t{kPhaseRows} + 1) * model::kLanes;

/// By instruction of a program that the fabric has once: those of another one that is equal but for
/// its phases.
void note_marks(std::span<const std::uint32_t> marks,
                std::span<std::optional<std::uint32_t>> of_code) {
  for (std::size_t n = 0; n < marks.size(); ++n)
    of_code[n] = of_code[n].value_or(marks[n]) == marks[n] ? marks[n] : kSeveral;
}

/// A row of a phase of a strip, the cycles in it being the last one, and its number in `folded`.
std::uint64_t total(const PhasesState& phases, std::size_t which, std::size_t row, int lane) {
  const PhaseSums& sums = phases.sums[which];
  const std::size_t at =
      which * kPhaseNumbers + row * model::kLanes + static_cast<std::size_t>(lane);
  return (row < kPhaseRows ? sums.count[row] : sums.cycles).at[lane] +
         (phases.folded.empty() ? 0 : phases.folded[at]);
}

/// Of PEs of a strip that have been in the phase.
void fill(const PhasesState& phases, std::size_t which, const std::vector<PlacedLane>& lanes,
          PhaseCounts& to) {
  const PhaseSums& sums = phases.sums[which];
  std::vector<PlacedLane> been;
  been.reserve(lanes.size());
  for (const PlacedLane& at : lanes)
    if (model::has(sums.been, static_cast<int>(at.lane))) been.push_back(at);
  if (been.empty()) return;
  for (const CountInfo& info : count_infos()) {
    const int row = model::phase_row(info.count);
    std::vector<std::uint64_t>& counts = to.counts[static_cast<std::size_t>(info.count)];
    if (row < 0 || counts.empty()) continue;
    for (const PlacedLane& at : been)
      counts[at.place] =
          total(phases, which, static_cast<std::size_t>(row), static_cast<int>(at.lane));
  }
  for (const PlacedLane& at : been) {
    to.first[at.place] = sums.first[at.lane];
    to.last[at.place] = sums.last[at.lane];
    fill_idle(to, at.place, total(phases, which, kPhaseRows, static_cast<int>(at.lane)));
  }
}

}  // namespace

void start_phases(State& s, const Layout& layout) {
  if (!has_phases(layout)) return;
  PhasesState& phases = s.counts->phases;
  phases.strip = base::ZeroedArray<model::StripPhases>(s.strip_count());
  std::map<const Program*, std::uint32_t> rows;  // the first one of each
  std::vector<std::optional<std::uint32_t>> of_code(s.code.size());
  const std::vector<std::uint16_t> numbers = program_numbers(layout);
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    const Layout::Placement& placement = layout.placements()[n];
    const auto [row, is_new] =
        rows.try_emplace(placement.program.get(), static_cast<std::uint32_t>(phases.mark.size()));
    if (is_new) {
      append_marks(*placement.program, phases.names, phases.mark);
      const auto first = static_cast<std::size_t>(s.programs[numbers[n]].first);
      note_marks(std::span(phases.mark).subspan(row->second), std::span(of_code).subspan(first));
    }
    for_strips(s, placement.where, [&](std::size_t strip, model::Mask lanes) {
      for (; lanes != 0; lanes &= lanes - 1) {
        const int lane = model::lowest(lanes);
        const model::TaskTable& program = s.programs[s.core[strip].program[lane]];
        phases.strip[strip].marks.at[lane] =
            row->second - static_cast<std::uint32_t>(program.first);
      }
    });
  }
  if (s.fast.dry_run) {  // PEs come to phases in time
    std::vector<std::uint32_t> marks;
    marks.reserve(of_code.size());
    for (const std::optional<std::uint32_t>& mark : of_code) marks.push_back(mark.value_or(0));
    s.private_cycles = dry_run(s, marks);
  }
  phases.sums = base::ZeroedArray<PhaseSums>(s.strip_count() * phases.names.size());
  s.counts->view.phases = {.mark = phases.mark.data(),
                           .strip = phases.strip.data(),
                           .sums = phases.sums.data(),
                           .phases = static_cast<std::uint32_t>(phases.names.size())};
}

void fold_phases(CountsState& counts) {
  PhasesState& phases = counts.phases;
  phases.folded.resize(phases.sums.size() * kPhaseNumbers);
  for (std::size_t which = 0; which < phases.sums.size(); ++which) {
    PhaseSums& sums = phases.sums[which];
    if (sums.been == 0) continue;
    for (std::size_t row = 0; row <= kPhaseRows; ++row) {
      model::Vector& from = row < kPhaseRows ? sums.count[row] : sums.cycles;
      for (std::size_t lane = 0; lane < model::kLanes; ++lane) {
        phases.folded[which * kPhaseNumbers + row * model::kLanes + lane] += from.at[lane];
        from.at[lane] = 0;
      }
    }
  }
  for (std::size_t strip = 0; strip < phases.strip.size(); ++strip)
    for (model::Vector& base : phases.strip[strip].base) base = {};
}

std::vector<PhaseCounts> counts_of_phases(const State& s,
                                          const std::vector<std::vector<PlacedLane>>& lanes,
                                          int threads, OfPhase kept) {
  const PhasesState& phases = s.counts->phases;
  const auto pes = static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height);
  std::vector<PhaseCounts> all(phases.names.size());
  base::in_parallel(threads, all.size(), [&](std::size_t number) {
    all[number] = empty_phase(phases.names[number], pes, kept);
    for (std::size_t strip = 0; strip < lanes.size(); ++strip)
      fill(phases, strip * all.size() + number, lanes[strip], all[number]);
  });
  return all;
}

}  // namespace weft::fabric
