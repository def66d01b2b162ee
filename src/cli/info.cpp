#include "cli/info.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/common/engines.hpp"
#include "cli/common/exit_code.hpp"
#include "cli/common/options.hpp"
#include "cli/common/outputs.hpp"
#include "cli/fft/report.hpp"
#include "cli/text/terminal.hpp"
#include "cli/text/text_table.hpp"
#include "engine/devices.hpp"
#include "engine/engine.hpp"
#include "reference/reference.hpp"
#include "weft/machine.hpp"
#include "weft/version.hpp"

namespace weft::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kTitleColumns = 17, kMeaningColumns = 6;  // before what may be folded

bool is_changed(const Machine& machine, const MachineConstant& constant) {
  return machine.*constant.member != constant.default_value;
}

// "fftw, cufft (no CUDA device)", of a table of engines or references.
template <typename Row>
std::string names_text(std::span<const Row> table) {
  std::vector<std::string> names;
  for (const Row& row : table) {
    const std::string why = row.why_absent();
    names.push_back(why.empty() ? std::string(row.name) : fmt::format("{} ({})", row.name, why));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

// Name and reason of each that cannot be used here.
template <typename Row>
void add_absent(ordered_json& absent, std::span<const Row> table) {
  for (const Row& row : table)
    if (const std::string why = row.why_absent(); !why.empty()) absent[std::string(row.name)] = why;
}

ordered_json absent_json() {
  ordered_json absent = ordered_json::object();
  add_absent(absent, engines());
  add_absent(absent, reference::references());
  return absent;
}

template <typename Row>
ordered_json names_json(std::span<const Row> table) {
  ordered_json names = ordered_json::array();
  for (const Row& row : table) {
    if (row.why_absent().empty()) names.push_back(row.name);
  }
  return names;
}

// How the cuda engine would use each device; empty where there is none.
std::string devices_text(const std::vector<engine::DeviceInfo>& devices) {
  std::string text;
  for (const engine::DeviceInfo& d : devices) {
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "  CUDA device    {}", d.name);
    if (d.memory_bytes > 0)
      fmt::format_to(out, ", {:.1f} GiB, {} multiprocessors, compute capability {}.{}",
                     static_cast<double>(d.memory_bytes) / 0x1p30, d.multiprocessors, d.major,
                     d.minor);
    text += '\n';
    if (!d.why_not.empty()) {
      fmt::format_to(out, "                 {}\n", folded(d.why_not, kTitleColumns));
      continue;
    }
    fmt::format_to(out,
                   "                 512 x 512 PEs in tiles of {} x {}, {} threads each,\n"
                   "                 {:.1f} KiB in shared memory, {} registers a thread\n"
                   "                 largest square mesh that fits: {} x {} PEs\n",
                   d.tile_width, d.tile_height, d.threads, static_cast<double>(d.near_bytes) / 1024,
                   d.registers, d.largest_side, d.largest_side);
  }
  return text;
}

ordered_json devices_json(const std::vector<engine::DeviceInfo>& devices) {
  ordered_json all = ordered_json::array();
  for (const engine::DeviceInfo& d : devices) {
    all.push_back({{"name", d.name},
                   {"why_not", d.why_not},
                   {"memory_bytes", d.memory_bytes},
                   {"compute_capability", fmt::format("{}.{}", d.major, d.minor)},
                   {"multiprocessors", d.multiprocessors},
                   {"clock_mhz", d.clock_khz / 1000},
                   {"memory_clock_mhz", d.memory_clock_khz / 1000},
                   {"tile_width", d.tile_width},
                   {"tile_height", d.tile_height},
                   {"threads", d.threads},
                   {"near_bytes", d.near_bytes},
                   {"registers", d.registers},
                   {"largest_side", d.largest_side}});
  }
  return all;
}

// Two lines for each constant: its numbers, and below them what it means.
std::string info_text(const Machine& machine) {
  std::string text = fmt::format(
      "weft {}\n  engines        {}\n  references     {}\n  vector width   {}\n"
      "{}  machine        {}\n\n",
      version(), folded(names_text(engines()), kTitleColumns),
      folded(names_text(reference::references()), kTitleColumns), engine::step_variant(),
      devices_text(engine::devices()), machine_title(machine));
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "  {:<24}{:>9}{:>9}{:>17}  {:<16}{}\n", "constant", "value", "default",
                 "allowed", "unit", "origin");
  for (const MachineConstant& constant : machine_constants()) {
    fmt::format_to(out, "{} {:<24}{:>9}{:>9}{:>17}  {:<16}{}\n      {}\n",
                   is_changed(machine, constant) ? '*' : ' ', constant.name,
                   machine.*constant.member, constant.default_value,
                   fmt::format("{}..{}", constant.low, constant.high), constant.unit,
                   to_string(constant.origin), folded(constant.meaning, kMeaningColumns));
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
                         {"origin", to_string(constant.origin)},
                         {"meaning", constant.meaning}});
  }
  const engine::CudaVersions cuda = engine::cuda_versions();
  return {{"version", version()},
          {"engines", names_json(engines())},
          {"references", names_json(reference::references())},
          {"absent", absent_json()},
          {"vector_width", engine::step_variant()},
          {"cuda", {{"runtime", cuda.runtime}, {"driver", cuda.driver}}},
          {"devices", devices_json(engine::devices())},
          {"machine", machine.name},
          {"constants", std::move(constants)}};
}

}  // namespace

CLI::App* add_info(CLI::App& app, InfoArguments& arguments) {
  CLI::App* info = app.add_subcommand(
      "info", "Version, engines, devices, references, and the emulated machine's constants");
  info->add_option("--machine", arguments.machine,
                   "Machine profile to show: wse2, wse2-simfab, wse2-pencils, or a JSON file")
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
  check_outputs(arguments.machine, arguments.json);
  if (arguments.json) write_json(*arguments.json, info_json(machine));
  if (arguments.json != kStandardOutput) write_stdout(info_text(machine));
  return kOk;
}

}  // namespace weft::cli
