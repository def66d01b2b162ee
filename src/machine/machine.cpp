#include "weft/machine.hpp"

#include <fmt/format.h>

#include "weft/error.hpp"

namespace weft {
namespace {

constexpr MachineConstant kConstants[] = {
#define WEFT_MACHINE_CONSTANT(field, value, low, high, unit, origin, meaning) \
  {#field, &Machine::field, value, low, high, unit, Origin::origin, meaning},
#include "weft/machine.def"
#undef WEFT_MACHINE_CONSTANT
};

}  // namespace

std::string_view name(Origin origin) noexcept {
  switch (origin) {
    case Origin::published:
      return "published";
    case Origin::calibrated:
      return "calibrated";
    case Origin::chosen:
      return "chosen";
  }
  return "chosen";
}

std::span<const MachineConstant> machine_constants() noexcept { return kConstants; }

void check(const Machine& machine) {
  for (const MachineConstant& constant : kConstants) {
    const int value = machine.*constant.member;
    if (value < constant.low || value > constant.high) {
      throw Error(Category::machine_profile,
                  fmt::format("machine '{}': {} is {}", machine.name, constant.name, value),
                  fmt::format("allowed: {} to {} {}", constant.low, constant.high, constant.unit),
                  fmt::format("the default is {}", constant.default_value));
    }
  }
}

}  // namespace weft
