#include "fabric/explain/part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "fabric/explain/ways.hpp"
#include "fabric/profile/phases.hpp"

namespace weft::fabric {
namespace {

constexpr Port kAllLinks[] = {Port::west, Port::east, Port::south, Port::north};

Least least_at(const Profile& profile, std::size_t pe, std::uint64_t cycles,
               Port port = Port::ramp) {
  const auto width = static_cast<std::size_t>(profile.width);
  return {cycles, static_cast<int>(pe % width), static_cast<int>(pe / width), port};
}

Least fullest_link(const Part& part) {
  Least most;
  for (const Port link : kAllLinks) {
    const auto& wavelets = part.of(count_of(link));
    const std::size_t pe = largest(wavelets);
    if (wavelets[pe] > most.cycles) most = least_at(part.profile, pe, wavelets[pe], link);
  }
  return most;
}

Least busiest_core(const Part& part) {
  std::vector<std::uint64_t> busy = part.of(Count::computing);
  std::ranges::transform(busy, part.of(Count::moving), busy.begin(), std::plus<>());
  const std::size_t pe = largest(busy);
  return least_at(part.profile, pe, busy[pe]);
}

Least busiest_ramp(const Part& part) {
  std::vector<std::uint64_t> busy = part.of(Count::sent);
  std::ranges::transform(busy, part.of(Count::delivered), busy.begin(),
                         [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
  const std::size_t pe = largest(busy);
  return least_at(part.profile, pe, busy[pe]);
}

void explain(Part& part) {
  PhaseExplanation& explained = part.explained;
  explained.link = fullest_link(part);
  explained.core = busiest_core(part);
  explained.ramp = busiest_ramp(part);
  const LinkFilter uses = [&](std::size_t pe, Port link) {
    return part.of(count_of(link))[pe] > 0;
  };
  for (const ColorCounts& color : part.profile.colors)
    explained.way = std::max(explained.way, longest_way(part.profile, color, uses));
  const std::pair<Count, double PhaseExplanation::*> shares[] = {
      {Count::computing, &PhaseExplanation::computing},
      {Count::moving, &PhaseExplanation::moving},
      {Count::waits_data, &PhaseExplanation::waits_data},
      {Count::waits_room, &PhaseExplanation::waits_room},
      {Count::idle, &PhaseExplanation::idle}};
  double all = 0;
  for (const auto& [count, share] : shares)
    all += explained.*share = static_cast<double>(sum(part.of(count)));
  for (const auto& [count, share] : shares)
    if (all > 0) explained.*share /= all;
}

/// Of the PE that was in it longest.
std::uint64_t most_cycles_in(const PhaseCounts& phase) {
  std::uint64_t most = 0;
  for (std::size_t pe = 0; pe < phase.first.size(); ++pe)
    most = std::max(most, cycles_in(phase, pe));
  return most;
}

}  // namespace

std::string text_of(const ProgramCounts& program, const LineCounts& line) {
  if (!line.what.empty())
    return line.where.empty() ? line.what : fmt::format("{} ({})", line.what, line.where);
  const auto first = static_cast<std::size_t>(line.first);
  const std::string code = first < program.code.size() ? program.code[first].text : "";
  return fmt::format("instruction {} of {}: {}", line.first, program.name, code);
}

std::uint64_t sum(const std::vector<std::uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

std::size_t largest(const std::vector<std::uint64_t>& values) {
  return static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
}

std::uint64_t Part::least_of_streams() const {
  return std::max({explained.link.cycles, explained.ramp.cycles,
                   std::ranges::max(of(Count::computing))}) +
         explained.way;
}

double Part::share_in_streams() const {
  std::uint64_t in_tasks = 0;
  for (const Line& line : lines()) in_tasks += line.cycles;
  const std::uint64_t computing = sum(of(Count::computing)), all = explained.took * pes();
  if (all == 0 || in_tasks < computing) return 0;
  return static_cast<double>(in_tasks - computing) / static_cast<double>(all);
}

std::string Part::busiest_line() const {
  const std::vector<Line> all = lines();
  if (all.empty() || 10 * all.front().cycles < sum(of(Count::computing))) return "";
  return all.front().text;
}

std::vector<Part::Line> Part::lines() const {
  std::map<std::string, Line> by_text;
  for (const ProgramCounts& program : profile.programs) {
    std::vector<std::uint64_t> cycles(program.lines.size());
    for (const CodeCounts& code : program.code)
      if (code.phase == phase) cycles[static_cast<std::size_t>(code.line)] += code.cycles;
    for (std::size_t n = 0; n < cycles.size(); ++n) {
      if (phase < 0) cycles[n] = program.lines[n].cycles;
      if (cycles[n] == 0) continue;
      std::string text = text_of(program, program.lines[n]);
      Line& line = by_text[text];
      if (line.cycles == 0) line = {std::move(text), 0, program.lines[n].x, program.lines[n].y};
      line.cycles += cycles[n];
    }
  }
  std::vector<Line> all;
  all.reserve(by_text.size());
  for (auto& [text, line] : by_text) all.push_back(std::move(line));
  std::ranges::stable_sort(all, std::greater<>(), &Line::cycles);
  return all;
}

std::vector<Part> parts_of(const Profile& profile) {
  std::vector<Part> all{{profile, profile.totals}};
  all.front().explained.took = profile.cycles;
  for (std::size_t n = 0; n < profile.phases.size(); ++n) {
    const PhaseCounts& phase = profile.phases[n];
    const std::uint64_t took = most_cycles_in(phase);
    if (took == 0) continue;
    Part part{profile, phase.counts, static_cast<int>(n)};
    part.explained.name = phase.name;
    part.explained.took = took;
    all.push_back(std::move(part));
  }
  for (Part& part : all) explain(part);
  return all;
}

}  // namespace weft::fabric
