#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weft/processes.hpp"

namespace weft::test {

/// All messages of a team.
struct Traffic {
  std::uint64_t messages = 0, bytes = 0;              ///< of send
  std::uint64_t most_waiting = 0;                     ///< for a process, of another one
  std::uint64_t gathers = 0, gathered_bytes = 0;      ///< of a process
  std::uint64_t broadcasts = 0, broadcast_bytes = 0;  ///< of a process
};

/// So many processes, imitated as threads of this one.
struct Team {
  int size = 1;
  std::uint64_t delays = 0;  ///< seed of random delays of messages; 0: there are none
  Traffic traffic{};         ///< of the last run

  /// work(processes) in each. Returns what each has returned, or the text of what it threw; a
  /// process that waits for one that has ended throws, too.
  std::vector<std::string> run(
      const std::function<std::string(const std::shared_ptr<Processes>&)>& work);
};

}  // namespace weft::test
