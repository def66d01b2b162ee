#include "cli/reproduce/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/common/exit_code.hpp"
#include "cli/common/interrupt.hpp"
#include "cli/common/options.hpp"
#include "cli/common/outputs.hpp"
#include "cli/fft/report.hpp"
#include "cli/reproduce/runner.hpp"
#include "cli/text/result_table.hpp"
#include "cli/text/terminal.hpp"
#include "cli/text/text_table.hpp"
#include "evaluation/folder.hpp"
#include "evaluation/item.hpp"
#include "evaluation/plot.hpp"
#include "evaluation/store.hpp"
#include "evaluation/write.hpp"
#include "io/atomic_file.hpp"
#include "weft/error.hpp"
#include "weft/version.hpp"

namespace weft::cli {
namespace {

using evaluation::Item;
using evaluation::Outcomes;
using evaluation::Paper;
using evaluation::Result;

std::string list_text() {
  std::string text;
  for (const Paper& paper : evaluation::papers()) {
    text += fmt::format("weft reproduce {}: {}\n", paper.name, paper.title);
    for (const Item& item : paper.items)
      text += fmt::format("  {:<12}  {}\n", item.name, item.title);
  }
  return text;
}

const Paper& choose_paper(const std::string& name) {
  Words<const Paper*> known;
  for (const Paper& paper : evaluation::papers()) known.push_back({paper.name, &paper});
  if (name.empty())
    throw Error(ErrorCategory::usage, "no paper is named", "weft reproduce takes one",
                "try 'weft reproduce wsfft --quick', or see 'weft reproduce --list'");
  return *choose("paper", name, known);
}

std::vector<const Item*> choose_items(const Paper& paper, const std::vector<std::string>& only) {
  Words<const Item*> known;
  for (const Item& item : paper.items) known.push_back({item.name, &item});
  std::vector<const Item*> items;
  for (const std::string& word : split_lists("--only", only))
    add_once(items, choose("--only", word, known));
  if (only.empty())
    for (const Item& item : paper.items) items.push_back(&item);
  return items;
}

/// Each once, quick ones first.
std::vector<evaluation::Run> runs_of(const std::vector<const Item*>& items,
                                     const evaluation::Scope& scope) {
  std::vector<evaluation::Run> runs;
  std::set<std::string> keys;
  for (const Item* item : items)
    for (const evaluation::Run& run : item->runs(scope))
      if (keys.insert(key_of(run)).second) runs.push_back(run);
  std::ranges::stable_sort(runs, {}, evaluation::work_of);
  return runs;
}

struct Written {
  std::vector<Result> results;
  std::string text;
};

Written make_all(const std::vector<const Item*>& items, const Paper& paper,
                 const evaluation::Scope& scope, const Outcomes& outcomes, const Machine& machine) {
  Written all;
  all.text = fmt::format("weft reproduce {}: {}\nmachine {}; Weft {}\n\n", paper.name, paper.title,
                         machine_title(machine), version());
  for (const Item* item : items) {
    all.results.push_back(item->make(scope, outcomes, machine));
    all.text += result_table(all.results.back());
  }
  for (const auto& [run, why] : outcomes.refused())
    all.text += "  " + folded(fmt::format("Not run: {}: {}", run, why), 2) + "\n";
  return all;
}

nlohmann::ordered_json report_json(const Paper& paper, const Written& all, const Outcomes& outcomes,
                                   const Machine& machine) {
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const Result& result : all.results) results.push_back(evaluation::json_of(result));
  return {{"version", version()},
          {"paper", paper.name},
          {"machine", machine_json(machine)},
          {"results", results},
          {"not_run", outcomes.refused()}};
}

/// Files in the folder, but for pictures.
void write_files(const std::string& folder, const Paper& paper, const Written& all,
                 const Outcomes& outcomes, const Machine& machine) {
  for (const Result& result : all.results)
    io::write_file(fmt::format("{}/{}.csv", folder, result.name), evaluation::csv_of(result.table));
  io::write_file(folder + "/report.txt", all.text);
  write_json(folder + "/report.json", report_json(paper, all, outcomes, machine));
}

struct Drawn {
  std::string lines;  ///< about pictures that were not drawn
  bool failed = false;
};

Drawn draw_all(const std::string& folder, const Written& all) {
  const auto has_points = [](const Result& result) {
    return result.figure && std::ranges::any_of(result.figure->series, [](const auto& series) {
             return !series.points.empty();
           });
  };
  if (std::ranges::none_of(all.results, has_points)) return {};
  if (!evaluation::can_plot())
    return {
        "weft: no pictures were drawn (gnuplot is not installed); install gnuplot-nox and run "
        "the same command again\n"};
  Drawn drawn;
  for (const Result& result : all.results) {
    if (!has_points(result)) continue;
    try {
      evaluation::plot(*result.figure, result.title, fmt::format("{}/{}", folder, result.name));
    } catch (const Error& error) {  // the numbers are written; the other pictures may work
      if (is_interrupted()) throw Interrupted("while pictures were drawn; all numbers are written");
      drawn.lines += error_line(error) + "\n";
      drawn.failed = true;
    }
  }
  return drawn;
}

std::string not_run_line(const Outcomes& outcomes) {
  if (outcomes.refused().empty()) return "";
  const auto& [run, why] = *outcomes.refused().begin();
  const std::size_t count = outcomes.refused().size();
  const std::string such = count == 1 ? "one run" : fmt::format("{} runs", count);
  return one_line(fmt::format("weft: {} could not be made{} {}: {}", such,
                              count == 1 ? "," : ", such as", run, why)) +
         "\n";
}

}  // namespace

int run_reproduce(const ReproduceArguments& arguments) {
  if (arguments.list) {
    write_stdout(list_text());
    return kOk;
  }
  note_interrupts();
  const Paper& paper = choose_paper(arguments.paper);
  const std::vector<const Item*> items = choose_items(paper, arguments.only);
  const evaluation::Scope scope = arguments.quick ? evaluation::kQuick : evaluation::kWhole;
  const Machine machine = arguments.machine ? find_machine(*arguments.machine) : Machine{};
  const int threads = choose_threads(arguments.threads);
  const std::string folder = arguments.output.value_or(fmt::format("reproduce-{}", paper.name));
  const evaluation::Folder in_use(folder);
  evaluation::Store store(folder + "/results.json", machine);
  if (store.others() > 0 && !arguments.quiet)
    write_stderr(
        fmt::format("weft: {} results of other machines or versions in '{}' are kept, and "
                    "not used\n",
                    store.others(), store.path()));
  try {
    const Outcomes outcomes = Runner(store, machine, threads, arguments.again, arguments.quiet)
                                  .all(runs_of(items, scope));
    const Written all = make_all(items, paper, scope, outcomes, machine);
    write_files(folder, paper, all, outcomes, machine);
    if (!arguments.quiet) write_stdout(all.text + fmt::format("written to {}/\n", folder));
    const Drawn drawn = draw_all(folder, all);
    write_stderr(not_run_line(outcomes) + drawn.lines);
    return drawn.failed ? kRefused : kOk;
  } catch (const Interrupted& interrupted) {
    write_stderr(one_line(fmt::format("weft: interrupted {}", interrupted.what())) + "\n");
    return kInterrupted;
  }
}

}  // namespace weft::cli
