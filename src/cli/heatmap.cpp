#include "cli/heatmap.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iterator>

#include "cli/common/exit_code.hpp"
#include "cli/common/outputs.hpp"
#include "evaluation/plot.hpp"
#include "io/suffix.hpp"
#include "weft/error.hpp"

namespace weft::cli {
namespace {

std::string help_text() {
  std::string text = "Metrics; those with a star have windows of time:\n";
  const auto add = [&](bool windowed, std::string_view name, std::string_view unit,
                       std::string_view meaning) {
    fmt::format_to(std::back_inserter(text), "{} {:<13}  {:<12}  {}\n", windowed ? '*' : ' ', name,
                   unit, meaning);
  };
  add(true, heat_map_metrics().front(), "wavelets", "of the PE's four links the one with the most");
  for (const CountInfo& info : count_infos())
    add(info.windowed, info.name, info.unit, info.meaning);
  return text +
         "\n"
         "Examples:\n"
         "  weft heatmap run.weft busiest_link links.png\n"
         "  weft heatmap run.weft computing start.png --window 0\n"
         "  weft heatmap run.weft moving run.apng\n"
         "\n"
         "Exit codes:\n"
         "  0  the picture is written\n"
         "  1  an unexpected failure of Weft itself; please report it\n"
         "  2  invalid arguments or run, or a picture that could not be drawn";
}

}  // namespace

CLI::App* add_heatmap(CLI::App& app, HeatmapArguments& arguments) {
  CLI::App* heatmap = app.add_subcommand("heatmap", "Draw a count of a run by PE, as a picture");
  heatmap
      ->add_option("RUN", arguments.run,
                   "A run's file, such as run.weft, that a profile was saved to")
      ->type_name("FILE")
      ->required();
  heatmap->add_option("METRIC", arguments.metric, "One of the metrics below, such as waits_data")
      ->type_name("NAME")
      ->required();
  heatmap
      ->add_option("PICTURE", arguments.picture,
                   "The picture, a .png file; .apng: one of each window of time, in turn")
      ->type_name("FILE")
      ->required();
  heatmap->add_option("--window", arguments.window, "Only this window of time, from 0 on")
      ->type_name("N");
  heatmap->footer(help_text());
  return heatmap;
}

int run_heatmap(const HeatmapArguments& arguments) {
  const bool is_animated = io::has_suffix(arguments.picture, ".apng");
  check_outputs({{"RUN", arguments.run}},
                {{"PICTURE", arguments.picture, is_animated ? ".apng" : ".png"}});
  if (is_animated && arguments.window)
    throw Error(ErrorCategory::usage, "invalid combination: --window with an .apng file",
                "it shows all windows of time", "leave --window out, or name a .png file");
  if (is_animated) {
    evaluation::plot(heat_maps(Profile::load(arguments.run), arguments.metric), arguments.picture);
    return kOk;
  }
  evaluation::plot(heat_map(Profile::load(arguments.run), arguments.metric, arguments.window),
                   arguments.picture);
  return kOk;
}

}  // namespace weft::cli
