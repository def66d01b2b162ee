#pragma once

#include <string>
#include <vector>

#include "cli/sweep/grid.hpp"

namespace weft::cli {

/// A point of the grid, as a command line of this program.
struct SweepRun {
  Point point;
  std::vector<std::string> arguments;  ///< without those about machine, threads and report
  Machine machine;
  std::string key;  ///< see Journal
};

/// Whether a command line has an option.
bool gives(const std::vector<std::string>& command, const std::string& option);

/// The runs of a grid: `command` is a sub-command and the arguments that all share. Throws
/// Error(usage) for arguments that a sweep gives itself.
std::vector<SweepRun> sweep_runs(const std::vector<std::string>& command,
                                 const std::vector<Dimension>& grid);

}  // namespace weft::cli
