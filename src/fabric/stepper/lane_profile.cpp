#include "fabric/stepper/lane_profile.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <set>
#include <span>

#include "base/pages.hpp"
#include "engine/step_functions.hpp"
#include "fabric/build/strips.hpp"
#include "fabric/profile/sums.hpp"
#include "fabric/stepper/lane_phases.hpp"

namespace weft::fabric {
namespace {

using model::LaneAddress, model::StripCounts, model::Vector;

/// f(address, its place among all) for all PEs, row by row.
template <class F>
void for_pes(const State& s, F f) {
  std::size_t place = 0;
  for (int y = 0; y < s.height; ++y)
    for (int x = 0; x < s.width; ++x) f(s.address_of(x, y), place++);
}

/// Of a lane: in an array of sums, and before the last fold.
std::uint64_t total(const Vector& sum, int lane, const std::vector<std::uint64_t>& folded,
                    std::size_t number) {
  const std::size_t at = number * kLanes + static_cast<std::size_t>(lane);
  return sum.at[lane] + (folded.empty() ? 0 : folded[at]);
}

std::uint64_t total(const CountsState& c, std::size_t strip, std::size_t count, int lane) {
  return total(c.strip[strip].sum[count], lane, c.of_strips, strip * kCounts + count);
}

/// The wavelets that left by a port, or the cycles held (port kPorts), of a color's state.
std::uint64_t total_of_color(const CountsState& c, std::size_t color, std::size_t port, int lane) {
  const model::ColorSums& sums = c.sums[color];
  return total(port < kPorts ? sums.left[port] : sums.held, lane, c.of_colors,
               color * (kPorts + 1) + port);
}

void fold(Vector& sum, std::vector<std::uint64_t>& folded, std::size_t number) {
  for (int lane = 0; lane < kLanes; ++lane) {
    folded[number * kLanes + static_cast<std::size_t>(lane)] += sum.at[lane];
    sum.at[lane] = 0;
  }
}

std::vector<ColorCounts> colors_of(const State& s, std::size_t pes) {
  std::vector<ColorCounts> colors;
  colors.reserve(kColors);
  for (std::size_t color = 0; color < kColors; ++color) {
    ColorCounts counts{.color = static_cast<int>(color)};
    for (auto& each : counts.wavelets) each.resize(pes);
    counts.held.resize(pes);
    bool routed = false;
    for_pes(s, [&](const LaneAddress& at, std::size_t place) {
      const std::int32_t index = s.strip[static_cast<std::size_t>(at.strip)].color_state[color];
      if (index < 0) return;
      const auto state = static_cast<std::size_t>(index);
      routed |= model::has(s.colors[state].routed, at.lane);
      for (std::size_t port = 0; port < kPorts; ++port)
        counts.wavelets[port][place] = total_of_color(*s.counts, state, port, at.lane);
      counts.held[place] = total_of_color(*s.counts, state, kPorts, at.lane);
    });
    if (routed) colors.push_back(std::move(counts));
  }
  return colors;
}

/// The counts by PE, of which those of links, and of wavelets that are held, are sums over colors.
void fill_totals(const State& s, Profile& p, std::size_t pes) {
  for (std::size_t count = 0; count < kCounts; ++count) {
    p.totals[count].resize(pes);
    for_pes(s, [&](const LaneAddress& at, std::size_t place) {
      p.totals[count][place] = total(*s.counts, static_cast<std::size_t>(at.strip), count, at.lane);
    });
  }
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  for (const engine::HostPort& port : s.host.port)
    p.totals[index_of(Count::from_host)][at(port.y) * at(s.width) + at(port.x)] += total(
        *s.counts, static_cast<std::size_t>(port.strip), index_of(Count::from_host), port.lane);
  for (const ColorCounts& color : p.colors)
    for (std::size_t place = 0; place < pes; ++place) {
      for (std::size_t port = 0; port < kPorts; ++port) {
        const auto link = static_cast<Port>(port);
        const Count count = link == Port::ramp ? Count::delivered : count_of(link);
        p.totals[index_of(count)][place] += color.wavelets[port][place];
      }
      p.totals[index_of(Count::held)][place] += color.held[place];
    }
  fill_idle(p);
}

/// A PE of a strip, and its place among all.
struct PlacedLane {
  std::uint32_t lane, place;
};

/// By strip.
std::vector<std::vector<PlacedLane>> placed_lanes(const State& s) {
  std::vector<std::vector<PlacedLane>> lanes(s.strip_count());
  for_pes(s, [&](const LaneAddress& at, std::size_t place) {
    lanes[static_cast<std::size_t>(at.strip)].push_back(
        {static_cast<std::uint32_t>(at.lane), static_cast<std::uint32_t>(place)});
  });
  return lanes;
}

/// The windows of a strip's series that are one of the profile. (A strip that has been silent since
/// has shorter ones than others.)
template <class Number>
void add_windows(const Number* from, std::size_t first, std::size_t end,
                 const std::vector<PlacedLane>& lanes, std::vector<std::uint32_t>& plane) {
  for (std::size_t window = first; window < end; ++window) {
    const Number* const numbers = from + window * kLanes;
    for (const PlacedLane& at : lanes) plane[at.place] += numbers[at.lane];
  }
}

/// What is packed of a strip's window.
void add_past_window(const PackedCounts& past, std::size_t window,
                     const std::vector<PlacedLane>& lanes, std::vector<std::uint32_t>& plane) {
  if (window * kLanes >= past.size()) return;
  std::array<std::uint32_t, kLanes> numbers;
  past.read(window * kLanes, numbers);
  for (const PlacedLane& at : lanes) plane[at.place] += numbers[at.lane];
}

/// A series of all PEs in a window of the profile. `bits`: it has 2^bits cycles.
void add_window(const CountsState& c, std::size_t series, std::size_t window, std::uint32_t bits,
                const std::vector<std::vector<PlacedLane>>& lanes,
                std::vector<std::uint32_t>& plane) {
  const std::size_t windows = c.view.windows;
  for (std::size_t strip = 0; strip < c.strip.size(); ++strip) {
    const StripCounts& from = c.strip[strip];
    if ((from.used >> series & 1U) == 0) continue;  // its memory stays untouched
    const std::uint32_t shorter = bits - from.window_bits;
    const std::size_t first = window << shorter, end = (window + 1) << shorter;
    if (first >= windows) continue;
    for (std::size_t past = first; past < std::min<std::size_t>(end, from.packed); ++past)
      add_past_window(c.past[strip * model::kSeries + series], past, lanes[strip], plane);
    const std::size_t row = (strip * model::kSeries + series) * windows * kLanes;
    if ((from.wide >> series & 1U) != 0)
      add_windows(c.wide.data() + row, first, std::min(end, windows), lanes[strip], plane);
    else
      add_windows(c.narrow.data() + row, first, std::min(end, windows), lanes[strip], plane);
  }
}

/// A series that is in the profile.
void release_windows(CountsState& c, std::size_t series) {
  const std::size_t numbers = std::size_t{c.view.windows} * kLanes;
  for (std::size_t strip = 0; strip < c.strip.size(); ++strip) {
    if ((c.strip[strip].used >> series & 1U) == 0) continue;
    const std::size_t row = strip * model::kSeries + series;
    base::forget(c.narrow.data() + row * numbers, numbers);
    base::forget(c.wide.data() + row * numbers, numbers);
    c.past[row] = {};
  }
}

/// `taken`: they leave the state.
void fill_windows(State& s, Profile& p, std::size_t pes, bool taken) {
  CountsState& c = *s.counts;
  const std::size_t windows = c.view.windows;
  if (windows == 0) return;
  begin_windows(p, windows);
  const auto bits = static_cast<std::uint32_t>(std::countr_zero(p.window_cycles));
  const std::vector<std::vector<PlacedLane>> lanes = placed_lanes(s);
  std::vector<std::uint32_t> plane(pes);
  for (std::size_t series = 0; series < model::kSeries; ++series) {
    for (std::size_t window = 0; window < static_cast<std::size_t>(p.windows); ++window) {
      std::ranges::fill(plane, 0U);
      add_window(c, series, window, bits, lanes, plane);
      p.windowed[index_of(model::kCountOf[series])].append(plane);
    }
    if (taken) release_windows(c, series);
  }
}

/// The cycles of instructions, which a strip keeps once for all its lanes of a program.
void add_code(const State& s, std::vector<ProgramCounts>& programs) {
  for (std::size_t strip = 0; strip < s.counts->strip.size(); ++strip) {
    const StripCounts& from = s.counts->strip[strip];
    std::set<std::uint16_t> known;
    for (model::Mask rest = from.programmed; rest != 0; rest &= rest - 1) {
      const int lane = model::lowest(rest);
      const std::uint16_t number = s.core[strip].program[lane];
      if (!known.insert(number).second) continue;
      const auto first = static_cast<std::uint32_t>(s.programs[number].first);
      const std::uint64_t* const cycles =
          s.counts->code.data() + (from.first_code.at[lane] + first);
      std::vector<CodeCounts>& code = programs[number].code;
      for (std::size_t n = 0; n < code.size(); ++n) code[n].cycles += cycles[n];
    }
  }
}

/// A PE's cycles of a line, which go to all and, if they are the most, to that. Of PEs that have as
/// many it is the first one, row by row.
void add_line(LineCounts& line, std::uint64_t cycles, std::size_t place, std::size_t width) {
  line.cycles += cycles;
  const std::size_t known =
      static_cast<std::size_t>(line.y) * width + static_cast<std::size_t>(line.x);
  if (cycles == 0 || cycles < line.most || (cycles == line.most && place > known)) return;
  line.most = cycles;
  line.x = static_cast<int>(place % width);
  line.y = static_cast<int>(place / width);
}

std::vector<ProgramCounts> programs_of(const State& s, const std::vector<ProgramCounts>& programs) {
  const CountsState& c = *s.counts;
  const std::vector<std::vector<PlacedLane>> lanes = placed_lanes(s);
  std::vector<ProgramCounts> counts = programs;
  for (std::size_t strip = 0; strip < lanes.size(); ++strip) {
    if (!s.strip[strip].programmed) continue;
    std::vector<std::uint32_t> past = c.past_lines[strip].numbers();
    past.resize(std::size_t{c.first_row[strip + 1] - c.first_row[strip]} * kLanes);
    for (const PlacedLane& at : lanes[strip]) {
      const int lane = static_cast<int>(at.lane);
      if (!model::has(c.strip[strip].programmed, lane)) continue;
      const std::uint32_t first = c.strip[strip].first_line.at[lane];
      std::vector<LineCounts>& lines = counts[s.core[strip].program[lane]].lines;
      for (std::size_t n = 0; n < lines.size(); ++n)
        add_line(lines[n],
                 past[(first + n - c.first_row[strip]) * kLanes + at.lane] +
                     total(c.lines[first + n], lane, c.of_lines, first + n),
                 at.place, static_cast<std::size_t>(s.width));
    }
  }
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
                     bool taken) {
  settle_counts(s, cycle);
  const auto pes = static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height);
  Profile profile{.width = s.width, .height = s.height, .cycles = cycle};
  profile.programs = programs_of(s, programs);
  if (taken) {
    s.memory = {};
    s.core = {};
    s.counts->lines = {};
    s.counts->code = {};
  }
  fill_windows(s, profile, pes, taken);
  profile.colors = colors_of(s, pes);
  if (taken) s.counts->sums = {};
  fill_totals(s, profile, pes);
  if (taken) s.counts->strip = {};
  profile.phases = counts_of_phases(s);
  return profile;
}

}  // namespace

Profile profile_of(State& s, const std::vector<ProgramCounts>& programs, std::uint64_t cycle) {
  return make_profile(s, programs, cycle, false);
}

Profile take_profile(State& s, const std::vector<ProgramCounts>& programs, std::uint64_t cycle) {
  return make_profile(s, programs, cycle, true);
}

}  // namespace weft::fabric
