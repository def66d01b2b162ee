#include "cli/sweep/sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/common/exit_code.hpp"
#include "cli/common/interrupt.hpp"
#include "cli/common/options.hpp"
#include "cli/fft/report.hpp"
#include "cli/sweep/make_runs.hpp"
#include "cli/sweep/sweep_table.hpp"
#include "cli/text/result_table.hpp"
#include "cli/text/terminal.hpp"
#include "evaluation/folder.hpp"
#include "evaluation/plot.hpp"
#include "evaluation/write.hpp"
#include "io/atomic_file.hpp"
#include "weft/error.hpp"
#include "weft/version.hpp"

namespace weft::cli {
namespace {

const CLI::App& command_of(const CLI::App& app, const SweepArguments& arguments) {
  constexpr std::string_view kKnown[] = {"fft", "compare"};
  const std::string& name = arguments.command.front();
  if (std::ranges::find(kKnown, name) == std::end(kKnown))
    throw Error(ErrorCategory::usage, fmt::format("cannot sweep '{}'", name),
                "it is no sub-command that writes a report", "choose fft or compare after --");
  return *app.get_subcommand(name);
}

std::string list_text(const std::vector<SweepRun>& runs, const std::vector<Dimension>& grid) {
  std::string text;
  for (const SweepRun& run : runs) {
    std::vector<std::string> constants;
    for (std::size_t k = 0; k < grid.size(); ++k)
      if (grid[k].constant != nullptr)
        constants.push_back(fmt::format("{} = {}", grid[k].name, run.point[k]));
    text += fmt::format("weft {}{}{}\n", fmt::join(run.arguments, " "),
                        constants.empty() ? "" : ", with ", fmt::join(constants, ", "));
  }
  return text;
}

/// What is printed of a sweep beside its files.
struct Picture {
  std::string line;
  bool failed = false;
};

Picture draw_metric(const std::optional<evaluation::Figure>& figure, const std::string& title,
                    const std::string& folder) {
  if (!figure || std::ranges::all_of(figure->series, [](const evaluation::Series& series) {
        return series.points.empty();
      }))
    return {};
  if (!evaluation::can_plot())
    return {.line =
                "weft: no picture was drawn (gnuplot is not installed); install gnuplot-nox and "
                "run the "
                "same command again\n"};
  try {
    evaluation::plot(*figure, title, folder + "/sweep");
    return {};
  } catch (const Error& error) {
    return {error_line(error) + "\n", true};
  }
}

}  // namespace

int run_sweep(const CLI::App& app, const SweepArguments& arguments) {
  note_interrupts();
  const std::vector<Dimension> grid = grid_of(arguments.set, command_of(app, arguments));
  const std::vector<SweepRun> runs = sweep_runs(arguments.command, grid);
  if (arguments.list) {
    write_stdout(list_text(runs, grid));
    return kOk;
  }
  const int cores = choose_threads({});
  if (arguments.jobs && *arguments.jobs < 1)
    throw Error(ErrorCategory::usage, fmt::format("invalid --jobs {}", *arguments.jobs),
                "there is at least one", "choose 1 or more, or leave it out");
  const bool is_first = arguments.processes == nullptr || arguments.processes->rank() == 0;
  const std::string folder = arguments.output.value_or("sweep");
  std::optional<evaluation::Folder> in_use;
  std::optional<Journal> kept;
  if (is_first) {
    in_use.emplace(folder);
    kept.emplace(folder + "/runs.jsonl");
  }
  try {
    if (arguments.before_runs) arguments.before_runs();
    make_runs(runs, is_first ? &*kept : nullptr,
              {arguments.jobs.value_or(cores), cores, arguments.again, arguments.quiet},
              arguments.processes.get());
  } catch (const Interrupted& interrupted) {
    write_stderr(one_line(fmt::format("weft: interrupted {}", interrupted.what())) + "\n");
    return kInterrupted;
  }
  if (!is_first) return kOk;
  const Journal& journal = *kept;
  const evaluation::Table numbers = numbers_of(runs, grid, journal);
  io::write_file(folder + "/sweep.csv", evaluation::csv_of(numbers));
  const std::string title = fmt::format("weft {}", fmt::join(arguments.command, " "));
  const auto failed =
      std::ranges::count_if(runs, [&](const SweepRun& run) { return !journal.find(run.key)->ok; });
  const bool compares = arguments.command.front() == "compare";
  const std::string metric = arguments.metric.value_or(compares ? "rows.0.cycles" : "cycles.total");
  write_json(folder + "/sweep.json",
             evaluation::json_of({.name = "sweep", .title = title, .table = numbers}));
  if (static_cast<std::size_t>(failed) == runs.size())
    throw Error(
        ErrorCategory::input,
        runs.size() == 1 ? "the run failed" : fmt::format("all {} runs failed", runs.size()),
        journal.find(runs.front().key)->error,
        fmt::format("mend the command, and try again with --again; '{}/sweep.csv' has each "
                    "reason",
                    folder));
  const std::size_t column = column_of(numbers, grid, metric);
  if (!arguments.quiet)
    write_stdout(result_table({.name = "sweep",
                               .title = title,
                               .table = shown_columns(numbers, grid.size(), column)}) +
                 fmt::format("written to {}/\n", folder));
  const Picture drawn = draw_metric(figure_of(numbers, grid, column), title, folder);
  std::string lines = drawn.line;
  if (failed > 0)
    lines += fmt::format("weft: {} of {} runs failed, and are not tried again without --again\n",
                         failed, runs.size());
  write_stderr(lines);
  return failed > 0 ? kMismatch : drawn.failed ? kRefused : kOk;
}

}  // namespace weft::cli
