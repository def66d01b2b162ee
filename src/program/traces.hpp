#pragma once

#include <cstdint>
#include <optional>

#include "weft/program.hpp"

/// The traces that checks and prints of a program leave in a fabric.
namespace weft::inline v0 {

/// The instruction to which the check with this number returns when it fails. There is none: that
/// is a fault.
constexpr std::int32_t failed_check(int number) { return -2 - number; }
/// The other way round.
inline std::optional<std::size_t> check_at(const ProgramNotes& notes, std::int64_t instruction) {
  const std::int64_t number = -2 - instruction;
  if (number < 0 || number >= static_cast<std::int64_t>(notes.checks.size())) return {};
  return static_cast<std::size_t>(number);
}

/// The array of printed values, and the words of each: two of the cycle, lower one first, the
/// number of its print from 1 on (0: it is not written yet), and the value.
inline constexpr const char* kPrintedSymbol = "printed values";
inline constexpr std::uint32_t kPrintedWords = 4;

}  // namespace weft::inline v0
