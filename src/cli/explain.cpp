#include "cli/explain.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/names.hpp"
#include "cli/common/exit_code.hpp"
#include "cli/common/options.hpp"
#include "cli/common/outputs.hpp"
#include "cli/fft/optional_json.hpp"
#include "cli/fft/report.hpp"
#include "cli/text/terminal.hpp"
#include "weft/explanation.hpp"

namespace weft::cli {
namespace {

using nlohmann::ordered_json;

ordered_json least_json(const Least& least, bool is_link) {
  ordered_json json = {{"cycles", least.cycles}, {"pe", {least.x, least.y}}};
  if (is_link) json["port"] = port_name(static_cast<int>(least.port));
  return json;
}

ordered_json phase_json(const PhaseExplanation& phase) {
  return {{"name", phase.name},
          {"took", phase.took},
          {"fullest_link", least_json(phase.link, true)},
          {"busiest_core", least_json(phase.core, false)},
          {"busiest_ramp", least_json(phase.ramp, false)},
          {"longest_way", phase.way},
          {"computing", phase.computing},
          {"moving", phase.moving},
          {"waits_data", phase.waits_data},
          {"waits_room", phase.waits_room},
          {"idle", phase.idle}};
}

ordered_json finding_json(const weft::Finding& finding) {
  const bool has_place = finding.x >= 0;
  return {{"kind", to_string(finding.kind)},
          {"what", finding.what},
          {"cycles", finding.cycles},
          {"share", finding.share},
          {"phase", finding.phase},
          {"pe", has_place ? ordered_json{finding.x, finding.y} : ordered_json(nullptr)},
          {"color", number_json(finding.color)},
          {"line", finding.line},
          {"advice", finding.advice}};
}

ordered_json shares_json(const std::vector<PathShare>& shares) {
  ordered_json all = ordered_json::array();
  for (const PathShare& each : shares)
    all.push_back({{"what", each.what},
                   {"phase", each.phase},
                   {"line", each.line},
                   {"color", number_json(each.color)},
                   {"cycles", each.cycles},
                   {"parts", each.parts},
                   {"pe", {each.x, each.y}}});
  return all;
}

ordered_json path_json(const Explanation& all) {
  if (all.path.kinds.empty()) return nullptr;
  return {{"kinds", shares_json(all.path.kinds)},
          {"phases", shares_json(all.path.phases)},
          {"places", shares_json(all.path.places)}};
}

ordered_json stuck_json(const std::optional<Stuck>& stuck) {
  if (!stuck) return nullptr;
  ordered_json waits = ordered_json::array();
  for (const StuckWait& wait : stuck->waits)
    waits.push_back({{"what", wait.what},
                     {"line", wait.line},
                     {"pe", {wait.x, wait.y}},
                     {"color", number_json(wait.color)},
                     {"cause", number_json(wait.cause)},
                     {"waits_for", number_json(wait.waits_for)},
                     {"first", wait.first}});
  return {{"error", stuck->error}, {"causes", stuck->causes}, {"waits", std::move(waits)}};
}

ordered_json explanation_json(const Profile& profile) {
  const Explanation all = explain(profile);
  ordered_json phases = ordered_json::array(), findings = ordered_json::array();
  for (const PhaseExplanation& phase : all.phases) phases.push_back(phase_json(phase));
  for (const weft::Finding& finding : all.findings) findings.push_back(finding_json(finding));
  return {{"cycles", all.cycles},
          {"phases", std::move(phases)},
          {"findings", std::move(findings)},
          {"path", path_json(all)},
          {"stuck", stuck_json(profile.stuck)}};
}

constexpr const char* kExplainFooter =
    "Examples:\n"
    "  weft fft --shape 16,16,16 --profile run.weft\n"
    "  weft explain run.weft\n"
    "  weft explain run.weft --json - | jq .findings[0].advice\n"
    "\n"
    "Exit codes:\n"
    "  0  it is explained\n"
    "  1  an unexpected failure of Weft itself; please report it\n"
    "  2  invalid arguments or run, or a file that could not be written";

}  // namespace

CLI::App* add_explain(CLI::App& app, ExplainArguments& arguments) {
  CLI::App* explain =
      app.add_subcommand("explain", "Tell where the cycles of a run went, and what to do");
  explain
      ->add_option("RUN", arguments.run,
                   "A run's file, such as run.weft, that a profile was saved to")
      ->type_name("FILE")
      ->required();
  explain
      ->add_option("--json", arguments.json,
                   "Write it as JSON to this file, or with - to standard output")
      ->type_name("FILE");
  explain->footer(kExplainFooter);
  return explain;
}

int run_explain(const ExplainArguments& arguments) {
  const bool to_file = arguments.json && *arguments.json != kStandardOutput;
  if (to_file) check_outputs({{"RUN", arguments.run}}, {{"--json", *arguments.json}});
  const Profile profile = Profile::load(arguments.run);
  if (arguments.json) write_json(*arguments.json, explanation_json(profile));
  if (arguments.json != kStandardOutput) write_stdout(explanation_text(profile));
  return kOk;
}

}  // namespace weft::cli
