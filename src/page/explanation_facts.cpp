#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "page/facts.hpp"
#include "weft/explanation.hpp"

/// What the page tells of why a run took its cycles, or stood still.
namespace weft::page {
namespace {

using Json = nlohmann::json;

Json least_facts(std::string_view what, const Least& least) {
  return Json::array({what, least.cycles, least.x, least.y});
}

Json arrow_facts(int x, int y, int to_x, int to_y, bool first) {
  return {{"from", {{"x", x}, {"y", y}}}, {"to", {{"x", to_x}, {"y", to_y}}}, {"first", first}};
}

/// Of some things those with the most cycles, the most first.
template <class T>
std::vector<std::pair<std::uint64_t, T>> longest(const std::map<T, std::uint64_t>& cycles_of,
                                                 std::size_t most) {
  std::vector<std::pair<std::uint64_t, T>> all;
  all.reserve(cycles_of.size());
  for (const auto& [thing, cycles] : cycles_of) all.emplace_back(cycles, thing);
  std::ranges::sort(all, std::ranges::greater{});
  all.resize(std::min(all.size(), most));
  return all;
}

/// The critical path: its kinds, and marks for the map. These are the ways of its wavelets, each
/// once, and the PEs in which it stays longest.
Json path_facts(const Profile& p, const PathExplanation& path) {
  constexpr std::size_t kMostWays = 4096, kMostPlaces = 8;
  Json kinds = Json::array(), arrows = Json::array();
  for (const PathShare& share : path.kinds)
    kinds.push_back({share.what, share.cycles, share.parts});
  std::map<std::array<int, 4>, std::uint64_t> on_way;
  std::map<std::pair<int, int>, std::uint64_t> in_pe;
  for (const PathPiece& piece : p.path) {
    const std::uint64_t cycles = piece.to - piece.from;
    if (piece.kind == PathKind::on_the_way)
      on_way[{piece.x, piece.y, piece.to_x, piece.to_y}] += cycles;
    else
      in_pe[{piece.x, piece.y}] += cycles;
  }
  for (const auto& [cycles, way] : longest(on_way, kMostWays))
    arrows.push_back(arrow_facts(way[0], way[1], way[2], way[3], false));
  for (const auto& [cycles, pe] : longest(in_pe, kMostPlaces))
    arrows.push_back(arrow_facts(pe.first, pe.second, pe.first, pe.second, true));
  return {{"kinds", std::move(kinds)}, {"arrows", std::move(arrows)}};
}

}  // namespace

Json phase_facts(const Profile& p) {
  Json all = Json::array();
  for (const PhaseCounts& phase : p.phases) {
    std::uint64_t first = p.cycles, end = 0;
    for (std::size_t pe = 0; pe < phase.first.size(); ++pe) {
      if (phase.first[pe] == PhaseCounts::kNever) continue;
      first = std::min(first, phase.first[pe]);
      end = std::max(end, phase.last[pe] + 1);
    }
    if (first < end) all.push_back({{"name", phase.name}, {"first", first}, {"last", end}});
  }
  return all;
}

void add_explanation(Json& facts, const Profile& p) {
  const Explanation explanation = explain(p);
  Json findings = Json::array(), least = Json::array();
  for (const Finding& f : explanation.findings)
    findings.push_back({{"kind", to_string(f.kind)},
                        {"what", f.what},
                        {"cycles", f.cycles},
                        {"share", f.share},
                        {"phase", f.phase},
                        {"x", f.x},
                        {"y", f.y},
                        {"color", f.color},
                        {"line", f.line},
                        {"advice", f.advice}});
  for (const PhaseExplanation& phase : explanation.phases)
    least.push_back(
        {{"name", phase.name},
         {"took", phase.took},
         {"least",
          {least_facts("fullest link", phase.link), least_facts("busiest core", phase.core),
           least_facts("fullest ramp", phase.ramp),
           least_facts("longest way", {.cycles = phase.way, .x = -1, .y = -1})}}});
  facts["findings"] = std::move(findings);
  facts["least"] = std::move(least);
  if (!p.path.empty()) facts["path"] = path_facts(p, explanation.path);
}

Json stuck_facts(const Stuck& stuck) {
  Json waits = Json::array();
  for (const StuckWait& wait : stuck.waits)
    waits.push_back({{"what", wait.what},
                     {"line", wait.line},
                     {"x", wait.x},
                     {"y", wait.y},
                     {"color", wait.color},
                     {"cause", wait.cause},
                     {"waits_for", wait.waits_for},
                     {"first", wait.first}});
  return {{"error", stuck.error}, {"causes", stuck.causes}, {"waits", std::move(waits)}};
}

}  // namespace weft::page
