#pragma once

#include <compare>
#include <map>
#include <string>

#include "weft/program.hpp"

/// A program, and whose its numbers are.
namespace weft::inline v0 {

/// A color's use of a queue from the router (input) or to it.
struct QueueUse {
  bool input;
  int color;
  auto operator<=>(const QueueUse&) const = default;
};

/// The queues of a program, by color.
struct QueueChoice {
  std::map<int, int> input, output;
};

/// Whose the numbers of a program are.
struct ProgramNames {
  QueueChoice queues;
  std::map<int, std::string> registers, local_tasks;
  std::map<int, std::string> subroutines;  ///< by their first instruction
};

/// A program, and whose its numbers are.
struct BuiltProgram {
  Program program;
  ProgramNames names;
};

}  // namespace weft::inline v0
