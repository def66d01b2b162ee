#pragma once

#include <string>
#include <vector>

#include "gpu_check/report.hpp"

namespace weft::gpu_check {

struct Options {
  std::string folder;       ///< with the programs
  std::string out;          ///< for the report
  double seconds = 540;     ///< for all
  double step_seconds = 0;  ///< for each step; 0: its own limit
  bool imitation = false;
  std::vector<std::string> only{};  ///< parts of the names of steps; none: all steps
  std::string loader{};             ///< that starts the folder's programs; empty: the system's
  std::string library_path{};       ///< that it gets
};

/// Runs all steps, and writes the report after each of them.
Report run_all(const Options& options);

}  // namespace weft::gpu_check
