#include "fabric/stepper/strip_counts.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "base/pages.hpp"
#include "fabric/stepper/lane_rows.hpp"
#include "model/lanes/loops.hpp"
#include "model/state/counts_state.hpp"

namespace weft::fabric {
namespace {

using model::kLanes, model::kSeries;

/// f(cycles of its instructions) for each program of a strip.
template <class F>
void for_code(const State& s, std::size_t strip, F f) {
  const model::StripCounts& counts = s.counts->strip[strip];
  std::set<std::uint16_t> known;
  model::for_each(counts.programmed, [&](int lane) {
    const std::uint16_t number = s.core[strip].program[lane];
    if (!known.insert(number).second) return;
    const model::TaskTable& program = s.programs[number];
    const auto first = static_cast<std::uint32_t>(program.first);
    f(std::span(s.counts->code.data() + (counts.first_code.at[lane] + first),
                static_cast<std::size_t>(program.last - program.first)));
  });
}

/// f(sums) for the colors of a strip.
template <class F>
void for_colors(const State& s, std::size_t strip, F f) {
  for (const std::int32_t color : s.strip[strip].color_state)
    if (color >= 0) f(s.counts->sums[static_cast<std::size_t>(color)]);
}

/// f(phase) for the phases of a strip, each of which it has.
template <class F>
void for_phases(const State& s, std::size_t strip, F f) {
  const PhasesState& phases = s.counts->phases;
  if (phases.strip.size() == 0) return;
  const std::size_t count = phases.names.size();
  for (std::size_t n = strip * count; n < (strip + 1) * count; ++n) f(phases.sums[n]);
}

std::span<std::uint32_t> lines_of(const State& s, std::size_t strip) {
  const std::uint32_t first = s.counts->first_row[strip], last = s.counts->first_row[strip + 1];
  if (first == last) return {};
  return {s.counts->lines.data()[first].at, std::size_t{last - first} * kLanes};
}

/// f(past windows, the rows of the others) for each series that a strip has counted, by windows of
/// 32 bits or of 16.
template <class F>
void for_series(const State& s, std::size_t strip, F f) {
  CountsState& c = *s.counts;
  const std::size_t numbers = std::size_t{c.view.windows} * kLanes;
  const model::StripCounts& own = c.strip[strip];
  for (std::size_t series = 0; series < kSeries; ++series) {
    if ((own.used >> series & 1U) == 0) continue;
    const std::size_t row = strip * kSeries + series;
    if ((own.wide >> series & 1U) != 0)
      f(c.past[row], std::span(c.wide.data() + row * numbers, numbers));
    else
      f(c.past[row], std::span(c.narrow.data() + row * numbers, numbers));
  }
}

void add_past(const PackedCounts& past, base::Packer& pack) {
  std::vector<std::uint32_t> numbers = past.numbers();
  pack(numbers.size());
  add_rows(std::span(numbers), pack);
}

PackedCounts next_past(base::Unpacker& unpack) {
  std::vector<std::uint32_t> numbers(unpack.next<std::size_t>());
  set_rows(std::span(numbers), unpack);
  return PackedCounts(numbers);
}

/// As another State has it: lines and instructions have other rows there.
void move_rows(const model::StripCounts& here, model::StripCounts& come) {
  for (int lane = 0; lane < kLanes; ++lane) {
    come.line.at[lane] += here.first_line.at[lane] - come.first_line.at[lane];
    come.code.at[lane] += here.first_code.at[lane] - come.first_code.at[lane];
  }
  come.first_line = here.first_line;
  come.first_code = here.first_code;
}

}  // namespace

void add_counts(const State& s, std::size_t strip, base::Packer& pack) {
  if (s.counts == nullptr || !s.in_use(strip)) return;
  const CountsState& c = *s.counts;
  pack(c.strip[strip]);
  for_colors(s, strip, [&](const model::ColorSums& sums) { pack(sums); });
  add_rows(lines_of(s, strip), pack);
  add_past(c.past_lines[strip], pack);
  for_code(s, strip, [&](std::span<std::uint64_t> cycles) { pack.all(cycles); });
  for_series(s, strip, [&](const PackedCounts& past, const auto& rows) {
    add_past(past, pack);
    add_rows(rows, pack);
  });
  if (c.phases.strip.size() != 0) pack(c.phases.strip[strip]);
  for_phases(s, strip, [&](const model::PhaseSums& sums) {
    pack(sums.been != 0);
    if (sums.been != 0) pack(sums);
  });
}

void set_counts(State& s, std::size_t strip, base::Unpacker& unpack) {
  if (s.counts == nullptr || !s.in_use(strip)) return;
  CountsState& c = *s.counts;
  auto come = unpack.next<model::StripCounts>();
  move_rows(c.strip[strip], come);
  c.strip[strip] = come;
  for_colors(s, strip, [&](model::ColorSums& sums) { unpack(sums); });
  set_rows(lines_of(s, strip), unpack);
  c.past_lines[strip] = next_past(unpack);
  for_code(s, strip, [&](std::span<std::uint64_t> cycles) { unpack.all(cycles); });
  for_series(s, strip, [&](PackedCounts& past, const auto& rows) {
    past = next_past(unpack);
    set_rows(rows, unpack);
  });
  if (c.phases.strip.size() != 0) unpack(c.phases.strip[strip]);
  for_phases(s, strip, [&](model::PhaseSums& sums) {
    if (unpack.next<bool>())
      unpack(sums);
    else
      sums = {};
  });
}

void leave_counts(State& s, std::size_t strip) {
  if (s.counts == nullptr || !s.in_use(strip)) return;
  CountsState& c = *s.counts;
  for_colors(s, strip, [&](model::ColorSums& sums) { sums = {}; });
  c.past_lines[strip] = {};
  for_code(s, strip, [&](std::span<std::uint64_t> cycles) { std::ranges::fill(cycles, 0U); });
  for_series(s, strip, [&](PackedCounts& past, const auto& rows) {
    past = {};
    base::forget(rows.data(), rows.size());
  });
  for_phases(s, strip, [&](model::PhaseSums& sums) {
    if (sums.been != 0) sums = {};
  });
  if (c.phases.strip.size() != 0) {
    model::StripPhases& phases = c.phases.strip[strip];
    const model::Vector marks = phases.marks;
    phases = {};
    phases.marks = marks;
  }
  model::StripCounts left{};
  left.first_line = c.strip[strip].first_line;
  left.first_code = c.strip[strip].first_code;
  c.strip[strip] = left;
}

}  // namespace weft::fabric
