#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/processes.hpp"

namespace CLI {
class App;
}

namespace weft::cli {

/// The arguments of `weft sweep`, as given.
struct SweepArguments {
  std::vector<std::string> set;      ///< "NAME=VALUES", a dimension of the grid each
  std::vector<std::string> command;  ///< a sub-command and its arguments
  std::optional<std::string> metric, output;
  std::optional<int> jobs;
  bool again = false, list = false, quiet = false;

  // Not options: the processes that share the runs, and what this one calls before them; null:
  // there are no others.
  std::shared_ptr<Processes> processes{};
  std::function<void()> before_runs{};
};

/// Adds `weft sweep`; parsing fills `arguments`.
CLI::App* add_sweep(CLI::App& app, SweepArguments& arguments);

/// Runs it and returns the exit code. `app` knows the sub-commands and their options.
int run_sweep(const CLI::App& app, const SweepArguments& arguments);

}  // namespace weft::cli
