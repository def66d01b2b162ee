#include "cli/sweep/sweep_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "cli/fft/report.hpp"
#include "weft/error.hpp"
#include "weft/version.hpp"

namespace weft::cli {

bool gives(const std::vector<std::string>& command, const std::string& option) {
  return std::ranges::any_of(command, [&](const std::string& word) {
    return word == option || word.starts_with(option + "=");
  });
}

namespace {

/// The machine that the command names, which is taken out of it.
Machine take_machine(std::vector<std::string>& command) {
  const std::string option = "--machine";
  for (auto word = command.begin(); word != command.end(); ++word) {
    std::string name;
    if (word->starts_with(option + "=")) {
      name = word->substr(option.size() + 1);
      command.erase(word);
    } else if (*word == option && std::next(word) != command.end()) {
      name = *std::next(word);
      command.erase(word, word + 2);
    } else {
      continue;
    }
    return find_machine(name);
  }
  return {};
}

}  // namespace

std::vector<SweepRun> sweep_runs(const std::vector<std::string>& command,
                                 const std::vector<Dimension>& grid) {
  std::vector<std::string> shared = command;
  for (const char* own :
       {"--json", "--quiet", "--output", "--png", "--trace", "--profile", "--explain"})
    if (gives(shared, own))
      throw Error(ErrorCategory::usage, fmt::format("invalid argument of a sweep: {}", own),
                  "all runs would write to one place", "leave it out: sweep.csv has the reports");
  if (gives(shared, "--help"))
    throw Error(ErrorCategory::usage, "invalid argument of a sweep: --help", "it runs nothing",
                "leave it out");
  const Machine base = take_machine(shared);
  if (gives(shared, "--machine"))
    throw Error(ErrorCategory::usage, "invalid argument of a sweep: --machine",
                "it is given twice, or without a name", "give one machine profile");
  for (const Dimension& dimension : grid)
    if (dimension.constant == nullptr && gives(shared, "--" + dimension.name))
      throw Error(ErrorCategory::usage, fmt::format("--{} is given twice", dimension.name),
                  "as a dimension of the grid, and for all runs", "leave one of them out");
  std::vector<SweepRun> runs;
  for (Point& point : points_of(grid)) {
    SweepRun run{.point = std::move(point), .arguments = shared, .machine = base, .key = {}};
    for (std::size_t k = 0; k < grid.size(); ++k) {
      const std::string& value = run.point[k];
      if (grid[k].constant != nullptr)
        run.machine.*grid[k].constant->member = std::stoi(value);
      else if (!grid[k].is_flag)
        run.arguments.insert(run.arguments.end(), {"--" + grid[k].name, value});
      else if (value == "true")
        run.arguments.push_back("--" + grid[k].name);
    }
    run.key = fmt::format("{}, weft {} on {}", fmt::join(run.arguments, " "), version(),
                          machine_json(run.machine).dump());
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace weft::cli
