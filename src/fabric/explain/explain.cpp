#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "fabric/explain/findings.hpp"
#include "fabric/explain/path.hpp"
#include "weft/explanation.hpp"

namespace weft::inline v0 {
namespace {

constexpr void (*kRules[])(const fabric::Part&, fabric::Findings&) = {
    fabric::find_tasks_of_streams, fabric::find_nothing_overlaps, fabric::find_shallow_queues,
    fabric::find_shared_ramp,      fabric::find_slow_pe,          fabric::find_full_link,
    fabric::find_computing,        fabric::find_idle_at_end};

}  // namespace

std::string_view to_string(FindingKind kind) noexcept {
  constexpr std::string_view kNames[] = {"computing",      "full link",        "shared ramp",
                                         "slow PE",        "tasks of streams", "nothing overlaps",
                                         "shallow queues", "idle at the end"};
  return kNames[static_cast<std::size_t>(kind) % std::size(kNames)];
}

Explanation explain(const Profile& profile) {
  Explanation all{.cycles = profile.cycles};
  if (profile.cycles == 0) return all;
  all.path = fabric::explain_path(profile);
  const std::vector<fabric::Part> parts = fabric::parts_of(profile);
  all.phases.reserve(parts.size());
  for (const fabric::Part& part : parts) all.phases.push_back(part.explained);
  for (const auto rule : kRules) {
    fabric::Findings of_phases, of_run;
    for (const fabric::Part& part : parts) rule(part, part.phase < 0 ? of_run : of_phases);
    // That of a phase says more than the same of the whole run.
    fabric::Findings& found = of_phases.empty() ? of_run : of_phases;
    std::ranges::move(found, std::back_inserter(all.findings));
  }
  const auto is_at_bound = [](const Finding& f) {
    return f.kind == FindingKind::computing || f.kind == FindingKind::full_link;
  };
  std::ranges::stable_sort(all.findings, [&](const Finding& a, const Finding& b) {
    return std::pair(is_at_bound(b), a.cycles) > std::pair(is_at_bound(a), b.cycles);
  });
  return all;
}

}  // namespace weft::inline v0
