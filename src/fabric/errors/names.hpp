#pragma once

#include <functional>
#include <span>
#include <string>

#include "fabric/stepper/pe_state.hpp"
#include "program/color_names.hpp"
#include "weft/deadlock.hpp"
#include "weft/program.hpp"

/// The user's names for the parts of a fabric, for errors and reports.
namespace weft::fabric {

struct Names {
  ColorNames colors{};
  std::function<const Program*(int x, int y)> program_at{};  ///< none: no program has words

  /// Null: it has none, or there is none.
  const Program* program(int x, int y) const { return program_at ? program_at(x, y) : nullptr; }
};

/// DeadlockWait::name.
std::string wait_name(const PeState& pe, const DeadlockWait& wait, const Names& names);

/// "12 of 16 busy PEs are at copy(u, from(halo)) (heat.py:31)": the operation that most PEs are at,
/// in their task or in a microthread. Empty: none is known.
std::string busiest(std::span<const PeState> pes, const Names& names);

}  // namespace weft::fabric
