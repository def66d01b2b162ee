#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "base/grouped.hpp"
#include "base/names.hpp"
#include "fabric/explain/path.hpp"
#include "weft/explanation.hpp"

/// An explanation in words.
namespace weft::inline v0 {
namespace {

using base::grouped;

constexpr std::size_t kMostFindings = 12, kMostCauses = 8, kMostWaits = 4;

std::string place(const Least& least, bool link) {
  if (least.cycles == 0) return "0";
  return fmt::format("{} ({}, {}){}{}", grouped(least.cycles), least.x, least.y, link ? " " : "",
                     link ? port_name(static_cast<int>(least.port)) : "");
}

std::string states(const PhaseExplanation& whole) {
  return fmt::format(
      "{:.0f} % computing, {:.0f} % moving, {:.0f} % waiting for data, {:.0f} % for room, {:.0f} % "
      "idle",
      100 * whole.computing, 100 * whole.moving, 100 * whole.waits_data, 100 * whole.waits_room,
      100 * whole.idle);
}

std::string table(const Explanation& e) {
  std::size_t width = 9;
  for (const PhaseExplanation& each : e.phases) width = std::max(width, each.name.size());
  std::string text = fmt::format("{:{}} {:>12}  {:22} {:20} {:20} {}\n", "At least", width, "took",
                                 "fullest link", "busiest core", "busiest ramp", "longest way");
  for (const PhaseExplanation& each : e.phases)
    text += fmt::format("{:{}} {:>12}  {:22} {:20} {:20} {}\n",
                        each.name.empty() ? "whole run" : each.name, width, grouped(each.took),
                        place(each.link, true), place(each.core, false), place(each.ramp, false),
                        grouped(each.way));
  return text;
}

std::string text_of(const Finding& f) {
  std::string text = fmt::format("- {} cycles, {:.0f} %{}: {}.\n", grouped(f.cycles), 100 * f.share,
                                 f.phase.empty() ? "" : ", in " + f.phase, f.what);
  if (!f.line.empty()) text += fmt::format("    at {}\n", f.line);
  return text + fmt::format("    Advice: {}.\n", f.advice);
}

std::string wait_text(const Stuck& stuck, const StuckWait& wait) {
  std::string text = "    " + wait.what;
  if (wait.what.find(wait.line) == std::string::npos) text += ", at " + wait.line;
  const StuckWait* other =
      wait.waits_for < 0 ? nullptr : &stuck.waits[static_cast<std::size_t>(wait.waits_for)];
  if (other != nullptr && other != &wait) text += "\n      waits for " + other->what;
  return text + '\n';
}

/// The waits of a cause (-1: of none): first causes, then those that wait for others.
std::string waits_text(const Stuck& stuck, std::int32_t cause, std::size_t most) {
  std::string text;
  for (const bool first : {true, false}) {
    std::size_t count = 0;
    for (const StuckWait& wait : stuck.waits)
      if (wait.cause == cause && wait.first == first && ++count <= most)
        text += wait_text(stuck, wait);
    if (count > most)
      text += fmt::format("    and {} more{}\n", count - most, first ? " like these" : "");
  }
  return text;
}

std::string stuck_text(const Stuck& stuck) {
  std::string text = fmt::format("The run did not end: {}.\n\nWho waits for whom\n", stuck.error);
  for (std::size_t n = 0; n < stuck.causes.size() && n < kMostCauses; ++n)
    text += fmt::format("- First cause: {}.\n{}", stuck.causes[n],
                        waits_text(stuck, static_cast<std::int32_t>(n), kMostWaits));
  if (stuck.causes.size() > kMostCauses)
    text += fmt::format("and {} more causes\n", stuck.causes.size() - kMostCauses);
  return text + waits_text(stuck, -1, 4 * kMostWaits);
}

}  // namespace

std::string explanation_text(const Profile& p) {
  std::string text = fmt::format("{} cycles on {} x {} PEs ({}).", grouped(p.cycles), p.width,
                                 p.height, p.machine.name);
  const Explanation e = explain(p);
  if (!e.phases.empty()) {
    text += fmt::format(" Cores: {}.\n\n{}\n", states(e.phases.front()), table(e));
    text += e.findings.empty() ? "Nothing stands out.\n"
                               : "Where cycles go, and can be saved at most\n";
    for (std::size_t n = 0; n < e.findings.size() && n < kMostFindings; ++n)
      text += text_of(e.findings[n]);
    if (e.findings.size() > kMostFindings)
      text += fmt::format("and {} more findings\n", e.findings.size() - kMostFindings);
  } else {
    text += '\n';
  }
  if (const std::string path = fabric::path_text(p, e.path); !path.empty()) text += "\n" + path;
  if (p.stuck) text += "\n" + stuck_text(*p.stuck);
  return text;
}

}  // namespace weft::inline v0
