#include <algorithm>
#include <string_view>

#include "page/facts.hpp"
#include "weft/explanation.hpp"

/// What the page tells of why a run took its cycles, or stood still.
namespace weft::page {
namespace {

using Json = nlohmann::json;

Json least_facts(std::string_view what, const Least& least) {
  return Json::array({what, least.cycles, least.x, least.y});
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
