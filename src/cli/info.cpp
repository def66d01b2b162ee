#include "cli/info.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/exit_code.hpp"
#include "cli/report.hpp"
#include "cli/terminal.hpp"
#include "engine/engine.hpp"
#include "io/atomic_file.hpp"
#include "weft/machine.hpp"
#include "weft/version.hpp"

namespace weft::cli {
namespace {

using nlohmann::ordered_json;

bool is_changed(const Machine& machine, const MachineConstant& constant) {
  return machine.*constant.member != constant.default_value;
}

// Two lines for each constant: its numbers, and below them what it means.
std::string info_text(const Machine& machine) {
  std::string text =
      fmt::format("weft {}\n  engines        host\n  vector width   {}\n  machine        {}\n\n",
                  version(), engine::step_variant(), machine_title(machine));
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "  {:<24}{:>9}{:>9}{:>17}  {:<16}{}\n", "constant", "value", "default",
                 "allowed", "unit", "origin");
  for (const MachineConstant& constant : machine_constants()) {
    fmt::format_to(out, "{} {:<24}{:>9}{:>9}{:>17}  {:<16}{}\n      {}\n",
                   is_changed(machine, constant) ? '*' : ' ', constant.name,
                   machine.*constant.member, constant.default_value,
                   fmt::format("{}..{}", constant.low, constant.high), constant.unit,
                   name(constant.origin), constant.meaning);
  }
  text +=
      "\n  * differs from the default\n"
      "  published: stated by the vendor or a paper; calibrated: unpublished, chosen so that\n"
      "  published totals are met; chosen: unpublished, for the reason given\n";
  return text;
}

ordered_json info_json(const Machine& machine) {
  ordered_json constants = ordered_json::array();
  for (const MachineConstant& constant : machine_constants()) {
    constants.push_back({{"name", constant.name},
                         {"value", machine.*constant.member},
                         {"default", constant.default_value},
                         {"changed", is_changed(machine, constant)},
                         {"low", constant.low},
                         {"high", constant.high},
                         {"unit", constant.unit},
                         {"origin", name(constant.origin)},
                         {"meaning", constant.meaning}});
  }
  return {{"version", version()},
          {"engines", {"host"}},
          {"vector_width", engine::step_variant()},
          {"machine", machine.name},
          {"constants", std::move(constants)}};
}

}  // namespace

CLI::App* add_info(CLI::App& app, InfoArguments& arguments) {
  CLI::App* info =
      app.add_subcommand("info", "Version, engines, and every constant of the emulated machine");
  info->add_option("--machine", arguments.machine,
                   "Machine profile to show: wse2, wse2-simfab, or a JSON file")
      ->type_name("FILE");
  info->add_option("--json", arguments.json,
                   "Write the same as JSON; - is standard output, in place of the table")
      ->type_name("FILE");
  info->footer(
      "A machine profile changes constants by name, and may name the machine:\n"
      "  {\"name\": \"slow ramp\", \"ramp_cycles\": 4}\n"
      "\n"
      "Examples:\n"
      "  weft info\n"
      "  weft info --machine slow_ramp.json\n"
      "  weft info --json - | jq '.constants[] | select(.origin == \"calibrated\").name'");
  return info;
}

int run_info(const InfoArguments& arguments) {
  const Machine machine = arguments.machine ? find_machine(*arguments.machine) : Machine{};
  if (arguments.json == "-") {
    write_stdout(json_text(info_json(machine)));
    return kOk;
  }
  if (arguments.json) {
    io::write_file(*arguments.json, json_text(info_json(machine)));
  }
  write_stdout(info_text(machine));
  return kOk;
}

}  // namespace weft::cli
