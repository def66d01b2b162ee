#include "fabric/stepper/lane_profile.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/in_parallel.hpp"
#include "engine/step_functions.hpp"
#include "fabric/profile/sums.hpp"
#include "fabric/stepper/lane_phases.hpp"
#include "fabric/stepper/placed_lanes.hpp"
#include "fabric/stepper/profile_windows.hpp"

namespace weft::fabric {
namespace {

using model::kLanes, model::Vector;

using Lanes = std::vector<PlacedLane>;

/// Of a lane: in an array of sums, and before the last fold.
std::uint64_t total(const Vector& sum, int lane, const std::vector<std::uint64_t>& folded,
                    std::size_t number) {
  const std::size_t at = number * kLanes + static_cast<std::size_t>(lane);
  return sum.at[lane] + (folded.empty() ? 0 : folded[at]);
}

/// The same of all lanes that have a PE, at their places.
void place(const Vector& sum, const std::vector<std::uint64_t>& folded, std::size_t number,
           const Lanes& lanes, std::vector<std::uint64_t>& to) {
  for (const PlacedLane& at : lanes)
    to[at.place] = total(sum, static_cast<int>(at.lane), folded, number);
}

void fold(Vector& sum, std::vector<std::uint64_t>& folded, std::size_t number) {
  for (int lane = 0; lane < kLanes; ++lane) {
    folded[number * kLanes + static_cast<std::size_t>(lane)] += sum.at[lane];
    sum.at[lane] = 0;
  }
}

/// Of a color that some strip has; none if it leads nowhere.
std::optional<ColorCounts> counts_of_color(const State& s, int color,
                                           const std::vector<Lanes>& lanes, std::size_t pes) {
  const CountsState& c = *s.counts;
  ColorCounts counts{.color = color};
  for (auto& each : counts.wavelets) each.resize(pes);
  counts.held.resize(pes);
  bool routed = false;
  for (std::size_t strip = 0; strip < lanes.size(); ++strip) {
    const std::int32_t index = s.strip[strip].color_state[color];
    if (index < 0) continue;
    const auto state = static_cast<std::size_t>(index);
    const model::ColorSums& sums = c.sums[state];
    for (const PlacedLane& at : lanes[strip])
      routed |= model::has(s.colors[state].routed, static_cast<int>(at.lane));
    const std::size_t row = state * (kPorts + 1);
    for (std::size_t port = 0; port < kPorts; ++port)
      place(sums.left[port], c.of_colors, row + port, lanes[strip], counts.wavelets[port]);
    place(sums.held, c.of_colors, row + kPorts, lanes[strip], counts.held);
  }
  if (!routed) return {};
  return counts;
}

std::vector<ColorCounts> colors_of(const State& s, const std::vector<Lanes>& lanes, std::size_t pes,
                                   int threads) {
  std::uint32_t some = 0;
  for (std::size_t strip = 0; strip < s.strip_count(); ++strip) some |= s.strip[strip].colors;
  std::array<std::optional<ColorCounts>, kColors> counts;
  base::in_parallel(threads, kColors, [&](std::size_t color) {
    if ((some >> color & 1U) != 0)
      counts[color] = counts_of_color(s, static_cast<int>(color), lanes, pes);
  });
  std::vector<ColorCounts> colors;
  colors.reserve(kColors);
  for (auto& each : counts)
    if (each) colors.push_back(*std::move(each));
  return colors;
}

/// A count by PE. That of links, and of wavelets that are held, is a sum over colors.
std::vector<std::uint64_t> totals_of(const State& s, const Profile& p, std::size_t count,
                                     const std::vector<Lanes>& lanes, std::size_t pes) {
  const CountsState& c = *s.counts;
  std::vector<std::uint64_t> totals(pes);
  for (std::size_t strip = 0; strip < lanes.size(); ++strip)
    place(c.strip[strip].sum[count], c.of_strips, strip * kCounts + count, lanes[strip], totals);
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  if (count == index_of(Count::from_host))
    for (const engine::HostPort& port : s.host.port)
      totals[at(port.y) * at(s.width) + at(port.x)] +=
          total(c.strip[at(port.strip)].sum[count], port.lane, c.of_strips,
                at(port.strip) * kCounts + count);
  const auto add = [&](const std::vector<std::uint64_t>& more) {
    for (std::size_t pe = 0; pe < pes; ++pe) totals[pe] += more[pe];
  };
  for (const ColorCounts& color : p.colors) {
    for (std::size_t port = 0; port < kPorts; ++port) {
      const auto link = static_cast<Port>(port);
      if (index_of(link == Port::ramp ? Count::delivered : count_of(link)) == count)
        add(color.wavelets[port]);
    }
    if (count == index_of(Count::held)) add(color.held);
  }
  return totals;
}

void fill_totals(const State& s, const std::vector<Lanes>& lanes, std::size_t pes, int threads,
                 Profile& p) {
  base::in_parallel(threads, kCounts, [&](std::size_t count) {
    p.totals[count] = totals_of(s, p, count, lanes, pes);
  });
  fill_idle(p);
}

/// Notes a PE's cycles of a line if no PE has more. Of PEs that have as many it keeps the first
/// one, row by row.
void note_most(LineCounts& line, std::uint64_t cycles, std::size_t place, std::size_t width) {
  const std::size_t known =
      static_cast<std::size_t>(line.y) * width + static_cast<std::size_t>(line.x);
  if (cycles == 0 || cycles < line.most || (cycles == line.most && place > known)) return;
  line.most = cycles;
  line.x = static_cast<int>(place % width);
  line.y = static_cast<int>(place / width);
}

/// The cycles of a line in all lanes of a strip, 0 in those that have another program.
using LineCycles = std::array<std::uint64_t, kLanes>;

void add_line(LineCounts& line, const LineCycles& cycles, const Lanes& lanes, std::size_t width) {
  std::uint64_t all = 0, most = 0;
  for (const std::uint64_t each : cycles) {
    all += each;
    most = std::max(most, each);
  }
  line.cycles += all;
  if (most == 0 || most < line.most) return;
  for (const PlacedLane& at : lanes) note_most(line, cycles[at.lane], at.place, width);
}

/// f(program, its lanes) for the programs of a strip.
template <class F>
void for_programs(const State& s, std::size_t strip, F f) {
  for (model::Mask rest = s.counts->strip[strip].programmed; rest != 0;) {
    const std::uint16_t program = s.core[strip].program[model::lowest(rest)];
    model::Mask lanes = 0;
    for (model::Mask others = rest; others != 0; others &= others - 1) {
      const int lane = model::lowest(others);
      if (s.core[strip].program[lane] == program) lanes |= model::lane_bit(lane);
    }
    rest &= ~lanes;
    f(program, lanes);
  }
}

void add_lines(const State& s, std::size_t strip, const Lanes& placed,
               std::vector<ProgramCounts>& counts) {
  const CountsState& c = *s.counts;
  const std::vector<std::uint32_t> past = c.past_lines[strip].numbers();  // or none
  for_programs(s, strip, [&](std::uint16_t program, model::Mask lanes) {
    const std::uint32_t first = c.strip[strip].first_line.at[model::lowest(lanes)];
    Lanes own;
    own.reserve(kLanes);
    for (const PlacedLane& at : placed)
      if (model::has(lanes, static_cast<int>(at.lane))) own.push_back(at);
    std::vector<LineCounts>& lines = counts[program].lines;
    for (std::size_t n = 0; n < lines.size(); ++n) {
      const std::size_t row = first + n;
      LineCycles cycles{};
      for (const PlacedLane& at : own)
        cycles[at.lane] = total(c.lines[row], static_cast<int>(at.lane), c.of_lines, row);
      if (!past.empty())
        for (const PlacedLane& at : own)
          cycles[at.lane] += past[(row - c.first_row[strip]) * kLanes + at.lane];
      add_line(lines[n], cycles, own, static_cast<std::size_t>(s.width));
    }
  });
}

/// The cycles of instructions, which a strip keeps once for all its lanes of a program.
void add_code(const State& s, std::vector<ProgramCounts>& programs) {
  for (std::size_t strip = 0; strip < s.counts->strip.size(); ++strip)
    for_programs(s, strip, [&](std::uint16_t program, model::Mask lanes) {
      const auto first = static_cast<std::uint32_t>(s.programs[program].first);
      const std::uint64_t* const cycles =
          s.counts->code.data() +
          (s.counts->strip[strip].first_code.at[model::lowest(lanes)] + first);
      std::vector<CodeCounts>& code = programs[program].code;
      for (std::size_t n = 0; n < code.size(); ++n) code[n].cycles += cycles[n];
    });
}

std::vector<ProgramCounts> programs_of(const State& s, const std::vector<Lanes>& lanes,
                                       const std::vector<ProgramCounts>& programs) {
  std::vector<ProgramCounts> counts = programs;
  for (std::size_t strip = 0; strip < lanes.size(); ++strip)
    if (s.strip[strip].programmed) add_lines(s, strip, lanes[strip], counts);
  add_code(s, counts);
  return counts;
}

}  // namespace

void start_counting(State& s, const Layout& layout, const std::vector<ProgramCounts>& programs,
                    const Observation& asked) {
  s.counts = std::make_unique<CountsState>();
  std::vector<std::uint32_t> lines;
  lines.reserve(programs.size());
  s.counts->line_of.reserve(s.code.size());
  for (const ProgramCounts& program : programs) {
    lines.push_back(static_cast<std::uint32_t>(program.lines.size()));
    for (const CodeCounts& instruction : program.code)
      s.counts->line_of.push_back(static_cast<std::uint32_t>(instruction.line));
  }
  make_counts(*s.counts, s.view(), s.colors.size(), lines, asked);
  start_phases(s, layout);
}

void settle_counts(State& s, std::uint64_t cycle) {
  engine::counting_functions().settle(s.view(), cycle);
}

void fold(State& s, std::uint64_t cycle) {
  settle_counts(s, cycle);
  CountsState& c = *s.counts;
  c.of_strips.resize(c.strip.size() * kCounts * kLanes);
  c.of_colors.resize(c.sums.size() * (kPorts + 1) * kLanes);
  c.of_lines.resize(c.lines.size() * kLanes);
  for (std::size_t strip = 0; strip < c.strip.size(); ++strip)
    for (std::size_t count = 0; count < kCounts; ++count)
      fold(c.strip[strip].sum[count], c.of_strips, strip * kCounts + count);
  for (std::size_t color = 0; color < c.sums.size(); ++color) {
    for (std::size_t port = 0; port < kPorts; ++port)
      fold(c.sums[color].left[port], c.of_colors, color * (kPorts + 1) + port);
    fold(c.sums[color].held, c.of_colors, color * (kPorts + 1) + kPorts);
  }
  for (std::size_t line = 0; line < c.lines.size(); ++line) fold(c.lines[line], c.of_lines, line);
  fold_phases(c);
}

namespace {

/// `taken`: memory is given back as soon as the profile has what was in it.
Profile make_profile(State& s, const std::vector<ProgramCounts>& programs, std::uint64_t cycle,
                     int threads, bool taken) {
  settle_counts(s, cycle);
  const auto pes = static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height);
  const std::vector<Lanes> lanes = placed_lanes(s);
  Profile profile{.width = s.width, .height = s.height, .cycles = cycle};
  profile.programs = programs_of(s, lanes, programs);
  if (taken) {
    s.memory = {};
    s.core = {};
    s.counts->lines = {};
    s.counts->code = {};
  }
  fill_windows(s, lanes, taken, threads, profile);
  profile.colors = colors_of(s, lanes, pes, threads);
  if (taken) s.counts->sums = {};
  fill_totals(s, lanes, pes, threads, profile);
  if (taken) s.counts->strip = {};
  profile.phases = counts_of_phases(s, lanes, threads);
  return profile;
}

}  // namespace

Profile profile_of(State& s, const std::vector<ProgramCounts>& programs, std::uint64_t cycle,
                   int threads) {
  return make_profile(s, programs, cycle, threads, false);
}

Profile take_profile(State& s, const std::vector<ProgramCounts>& programs, std::uint64_t cycle,
                     int threads) {
  return make_profile(s, programs, cycle, threads, true);
}

}  // namespace weft::fabric
