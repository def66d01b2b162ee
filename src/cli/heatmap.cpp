#include "cli/heatmap.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "base/nearest.hpp"
#include "cli/common/exit_code.hpp"
#include "cli/common/outputs.hpp"
#include "evaluation/plot.hpp"
#include "weft/error.hpp"
#include "weft/profile.hpp"

namespace weft::cli {
namespace {

constexpr std::string_view kBusiestLink = "busiest_link";

/// Of each PE the link with the most wavelets.
std::vector<std::uint64_t> busiest_links(const Profile& profile, std::optional<int> window) {
  std::vector<std::uint64_t> most = profile.links(Port::west, {}, window);
  for (const Port link : {Port::east, Port::south, Port::north})
    std::ranges::transform(most, profile.links(link, {}, window), most.begin(),
                           [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
  return most;
}

struct Metric {
  std::string name;
  std::string_view unit;
  std::vector<std::uint64_t> values;
};

Metric metric_of(const Profile& profile, std::string name, std::optional<int> window) {
  std::ranges::replace(name, ' ', '_');
  if (name == kBusiestLink) return {name, "wavelets", busiest_links(profile, window)};
  const auto infos = count_infos();
  const auto found = std::ranges::find(infos, name, &CountInfo::name);
  if (found != infos.end()) return {name, found->unit, profile.counts(found->count, window)};
  std::vector<std::string_view> known{kBusiestLink};
  for (const CountInfo& info : infos) known.push_back(info.name);
  const auto meant = base::nearest(name, known);
  throw Error(ErrorCategory::usage, fmt::format("unknown metric '{}'", name),
              fmt::format("known: {}", fmt::join(known, ", ")),
              meant ? fmt::format("the nearest is {}", *meant) : "use one of these");
}

}  // namespace

CLI::App* add_heatmap(CLI::App& app, HeatmapArguments& arguments) {
  CLI::App* heatmap = app.add_subcommand("heatmap", "Draw a count of a run by PE, as a picture");
  heatmap->add_option("RUN", arguments.run, "A run's file (run.weft), as Profile::save writes it")
      ->required();
  heatmap
      ->add_option("METRIC", arguments.metric,
                   "A count of docs/model.md, such as computing or waits_data, or busiest_link")
      ->required();
  heatmap->add_option("PICTURE", arguments.picture, "The picture, a .png file")->required();
  heatmap->add_option("--window", arguments.window, "Only this window of time, from 0 on");
  return heatmap;
}

int run_heatmap(const HeatmapArguments& arguments) {
  check_outputs({{"RUN", arguments.run}}, {{"PICTURE", arguments.picture, ".png"}});
  const Profile profile = Profile::load(arguments.run);
  Metric metric = metric_of(profile, arguments.metric, arguments.window);
  std::string title = fmt::format("{} ({}), {} cycles", metric.name, metric.unit, profile.cycles);
  if (arguments.window)
    title += fmt::format(", of which {} from {} on", profile.window_cycles,
                         static_cast<std::uint64_t>(*arguments.window) * profile.window_cycles);
  evaluation::plot({std::move(title), static_cast<std::size_t>(profile.width),
                    static_cast<std::size_t>(profile.height), std::move(metric.values)},
                   arguments.picture);
  return kOk;
}

}  // namespace weft::cli
