#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/plot.hpp"
#include "weft/profile.hpp"

namespace CLI {
class App;
}

namespace weft::cli {

/// The arguments of `weft heatmap`, as given.
struct HeatmapArguments {
  std::string run, metric, picture;
  std::optional<int> window;
};

/// busiest_link, of each PE the link with the most wavelets, and all counts.
std::vector<std::string_view> metric_names();

/// A metric of all cycles or of a window of time. Throws Error(usage) for one that there is not.
evaluation::HeatMap heat_map_of(const Profile& profile, std::string metric,
                                std::optional<int> window);

/// Adds `weft heatmap`; parsing fills `arguments`.
CLI::App* add_heatmap(CLI::App& app, HeatmapArguments& arguments);

/// Runs it and returns the exit code.
int run_heatmap(const HeatmapArguments& arguments);

}  // namespace weft::cli
