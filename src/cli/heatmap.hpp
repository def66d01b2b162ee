#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace weft::cli {

/// The arguments of `weft heatmap`, as given.
struct HeatmapArguments {
  std::string run, metric, picture;
  std::optional<int> window;
};

/// Adds `weft heatmap`; parsing fills `arguments`.
CLI::App* add_heatmap(CLI::App& app, HeatmapArguments& arguments);

/// Runs it and returns the exit code.
int run_heatmap(const HeatmapArguments& arguments);

}  // namespace weft::cli
