#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <vector>

#include "cli/sweep/child.hpp"
#include "cli/sweep/journal.hpp"
#include "cli/sweep/sweep_runs.hpp"

namespace weft::cli {

/// A run that has ended, by its number in the grid.
struct EndedRun {
  std::size_t number = 0;
  KeptRun kept{};
};

struct WorkersLimits {
  std::size_t at_once;  ///< runs, each with its share of the cores
  int cores;
  double of_memory;  ///< of the host's available memory, from 0 to 1
};

/// The runs that this process makes, side by side, each in a process of its own.
class Workers {
 public:
  Workers(const std::vector<SweepRun>& runs, const WorkersLimits& limits);

  /// How many more may begin, if each takes the most that a run has taken so far; 0: none has
  /// ended, and the first goes on alone.
  std::size_t free(std::uint64_t most_bytes) const;
  /// Begins a run. Throws Error(environment).
  void begin(std::size_t number);
  /// Those that have ended since the last call, but for those that Ctrl-C has ended.
  std::vector<EndedRun> ended();

 private:
  struct UnderWay {
    std::size_t number;
    Child child;
  };

  const std::vector<SweepRun>& runs_;
  WorkersLimits limits_;
  std::string threads_;
  double room_;  ///< bytes
  std::list<UnderWay> under_way_{};
};

}  // namespace weft::cli
