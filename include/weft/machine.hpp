#pragma once

#include <span>
#include <string>
#include <string_view>

namespace weft::inline v0 {

/// Where a machine constant's default comes from.
enum class ConstantOrigin {
  published,   ///< stated by the vendor or a paper
  calibrated,  ///< chosen so that published totals are met, because rates are unpublished or do not
               ///< give them
  chosen,      ///< unpublished; chosen for the reason given with it
};

std::string_view to_string(ConstantOrigin origin) noexcept;  ///< "published", ...

/// The named constants of an emulated machine. The defaults are the profile "wse2".
/// Every field is one row of machine.def, which gives its unit, limits, origin and meaning. Plain
/// data: threads may read one at the same time, if none changes it.
struct Machine {
  std::string name = "wse2";
#define WEFT_MACHINE_CONSTANT(field, value, low, high, unit, origin, meaning) int field = value;
#include "weft/machine.def"
#undef WEFT_MACHINE_CONSTANT

  bool operator==(const Machine&) const = default;
};

/// One row of machine.def.
struct MachineConstant {
  std::string_view name;
  int Machine::*member;
  int default_value;
  int low, high;  ///< both ends allowed
  std::string_view unit;
  ConstantOrigin origin;
  std::string_view meaning;
};

/// All constants, in the order of machine.def.
std::span<const MachineConstant> machine_constants() noexcept;

/// The profiles that are built in: "wse2"; "wse2-simfab", whose hop takes two cycles as in the
/// vendor's simulator (and whose routers queue three wavelets, so that links stay busy); and
/// "wse2-pencils", whose moves and branches are set so that the pencils of wsFFT take the cycles
/// that its authors measured, not those that they counted.
std::span<const std::string_view> machine_profiles() noexcept;

/// A profile by name; Error(usage) that names the nearest if it is none of machine_profiles().
Machine machine_profile(std::string_view name);

/// Reads a profile: a JSON object {"name": "mine", "ramp_cycles": 3, ...}; constants not
/// named keep their default. Throws Error(machine_profile) for an unknown key (naming the nearest
/// known one), a value that is no integer or out of range, or a file that is no JSON object;
/// Error(input) for a file that cannot be read.
Machine load_machine(const std::string& path);

/// A built-in profile, else a file; Error(usage) for a name without folder or suffix that is none.
Machine find_machine(const std::string& name_or_path);

/// The same from JSON text; `source` is how messages name it.
Machine parse_machine(std::string_view json, const std::string& source);

/// Throws Error(machine_profile) if a constant is out of its range.
void check_machine(const Machine& machine);

}  // namespace weft::inline v0
