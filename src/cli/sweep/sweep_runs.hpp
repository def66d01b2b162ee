#pragma once

#include <string>
#include <vector>

#include "cli/sweep/grid.hpp"
#include "cli/sweep/journal.hpp"

namespace weft::cli {

/// A point of the grid, as a command line of this program.
struct SweepRun {
  Point point;
  std::vector<std::string> arguments;  ///< without those about machine, threads and report
  Machine machine;
  std::string key;  ///< see Journal
};

/// The runs of a grid: `command` is a sub-command and the arguments that all share. Throws
/// Error(usage) for arguments that a sweep gives itself.
std::vector<SweepRun> sweep_runs(const std::vector<std::string>& command,
                                 const std::vector<Dimension>& grid);

/// Makes those that the journal has not, `jobs` side by side, as far as the host's free memory
/// holds them, by the most that one has taken so far. Throws Interrupted, and what Journal::add
/// throws.
void make_runs(const std::vector<SweepRun>& runs, Journal& journal, int jobs, int cores, bool again,
               bool quiet);

}  // namespace weft::cli
