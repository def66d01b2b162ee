#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "base/names.hpp"
#include "fabric/explain/findings.hpp"

/// Places that are busier than others: ramps, PEs, links, and the end of a run.
namespace weft::fabric {
namespace {

std::uint64_t median(std::vector<std::uint64_t> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

int colors_at_ramp(const Profile& p, std::size_t pe, bool sent) {
  int count = 0;
  for (const ColorCounts& color : p.colors) {
    if (!sent) {
      count += color.wavelets[static_cast<std::size_t>(Port::ramp)][pe] > 0 ? 1 : 0;
      continue;
    }
    if (color.route_of.empty() || color.route_of[pe] < 0) continue;
    const Route& route = color.routes[static_cast<std::size_t>(color.route_of[pe])].route;
    const auto leaves = [&](Port link) {
      return color.wavelets[static_cast<std::size_t>(link)][pe] > 0;
    };
    const bool some =
        leaves(Port::west) || leaves(Port::east) || leaves(Port::south) || leaves(Port::north);
    count += some && route.rx.has(Port::ramp) ? 1 : 0;
  }
  return count;
}

Finding finding_of(const Part& part, FindingKind kind, std::uint64_t cycles) {
  Finding f{.kind = kind, .cycles = cycles};
  f.share = share(cycles, part.profile.cycles);
  f.phase = part.name();
  return f;
}

void place(Finding& finding, const Least& at) {
  finding.x = at.x;
  finding.y = at.y;
}

void place(Finding& finding, const Part& part, std::size_t pe) {
  const auto width = static_cast<std::size_t>(part.profile.width);
  finding.x = static_cast<int>(pe % width);
  finding.y = static_cast<int>(pe / width);
}

// A ramp takes one wavelet a cycle each way, and the colors that share it take turns.
void find_shared_ramp(const Part& part, Findings& all) {
  constexpr double kOfPart = 0.1, kSaved = 0.01, kAboveLink = 1.5;
  const Least& ramp = part.explained.ramp;
  const std::uint64_t saved =
      ramp.cycles > part.explained.link.cycles ? ramp.cycles - part.explained.link.cycles : 0;
  const auto pe = static_cast<std::size_t>(ramp.y) * static_cast<std::size_t>(part.profile.width) +
                  static_cast<std::size_t>(ramp.x);
  const bool sent = part.of(Count::sent)[pe] >= part.of(Count::delivered)[pe];
  const int colors = colors_at_ramp(part.profile, pe, sent);
  if (colors < 2 || share(ramp.cycles, part.explained.took) < kOfPart ||
      static_cast<double>(ramp.cycles) <
          kAboveLink * static_cast<double>(part.explained.link.cycles) ||
      share(saved, part.profile.cycles) < kSaved)
    return;
  Finding f = finding_of(part, FindingKind::shared_ramp, saved);
  place(f, ramp);
  f.what = fmt::format(
      "{} colors {} by one ramp, which carries {} wavelets where the fullest link carries {}",
      colors, sent ? "leave" : "come", ramp.cycles, part.explained.link.cycles);
  f.advice =
      "send less, or let PEs pass on by the router what several of them need (one color to "
      "several links)";
  all.push_back(std::move(f));
}

// One PE, or a few, compute more than most, which wait for them meanwhile.
void find_slow_pe(const Part& part, Findings& all) {
  constexpr double kAboveMedian = 1.2, kFew = 0.05, kSaved = 0.02;
  const auto& computing = part.of(Count::computing);
  if (computing.size() < 4) return;
  const std::size_t pe = largest(computing);
  const std::uint64_t usual = median(computing), most = computing[pe];
  const auto slow = std::ranges::count_if(
      computing, [&](std::uint64_t cycles) { return 2 * cycles > usual + most; });
  const auto few = std::max<std::ptrdiff_t>(
      1, static_cast<std::ptrdiff_t>(kFew * static_cast<double>(computing.size())));
  const double waits = part.explained.waits_data + part.explained.waits_room + part.explained.idle;
  if (usual == 0 || static_cast<double>(most) < kAboveMedian * static_cast<double>(usual) ||
      slow > few || waits < share(most - usual, part.explained.took) / 2 ||
      share(most - usual, part.profile.cycles) < kSaved)
    return;
  Finding f = finding_of(part, FindingKind::slow_pe, most - usual);
  place(f, part, pe);
  std::uint64_t cycles = 0;
  for (const ProgramCounts& program : part.profile.programs)
    for (const LineCounts& line : program.lines)
      if (line.x == f.x && line.y == f.y && line.most > cycles && !line.what.empty()) {
        cycles = line.most;
        f.line = line.where.empty() ? line.what : fmt::format("{} ({})", line.what, line.where);
      }
  f.what = fmt::format("PE ({}, {}) computes {} cycles, most others {}: they wait for it", f.x, f.y,
                       most, usual);
  f.advice = "give it less to do, or share its work with its neighbours";
  all.push_back(std::move(f));
}

void find_full_link(const Part& part, Findings& all) {
  constexpr double kFull = 0.75;
  const Least& link = part.explained.link;
  if (share(link.cycles, part.explained.took) < kFull) return;
  Finding f = finding_of(part, FindingKind::full_link, link.cycles);
  place(f, link);
  f.what =
      fmt::format("the link of PE ({}, {}) to the {} is busy in {} of {} cycles", link.x, link.y,
                  port_name(static_cast<int>(link.port)), link.cycles, part.explained.took);
  f.advice =
      "send less along it, or spread what it carries over other rows, columns or both "
      "directions";
  all.push_back(std::move(f));
}

void find_computing(const Part& part, Findings& all) {
  constexpr double kMost = 0.6;
  if (part.explained.computing < kMost) return;
  const std::size_t pe = largest(part.of(Count::computing));
  Finding f = finding_of(part, FindingKind::computing, part.of(Count::computing)[pe]);
  place(f, part, pe);
  f.line = part.busiest_line();
  f.what = fmt::format("cores compute in {:.0f} % of the time", 100 * part.explained.computing);
  f.advice = "look at the lines with the most cycles";
  all.push_back(std::move(f));
}

// From some window of time on, most PEs are idle in all windows.
void find_idle_at_end(const Part& part, Findings& all) {
  constexpr double kIdle = 0.5, kSaved = 0.05;
  const Profile& p = part.profile;
  if (part.phase >= 0 || p.windows == 0) return;
  const std::size_t pes = part.pes();
  std::vector<std::uint32_t> plane(pes);
  const auto is_idle = [&](std::size_t window) {
    std::uint64_t busy = 0;
    for (const Count state :
         {Count::computing, Count::moving, Count::waits_data, Count::waits_room}) {
      p.windowed[static_cast<std::size_t>(state)].read(window * pes, plane);
      for (const std::uint32_t cycles : plane) busy += cycles;
    }
    const std::uint64_t from = window * p.window_cycles;
    const std::uint64_t cycles = std::min(p.window_cycles, p.cycles - from);
    return share(busy, cycles * pes) < kIdle;
  };
  auto window = static_cast<std::size_t>(p.windows);
  while (window > 0 && is_idle(window - 1)) --window;
  const std::uint64_t from = window * p.window_cycles;
  if (window == 0 || from >= p.cycles || share(p.cycles - from, p.cycles) < kSaved) return;
  Finding f = finding_of(part, FindingKind::idle_at_end, p.cycles - from);
  f.what =
      fmt::format("PEs end one after the other: half of the mesh is idle from cycle {} on", from);
  f.advice = "let those that end first begin last, or do more";
  all.push_back(std::move(f));
}

}  // namespace weft::fabric
