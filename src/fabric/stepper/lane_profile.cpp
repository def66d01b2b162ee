#include "fabric/stepper/lane_profile.hpp"

#include <bit>
#include <set>
#include <span>

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
  std::size_t lane, place;
};

/// By strip.
std::vector<std::vector<PlacedLane>> placed_lanes(const State& s) {
  std::vector<std::vector<PlacedLane>> lanes(s.strip_count());
  for_pes(s, [&](const LaneAddress& at, std::size_t place) {
    lanes[static_cast<std::size_t>(at.strip)].push_back({static_cast<std::size_t>(at.lane), place});
  });
  return lanes;
}

/// A series of a strip, which has been silent since if it has shorter windows than others: each
/// 2^shorter of them are one.
template <class Number>
void add_windows(const Number* from, std::size_t windows, std::uint32_t shorter,
                 const std::vector<PlacedLane>& lanes, std::size_t pes,
                 std::vector<std::uint32_t>& to) {
  for (std::size_t window = 0; window < windows; ++window) {
    const std::size_t row = (window >> shorter) * pes;
    if (row >= to.size()) return;
    const Number* const numbers = from + window * kLanes;
    for (const PlacedLane& at : lanes) to[row + at.place] += numbers[at.lane];
  }
}

void fill_windows(const State& s, Profile& p, std::size_t pes) {
  const CountsState& c = *s.counts;
  const std::size_t windows = c.view.windows;
  if (windows == 0) return;
  begin_windows(p, windows);
  const auto bits = static_cast<std::uint32_t>(std::countr_zero(p.window_cycles));
  const std::vector<std::vector<PlacedLane>> lanes = placed_lanes(s);
  for (std::size_t count = 0; count < kCounts; ++count) {
    const int series = model::kSeriesOf[count];
    if (series < 0) continue;
    std::vector<std::uint32_t>& to = p.windowed[count];
    for (std::size_t strip = 0; strip < c.strip.size(); ++strip) {
      const StripCounts& from = c.strip[strip];
      if ((from.used >> series & 1U) == 0) continue;  // its memory stays untouched
      const std::size_t first =
          (strip * model::kSeries + static_cast<std::size_t>(series)) * windows * kLanes;
      const std::uint32_t shorter = bits - from.window_bits;
      if ((from.wide >> series & 1U) != 0)
        add_windows(c.wide.data() + first, windows, shorter, lanes[strip], pes, to);
      else
        add_windows(c.narrow.data() + first, windows, shorter, lanes[strip], pes, to);
    }
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

std::vector<ProgramCounts> programs_of(const State& s, const std::vector<ProgramCounts>& programs) {
  std::vector<ProgramCounts> counts = programs;
  for_pes(s, [&](const LaneAddress& at, std::size_t place) {
    const auto strip = static_cast<std::size_t>(at.strip);
    if (!s.strip[strip].programmed || !model::has(s.counts->strip[strip].programmed, at.lane))
      return;
    const std::uint32_t first = s.counts->strip[strip].first_line.at[at.lane];
    std::vector<LineCounts>& lines = counts[s.core[strip].program[at.lane]].lines;
    for (std::size_t n = 0; n < lines.size(); ++n) {
      const std::uint64_t cycles =
          total(s.counts->lines[first + n], at.lane, s.counts->of_lines, first + n);
      lines[n].cycles += cycles;
      if (cycles <= lines[n].most) continue;
      lines[n].most = cycles;
      lines[n].x = static_cast<int>(place) % s.width;
      lines[n].y = static_cast<int>(place) / s.width;
    }
  });
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

Profile profile_of(State& s, const std::vector<ProgramCounts>& programs, std::uint64_t cycle) {
  settle_counts(s, cycle);
  const auto pes = static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height);
  Profile profile{.width = s.width, .height = s.height, .cycles = cycle};
  profile.colors = colors_of(s, pes);
  fill_totals(s, profile, pes);
  fill_windows(s, profile, pes);
  profile.programs = programs_of(s, programs);
  profile.phases = counts_of_phases(s);
  return profile;
}

}  // namespace weft::fabric
