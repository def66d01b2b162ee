#pragma once

#include <functional>
#include <string>
#include <vector>

#include "weft/pe_program.hpp"

/// Patterns of several operations in a PE, one after the other.
namespace weft::patterns {

/// Each issues an operation, and returns it.
using Steps = std::vector<std::function<PeOperation()>>;

/// Of a program's uses of a pattern one is under way at a time.
struct OneAtATime {
  const char* pattern;
  int shared;       ///< what its uses share: the pattern's first color, or kAllRings
  const char* why;  ///< they cannot overlap
};
inline constexpr int kAllRings = -1;

/// Of steps in tasks.
inline OneAtATime one_at_a_time(const char* pattern, Color first) {
  return {pattern, first.number, "its further steps come later, so elements of both would mix"};
}

/// Refuses a use after one that has been started, and that nothing waits for.
void check_under_way(PeProgram& pe, const OneAtATime& of);
void note_started(PeProgram& pe, const OneAtATime& of, const PeOperation& first);

/// The core waits for each.
void run(PeProgram& pe, const OneAtATime& of, const Steps& steps);

/// The core goes on after the first one, and issues the next ones in a task: what to wait for. Of
/// no steps, nothing.
std::vector<PeOperation> start(PeProgram& pe, const OneAtATime& of, const Steps& steps);

/// The PE receives what this operation sends, as a part of the next one that it waits for. So
/// nothing needs to wait for this one.
void start_and_get_back(PeProgram& pe, PeOperation operation);

}  // namespace weft::patterns
