#include "cli/sweep/sweep_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <list>
#include <optional>
#include <thread>
#include <utility>

#include "cli/common/exit_code.hpp"
#include "cli/common/interrupt.hpp"
#include "cli/fft/report.hpp"
#include "cli/sweep/child.hpp"
#include "cli/text/progress.hpp"
#include "fabric/build/footprint.hpp"
#include "weft/error.hpp"
#include "weft/version.hpp"

namespace weft::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kWait{5};  // chosen: short beside the shortest run, which takes 20 ms

bool gives(const std::vector<std::string>& command, const std::string& option) {
  return std::ranges::any_of(command, [&](const std::string& word) {
    return word == option || word.starts_with(option + "=");
  });
}

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

/// What new processes may take, in bytes: what is free, and what the host can give up at once.
double available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;)
    if (double kibibytes = 0; word == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024;
  return fabric::free_memory();
}

/// A run under way.
struct UnderWay {
  const SweepRun* run;
  Child child;
};

/// Ctrl-C ended it too, perhaps before it noted signals.
bool is_stopped(const Ended& ended) {
  return is_interrupted() &&
         (ended.code == kInterrupted || ended.signal == SIGINT || ended.signal == SIGTERM);
}

/// The last line of what a process wrote to standard error, without "weft: ".
std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t line = text.rfind('\n');
  if (line != std::string::npos) text.erase(0, line + 1);
  if (text.starts_with("weft: ")) text.erase(0, 6);
  return one_line(text);
}

KeptRun kept(const Ended& ended) {
  KeptRun run;
  run.peak_bytes = ended.peak_bytes;
  if (ended.signal != 0) {
    run.error = fmt::format("ended by signal {}{}", ended.signal,
                            ended.signal == 9 ? " (the host may be out of memory)" : "");
    return run;
  }
  const bool is_report = nlohmann::ordered_json::accept(ended.out);
  if (is_report) run.report = ended.out;
  run.ok = ended.code == kOk && is_report;
  if (!run.ok)
    run.error = ended.err.empty() ? fmt::format("exit code {}", ended.code) : last_line(ended.err);
  return run;
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

void make_runs(const std::vector<SweepRun>& runs, Journal& journal, int jobs, int cores, bool again,
               bool quiet) {
  std::vector<const SweepRun*> left;
  std::uint64_t most_bytes = 0;  // of a run so far; 0: none has ended
  for (const SweepRun& run : runs) {
    const KeptRun* const known = again ? nullptr : journal.find(run.key);
    if (known == nullptr)
      left.push_back(&run);
    else
      most_bytes = std::max(most_bytes, known->peak_bytes);
  }
  const std::size_t count = left.size();
  const std::size_t at_once = std::min<std::size_t>(static_cast<std::size_t>(jobs), count);
  const std::string threads =
      std::to_string(std::max(1, cores / std::max(1, static_cast<int>(at_once))));
  const double room = available_memory();
  ProgressBar bar(!quiet);
  std::list<UnderWay> under_way;
  std::size_t begun = 0, ended = 0;
  const auto may_begin = [&] {
    if (begun == count || under_way.size() >= at_once) return false;
    if (under_way.empty()) return true;
    const double needed =
        static_cast<double>(most_bytes) * static_cast<double>(under_way.size() + 1);
    return most_bytes > 0 && needed <= 0.9 * room;  // chosen: a tenth for all others
  };
  while (ended < count) {
    while (may_begin()) {
      const SweepRun& run = *left[begun];
      ++begun;
      std::vector<std::string> arguments = run.arguments;
      arguments.insert(arguments.end(), {"--machine", Child::kInput, "--json", "-", "--quiet"});
      if (!gives(arguments, "--threads")) arguments.insert(arguments.end(), {"--threads", threads});
      under_way.push_back({&run, Child(arguments, machine_json(run.machine).dump())});
    }
    for (auto one = under_way.begin(); one != under_way.end();) {
      const std::optional<Ended> how = one->child.ended();
      if (!how) {
        ++one;
        continue;
      }
      if (!is_stopped(*how)) {
        most_bytes = std::max(most_bytes, how->peak_bytes);
        journal.add(one->run->key, kept(*how));
        ++ended;
      }
      one = under_way.erase(one);
    }
    if (is_interrupted())
      throw Interrupted(
          fmt::format("after {} of {} runs, which '{}' keeps: the same command goes on", ended,
                      count, journal.path()));
    bar.show([&]() -> Shown {
      return {static_cast<double>(ended) / static_cast<double>(count),
              fmt::format("{} of {} runs", ended, count)};
    });
    if (ended < count) std::this_thread::sleep_for(kWait);
  }
}

}  // namespace weft::cli
