#include "cli/sweep/workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/common/exit_code.hpp"
#include "cli/common/interrupt.hpp"
#include "cli/fft/report.hpp"
#include "fabric/build/footprint.hpp"

namespace weft::cli {
namespace {

/// What new processes may take, in bytes: what is free, and what the host can give up at once.
double available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;)
    if (double kibibytes = 0; word == "MemAvailable:" && file >> kibibytes) return kibibytes * 1024;
  return fabric::free_memory();
}

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

Workers::Workers(const std::vector<SweepRun>& runs, const WorkersLimits& limits)
    : runs_(runs),
      limits_(limits),
      threads_(std::to_string(
          std::max(1, limits.cores / std::max(1, static_cast<int>(limits.at_once))))),
      room_(limits.of_memory * available_memory()) {}

std::size_t Workers::free(std::uint64_t most_bytes) const {
  const std::size_t here = under_way_.size();
  if (here >= limits_.at_once) return 0;
  const std::size_t first = here == 0 ? 1 : 0;
  if (most_bytes == 0) return first;
  // Chosen: a tenth of the room is for all others.
  const auto fit = static_cast<std::size_t>(0.9 * room_ / static_cast<double>(most_bytes));
  return std::max(first, std::min(fit, limits_.at_once) - std::min({fit, limits_.at_once, here}));
}

void Workers::begin(std::size_t number) {
  const SweepRun& run = runs_[number];
  std::vector<std::string> arguments = run.arguments;
  arguments.insert(arguments.end(), {"--machine", Child::kInput, "--json", "-", "--quiet"});
  if (!gives(arguments, "--threads")) arguments.insert(arguments.end(), {"--threads", threads_});
  under_way_.push_back({number, Child(arguments, machine_json(run.machine).dump())});
}

std::vector<EndedRun> Workers::ended() {
  std::vector<EndedRun> all;
  for (auto one = under_way_.begin(); one != under_way_.end();) {
    const std::optional<Ended> how = one->child.ended();
    if (!how) {
      ++one;
      continue;
    }
    if (!is_stopped(*how)) all.push_back({one->number, kept(*how)});
    one = under_way_.erase(one);
  }
  return all;
}

}  // namespace weft::cli
