#include "cli/heatmap.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>

#include "base/nearest.hpp"
#include "cli/common/exit_code.hpp"
#include "cli/common/outputs.hpp"
#include "weft/error.hpp"

namespace weft::cli {
namespace {

constexpr std::string_view kBusiestLink = "busiest_link", kLinkUnit = "wavelets";

/// Of each PE the link with the most wavelets.
std::vector<std::uint64_t> busiest_links(const Profile& profile, std::optional<int> window) {
  std::vector<std::uint64_t> most = profile.links(Port::west, {}, window);
  for (const Port link : {Port::east, Port::south, Port::north})
    std::ranges::transform(most, profile.links(link, {}, window), most.begin(),
                           [](std::uint64_t a, std::uint64_t b) { return std::max(a, b); });
  return most;
}

struct Metric {
  std::string_view unit;
  std::vector<std::uint64_t> values;
};

Metric metric_of(const Profile& profile, const std::string& name, std::optional<int> window) {
  if (name == kBusiestLink) return {kLinkUnit, busiest_links(profile, window)};
  const auto infos = count_infos();
  const auto found = std::ranges::find(infos, name, &CountInfo::name);
  if (found != infos.end()) return {found->unit, profile.counts(found->count, window)};
  const auto known = metric_names();
  const auto meant = base::nearest(name, known);
  throw Error(ErrorCategory::usage, fmt::format("unknown metric '{}'", name),
              fmt::format("known: {}", fmt::join(known, ", ")),
              meant ? fmt::format("the nearest is {}", *meant) : "use one of these");
}

std::string help_text() {
  std::string text = "Metrics; those with a star have windows of time:\n";
  const auto add = [&](bool windowed, std::string_view name, std::string_view unit,
                       std::string_view meaning) {
    fmt::format_to(std::back_inserter(text), "{} {:<13}  {:<12}  {}\n", windowed ? '*' : ' ', name,
                   unit, meaning);
  };
  add(true, kBusiestLink, kLinkUnit, "of the PE's four links the one with the most");
  for (const CountInfo& info : count_infos())
    add(info.windowed, info.name, info.unit, info.meaning);
  return text +
         "\n"
         "Examples:\n"
         "  weft heatmap run.weft busiest_link links.png\n"
         "  weft heatmap run.weft computing start.png --window 0\n"
         "\n"
         "Exit codes:\n"
         "  0  the picture is written\n"
         "  1  an unexpected failure of Weft itself; please report it\n"
         "  2  invalid arguments or run, or a picture that could not be drawn";
}

}  // namespace

std::vector<std::string_view> metric_names() {
  std::vector<std::string_view> names{kBusiestLink};
  for (const CountInfo& info : count_infos()) names.push_back(info.name);
  return names;
}

evaluation::HeatMap heat_map_of(const Profile& profile, std::string metric,
                                std::optional<int> window) {
  std::ranges::replace(metric, ' ', '_');
  Metric found = metric_of(profile, metric, window);
  std::string title = fmt::format("{} ({}), {} cycles", metric, found.unit, profile.cycles);
  if (window) {
    const std::uint64_t from = static_cast<std::uint64_t>(*window) * profile.window_cycles;
    title += fmt::format(", of which {} from {} on",
                         std::min(profile.window_cycles, profile.cycles - from), from);
  }
  return {std::move(title), static_cast<std::size_t>(profile.width),
          static_cast<std::size_t>(profile.height), std::move(found.values)};
}

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
  heatmap->add_option("PICTURE", arguments.picture, "The picture, a .png file")
      ->type_name("FILE")
      ->required();
  heatmap->add_option("--window", arguments.window, "Only this window of time, from 0 on")
      ->type_name("N");
  heatmap->footer(help_text());
  return heatmap;
}

int run_heatmap(const HeatmapArguments& arguments) {
  check_outputs({{"RUN", arguments.run}}, {{"PICTURE", arguments.picture, ".png"}});
  evaluation::plot(heat_map_of(Profile::load(arguments.run), arguments.metric, arguments.window),
                   arguments.picture);
  return kOk;
}

}  // namespace weft::cli
