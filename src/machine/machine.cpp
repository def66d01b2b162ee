#include "weft/machine.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/nearest.hpp"
#include "weft/error.hpp"

namespace weft::inline v0 {
namespace {

constexpr MachineConstant kConstants[] = {
#define WEFT_MACHINE_CONSTANT(field, value, low, high, unit, origin, meaning) \
  {#field, &Machine::field, value, low, high, unit, ConstantOrigin::origin, meaning},
#include "weft/machine.def"
#undef WEFT_MACHINE_CONSTANT
};

}  // namespace

std::string_view to_string(ConstantOrigin origin) noexcept {
  switch (origin) {
    case ConstantOrigin::published:
      return "published";
    case ConstantOrigin::calibrated:
      return "calibrated";
    case ConstantOrigin::chosen:
      return "chosen";
  }
  return "chosen";
}

std::span<const MachineConstant> machine_constants() noexcept { return kConstants; }

void check_machine(const Machine& machine) {
  for (const MachineConstant& constant : kConstants) {
    const int value = machine.*constant.member;
    if (value < constant.low || value > constant.high) {
      throw Error(ErrorCategory::machine_profile,
                  fmt::format("machine '{}': {} is {}", machine.name, constant.name, value),
                  fmt::format("allowed: {} to {} {}", constant.low, constant.high, constant.unit),
                  fmt::format("the default is {}", constant.default_value));
    }
  }
}

std::span<const std::string_view> machine_profiles() noexcept {
  static constexpr std::string_view kNames[] = {"wse2", "wse2-simfab", "wse2-pencils"};
  return kNames;
}

Machine machine_profile(std::string_view name) {
  Machine machine;
  if (name == machine_profiles()[0]) return machine;
  if (name == machine_profiles()[1]) {
    machine.name = name;
    machine.hop_cycles = 2;
    machine.router_queue_depth = 3;
    return machine;
  }
  if (name == machine_profiles()[2]) {
    machine.name = name;
    machine.move32_rate = 2;
    machine.branch_taken_cycles = 3;
    return machine;
  }
  const auto meant = base::nearest(name, machine_profiles());
  throw Error(ErrorCategory::usage, fmt::format("no machine profile '{}'", name),
              fmt::format("built in are {}", fmt::join(machine_profiles(), ", ")),
              meant ? fmt::format("name {}, or the path of a JSON file", *meant)
                    : "name one of these, or the path of a JSON file");
}

Machine find_machine(const std::string& name_or_path) {
  const auto names = machine_profiles();
  // Without a folder or a suffix it is a name, unless there is a file of this name.
  const std::filesystem::path path(name_or_path);
  std::error_code unknown;
  const bool is_name =
      std::find(names.begin(), names.end(), name_or_path) != names.end() ||
      (!path.has_parent_path() && !path.has_extension() && !std::filesystem::exists(path, unknown));
  return is_name ? machine_profile(name_or_path) : load_machine(name_or_path);
}

}  // namespace weft::inline v0
