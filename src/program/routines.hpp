#pragma once

#include <cstdint>

#include "weft/program.hpp"

/// Arithmetic for which a PE has no instruction. A program calls a routine with its operands in
/// registers a and b, and finds the result in a. Other registers stay: the routine saves those that
/// it takes.
namespace weft::inline v0 {

enum class Routine : std::uint8_t {
  divide,           ///< a / b, FP32
  square_root,      ///< of a, FP32; b is lost
  divide_signed,    ///< a / b, integers; the remainder is in b
  divide_unsigned,  ///< likewise
};

/// Where all routines of a program find what they need.
struct RoutinePlace {
  Reg a, b, link, zero;  ///< link: the register of the call; zero holds 0
  std::uint32_t memory;  ///< byte address of kRoutineBytes of its own
};
inline constexpr std::uint32_t kRoutineBytes = 24;

/// Writes a routine; `entry` is a label of the builder, not placed yet.
void write_routine(ProgramBuilder& builder, Routine routine, Label entry,
                   const RoutinePlace& place);

}  // namespace weft::inline v0
