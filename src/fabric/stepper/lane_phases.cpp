#include "fabric/stepper/lane_phases.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "fabric/build/dry_run.hpp"
#include "fabric/build/phase_marks.hpp"
#include "fabric/build/program_numbers.hpp"
#include "fabric/build/strips.hpp"
#include "fabric/profile/sums.hpp"

namespace weft::fabric {
namespace {

using model::kPhaseRows, model::LaneAddress, model::PhaseSums;

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

void fill(const PhasesState& phases, std::size_t which, int lane, std::size_t pe, PhaseCounts& to) {
  const PhaseSums& sums = phases.sums[which];
  if (!model::has(sums.been, lane)) return;
  to.first[pe] = sums.first[lane];
  to.last[pe] = sums.last[lane];
  for (const CountInfo& info : count_infos()) {
    const int row = model::phase_row(info.count);
    if (row < 0) continue;
    to.counts[static_cast<std::size_t>(info.count)][pe] =
        total(phases, which, static_cast<std::size_t>(row), lane);
  }
  fill_idle(to, pe, total(phases, which, kPhaseRows, lane));
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

std::vector<PhaseCounts> counts_of_phases(const State& s) {
  const PhasesState& phases = s.counts->phases;
  const auto pes = static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height);
  std::vector<PhaseCounts> all;
  all.reserve(phases.names.size());
  for (std::size_t number = 0; number < phases.names.size(); ++number) {
    PhaseCounts& phase = all.emplace_back(empty_phase(phases.names[number], pes));
    std::size_t pe = 0;
    for (int y = 0; y < s.height; ++y)
      for (int x = 0; x < s.width; ++x, ++pe) {
        const LaneAddress at = s.address_of(x, y);
        const std::size_t which = static_cast<std::size_t>(at.strip) * phases.names.size() + number;
        fill(phases, which, at.lane, pe, phase);
      }
  }
  return all;
}

}  // namespace weft::fabric
