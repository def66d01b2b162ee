#include "fabric/stepper/pe_profile.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>

#include "fabric/build/phase_marks.hpp"
#include "fabric/profile/lines.hpp"
#include "fabric/profile/sums.hpp"
#include "pe/build/rules.hpp"
#include "pe/settle.hpp"

namespace weft::fabric {
namespace {

namespace row = pe::row;

/// f(x, y, place among all PEs of the mesh, row by row) for those that are here.
template <class F>
void for_pes_in_rows(const pe::Places& places, F f) {
  for (int y = places.first_row; y < places.end_row; ++y)
    for (int x = 0; x < places.width; ++x) f(x, y, places.in_mesh(x, y));
}

/// A PE's words.
struct PeWords {
  const PeCountsState& counts;
  std::size_t index;  ///< of the PE, as Places::index
  std::uint32_t* own;

  static PeWords of(const PeCountsState& counts, int x, int y) {
    const std::size_t index = counts.places->index(x, y);
    return {counts, index,
            pe::CoreArrays::interleaved(counts.words.data(), index, counts.sizes.words)};
  }
  std::uint32_t& at(std::uint32_t row) const { return own[std::size_t{row} * pe::kPatch]; }
  std::size_t in_folded(std::uint32_t row) const { return index * counts.sizes.windows + row; }
  std::uint64_t total(std::uint32_t row) const {
    return at(row) + (counts.folded.empty() ? 0 : counts.folded[in_folded(row)]);
  }
  std::uint64_t total(Count count) const { return total(static_cast<std::uint32_t>(count)); }
  /// A cycle of a phase.
  std::uint64_t cycle(std::uint32_t row) const {
    return at(row) | std::uint64_t{at(row + 1)} << 32U;
  }
};

std::uint32_t first_of_phase(const PeCountsState& counts, std::size_t phase) {
  return counts.sizes.phases + static_cast<std::uint32_t>(phase) * pe::phase_row::count;
}

/// f(row) for those that are folded.
template <class F>
void for_sums(const PeCountsState& counts, F f) {
  for (std::uint32_t n = 0; n < kCounts; ++n) f(n);
  for (std::uint32_t n = row::colors; n < counts.sizes.phases; ++n) f(n);
  for (std::size_t phase = 0; phase < counts.phases.size(); ++phase)
    for (std::uint32_t n = 0; n <= pe::phase_row::cycles; ++n) f(first_of_phase(counts, phase) + n);
}

void settle(const PeCountsState& counts, const PeAt& at) {
  for_pes_in_rows(*counts.places, [&](int x, int y, std::size_t) { pe::settle_counts(at(x, y)); });
}

void add_marks(PeCountsState& counts, const Layout& layout, const PePrograms& programs) {
  if (!has_phases(layout)) return;
  counts.first_mark.resize(counts.places->all_pes());
  std::map<const Program*, std::uint32_t> first;
  for (const Layout::Placement& placement : layout.placements()) {
    const auto [known, is_new] =
        first.try_emplace(placement.program.get(), static_cast<std::uint32_t>(counts.marks.size()));
    if (is_new) append_marks(*placement.program, counts.phases, counts.marks);
    const Rect& where = placement.where;
    const int end = std::min(where.y + where.height, counts.places->end_row);
    for (int y = std::max(where.y, counts.places->first_row); y < end; ++y)
      for (int x = where.x; x < where.x + where.width; ++x) {
        const std::uint16_t number = programs.of[counts.places->in_mesh(x, y)];
        counts.first_mark[counts.places->index(x, y)] =
            known->second - static_cast<std::uint32_t>(programs.tables[number].first);
      }
  }
}

pe::CountSizes sizes_of(const PeCountsState& counts, std::size_t colors, std::size_t windows) {
  std::size_t most = 0;
  for (const ProgramCounts& program : counts.programs) most = std::max(most, program.code.size());
  pe::CountSizes sizes{};
  sizes.instructions = row::colors + static_cast<std::uint32_t>(colors) * row::kOfColor;
  sizes.phases = sizes.instructions + static_cast<std::uint32_t>(most);
  sizes.phase_count = static_cast<std::uint32_t>(counts.phases.size());
  sizes.windows = first_of_phase({.sizes = sizes}, counts.phases.size());
  sizes.windows_of_a_series = static_cast<std::uint32_t>(windows);
  sizes.words = sizes.windows + model::kSeries * sizes.windows_of_a_series;
  return sizes;
}

void fill_totals(const PeCountsState& counts, Profile& p) {
  for (auto& total : p.totals) total.resize(counts.program_of.size());
  p.colors.reserve(counts.colors.size());
  for (const auto& [color, number] : counts.colors) {
    ColorCounts& its = p.colors.emplace_back();
    its.color = color;
    for (auto& each : its.wavelets) each.resize(counts.program_of.size());
    its.held.resize(counts.program_of.size());
  }
  for_pes_in_rows(*counts.places, [&](int x, int y, std::size_t place) {
    const PeWords words = PeWords::of(counts, x, y);
    for (std::size_t count = 0; count < kCounts; ++count)
      p.totals[count][place] = words.total(static_cast<Count>(count));
    for (std::size_t n = 0; n < p.colors.size(); ++n) {
      const std::uint32_t first =
          row::colors + static_cast<std::uint32_t>(counts.colors[n].second) * row::kOfColor;
      for (std::uint32_t port = 0; port < kPorts; ++port)
        p.colors[n].wavelets[port][place] = words.total(first + port);
      p.colors[n].held[place] = words.total(first + kPorts);
    }
  });
  fill_idle(p);
}

/// A PE that has been silent since has shorter windows than others.
void fill_windows(const PeCountsState& counts, Profile& p) {
  const std::uint32_t windows = counts.sizes.windows_of_a_series;
  if (windows == 0) return;
  begin_windows(p, windows);
  const auto bits = static_cast<std::uint32_t>(std::countr_zero(p.window_cycles));
  const std::size_t pes = counts.program_of.size();
  std::vector<std::uint32_t> all(static_cast<std::size_t>(p.windows) * pes);
  for (std::uint32_t series = 0; series < model::kSeries; ++series) {
    std::ranges::fill(all, 0U);
    for_pes_in_rows(*counts.places, [&](int x, int y, std::size_t place) {
      const PeWords words = PeWords::of(counts, x, y);
      const std::uint32_t shift = bits - words.at(row::window_bits);
      for (std::uint32_t window = 0; window < windows; ++window) {
        const std::size_t into = window >> shift;
        if (into >= static_cast<std::size_t>(p.windows)) break;
        all[into * pes + place] += words.at(counts.sizes.windows + series * windows + window);
      }
    });
    p.windowed[index_of(model::kCountOf[series])].append(all);
  }
}

std::vector<ProgramCounts> programs_of(const PeCountsState& counts) {
  std::vector<ProgramCounts> programs = counts.programs;
  for_pes_in_rows(*counts.places, [&](int x, int y, std::size_t place) {
    const std::uint16_t number = counts.program_of[place];
    if (number == pe::kNoProgram) return;
    const PeWords words = PeWords::of(counts, x, y);
    std::vector<std::uint64_t> cycles(programs[number].code.size());
    for (std::size_t n = 0; n < cycles.size(); ++n)
      cycles[n] = words.total(counts.sizes.instructions + static_cast<std::uint32_t>(n));
    add_cycles(programs[number], cycles, x, y);
  });
  return programs;
}

std::vector<PhaseCounts> counts_of_phases(const PeCountsState& counts) {
  std::vector<PhaseCounts> all;
  all.reserve(counts.phases.size());
  for (std::size_t number = 0; number < counts.phases.size(); ++number) {
    PhaseCounts& phase =
        all.emplace_back(empty_phase(counts.phases[number], counts.program_of.size()));
    const std::uint32_t first = first_of_phase(counts, number);
    for_pes_in_rows(*counts.places, [&](int x, int y, std::size_t place) {
      const PeWords words = PeWords::of(counts, x, y);
      if (words.at(first + pe::phase_row::been) == 0) return;
      phase.first[place] = words.cycle(first + pe::phase_row::first);
      phase.last[place] = words.cycle(first + pe::phase_row::last);
      for (std::size_t count = 0; count < kCounts; ++count)
        if (const int n = model::kPhaseRowOf[count]; n >= 0)
          phase.counts[count][place] = words.total(first + static_cast<std::uint32_t>(n));
      fill_idle(phase, place, words.total(first + pe::phase_row::cycles));
    });
  }
  return all;
}

}  // namespace

pe::CountArrays PeCountsState::arrays() {
  return {words.data(), marks.data(), first_mark.empty() ? nullptr : first_mark.data(), sizes};
}

PeCountsState make_pe_counts(const Layout& layout, const PePrograms& programs,
                             const pe::Places& places, const Observation& asked) {
  PeCountsState counts;
  counts.places = &places;
  counts.program_of = programs.of;
  counts.programs = lines_of_programs(layout, programs.tables.size());
  add_marks(counts, layout, programs);
  std::uint32_t routed = 0;
  for (const Layout::Routing& r : layout.routings()) routed |= 1U << r.color;
  const std::vector<int> numbered = pe::numbered_colors(layout);
  for (std::size_t n = 0; n < numbered.size(); ++n)
    if ((routed >> numbered[n] & 1U) != 0)
      counts.colors.emplace_back(numbered[n], static_cast<int>(n));
  std::ranges::sort(counts.colors);
  counts.sizes = sizes_of(counts, numbered.size(), static_cast<std::size_t>(asked.windows));
  counts.words =
      base::ZeroedArray<std::uint32_t>(places.all_pes() * std::size_t{counts.sizes.words});
  return counts;
}

void fold(PeCountsState& counts, const PeAt& at) {
  settle(counts, at);
  counts.folded.resize(counts.places->all_pes() * std::size_t{counts.sizes.windows});
  for_pes_in_rows(*counts.places, [&](int x, int y, std::size_t) {
    const PeWords words = PeWords::of(counts, x, y);
    for_sums(counts, [&](std::uint32_t n) {
      counts.folded[words.in_folded(n)] += words.at(n);
      words.at(n) = 0;
    });
    for (std::uint32_t n = 0; n < model::kPhaseRows; ++n) words.at(row::base + n) = 0;
  });
}

Profile profile_of(PeCountsState& counts, const PeAt& at, std::uint64_t cycle) {
  settle(counts, at);
  Profile profile{.width = counts.places->width, .height = counts.places->height, .cycles = cycle};
  fill_totals(counts, profile);
  fill_windows(counts, profile);
  profile.programs = programs_of(counts);
  profile.phases = counts_of_phases(counts);
  return profile;
}

std::vector<PhaseCounts> phases_of(PeCountsState& counts, const PeAt& at) {
  settle(counts, at);
  return counts_of_phases(counts);
}

}  // namespace weft::fabric
