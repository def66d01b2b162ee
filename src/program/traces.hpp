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

/// The last uses of lines with roots: each the root and the number of its use in the program. Use
/// n, from 1 on, is word n modulo their number.
inline constexpr std::uint32_t kNotedRoots = 32;
constexpr std::uint32_t noted_use(std::uint32_t note) { return note >> 16U; }
constexpr int noted_root(std::uint32_t note) { return static_cast<std::int16_t>(note & 0xffffU); }

}  // namespace weft::inline v0
