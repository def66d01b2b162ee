#pragma once

#include <memory>

#include "cli/compare/compare.hpp"
#include "cli/explain.hpp"
#include "cli/fft/fft.hpp"
#include "cli/heatmap.hpp"
#include "cli/info.hpp"
#include "cli/reproduce/reproduce.hpp"
#include "cli/sweep/sweep.hpp"
#include "cli/view.hpp"

namespace weft::cli {

/// The command `weft` with all its sub-commands and options. The command line is read by it; man
/// pages and completions are written from it.
struct CommandLine {
  CommandLine();
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  FftArguments fft_arguments{};
  CompareArguments compare_arguments{};
  ExplainArguments explain_arguments{};
  HeatmapArguments heatmap_arguments{};
  InfoArguments info_arguments{};
  ReproduceArguments reproduce_arguments{};
  SweepArguments sweep_arguments{};
  ViewArguments view_arguments{};
  std::unique_ptr<CLI::App> app;
  const CLI::App* fft = nullptr;
  const CLI::App* compare = nullptr;
  const CLI::App* explain = nullptr;
  const CLI::App* heatmap = nullptr;
  const CLI::App* info = nullptr;
  const CLI::App* reproduce = nullptr;
  const CLI::App* sweep = nullptr;
  const CLI::App* view = nullptr;
};

}  // namespace weft::cli
