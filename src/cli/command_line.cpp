#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/common/options.hpp"
#include "weft/version.hpp"

namespace weft::cli {
namespace {

constexpr const char* kFooter =
    "Examples:\n"
    "  weft fft --shape 64,64,64       transform a random field, compare it with FFTW\n"
    "  weft fft --help                 all its options\n"
    "  weft compare                    small transforms of every kind, each compared\n"
    "  weft reproduce wsfft --quick    a paper's evaluation, beside the authors' numbers\n"
    "  weft sweep --help               a run for each point of a grid, side by side\n"
    "  weft view run.weft              a counted run as a page for any browser\n"
    "  weft explain run.weft           where the cycles of a run went, and what to do\n"
    "  weft heatmap --help             pictures of what a run has counted\n"
    "  weft info                       the constants of the emulated machine\n"
    "\n"
    "Exit codes: 0 success, 1 unexpected failure, 2 invalid arguments or input,\n"
    "3 fault of the emulated program, 4 result beyond the error bound, 130 interrupted (Ctrl-C).";

}  // namespace

CommandLine::CommandLine()
    : app(std::make_unique<CLI::App>("Weft emulates wafer-scale fabrics cycle by cycle.", "weft")) {
  app->footer(kFooter);
  app->set_help_flag("-h,--help", "Print this help");
  app->set_version_flag("--version", fmt::format("weft {}", version()), "Print the version");
  app->get_formatter()->column_width(kOptionColumns);
  app->require_subcommand(0, 1);
  fft = add_fft(*app, fft_arguments);
  compare = add_compare(*app, compare_arguments);
  reproduce = add_reproduce(*app, reproduce_arguments);
  sweep = add_sweep(*app, sweep_arguments);
  view = add_view(*app, view_arguments);
  explain = add_explain(*app, explain_arguments);
  heatmap = add_heatmap(*app, heatmap_arguments);
  info = add_info(*app, info_arguments);
}

CommandLine::~CommandLine() = default;

}  // namespace weft::cli
