#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "weft/program.hpp"

/// Local tasks for the waits of a program. Each wait has tasks of its own while there are enough;
/// beyond that, waits that are never under way at the same time share tasks.
namespace weft::inline v0 {

/// Tasks that a PeProgram hands out itself; 29 is for teardowns, so it is given by number only.
inline constexpr std::array kTaskOrder = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                          11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                                          21, 22, 23, 24, 25, 26, 27, 28, 30};

/// A wait needs a chain of tasks. The first begins at the end of two operations, each of the others
/// at the end of one more operation and of the task before it. The last one is the code below.
struct Wait {
  std::size_t section;  ///< of the program's code
  int depth;            ///< loops around it
  int first, place;     ///< waits of the section before its first operation, and before itself
  int join, tasks;      ///< of the chain: the number of the first one, and how many
  bool blocked;         ///< whether they begin blocked; one operation alone only activates its task
  std::vector<int> ids;  ///< of the tasks, while they are its own
  TaskPriority priority = TaskPriority::low;
};

/// Tasks that waits of a section share, one wait at a time. The last one goes on where a register
/// tells it.
struct SharedTasks {
  std::size_t section;
  std::vector<int> ids;
};

struct WaitTasks {
  std::vector<std::optional<std::size_t>>
      shared;  ///< by wait: one of `groups`, or tasks of its own
  std::vector<SharedTasks> groups;
  std::vector<int> id;  ///< of each task of a chain, by its number
};

/// Nothing if there are too few tasks. `ids`: the free ones of a program.
std::optional<WaitTasks> choose_wait_tasks(const std::vector<Wait>& waits, std::vector<int> ids);

}  // namespace weft::inline v0
