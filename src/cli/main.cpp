#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "cli/compare.hpp"
#include "cli/exit_code.hpp"
#include "cli/fft.hpp"
#include "cli/info.hpp"
#include "cli/terminal.hpp"
#include "machine/nearest.hpp"
#include "weft/error.hpp"
#include "weft/version.hpp"

namespace weft::cli {
namespace {

constexpr const char* kFooter =
    "Examples:\n"
    "  weft fft --shape 64,64,64       transform a random field, compare it with FFTW\n"
    "  weft fft --help                 all its options\n"
    "  weft compare                    small transforms of every kind, each compared\n"
    "  weft info                       the constants of the emulated machine\n"
    "\n"
    "Exit codes: 0 success, 1 unexpected failure, 2 arguments or input that cannot be used,\n"
    "3 fault of the emulated program, 4 result beyond the error bound, 130 interrupted (Ctrl-C).";

// "unknown option --sead, the nearest known one is --seed" in place of CLI11's list of leftovers.
std::string name_extra(const CLI::App& command) {
  const auto extras = command.remaining(true);
  const auto option =
      std::ranges::find_if(extras, [](const std::string& extra) { return extra.starts_with('-'); });
  if (option == extras.end()) {
    return fmt::format("unexpected argument '{}'", extras.empty() ? "" : extras.front());
  }
  std::vector<std::string> known;
  for (const CLI::Option* candidate : command.get_options()) {
    known.push_back(candidate->get_name());
  }
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::string word = option->substr(0, option->find('='));
  return fmt::format("unknown option {}, the nearest known one is {}", word, nearest(word, views));
}

Error usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const auto commands = app.get_subcommands();
  const CLI::App& command = commands.empty() ? app : *commands.front();
  std::string why = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    why = name_extra(command);
  } else if (!why.empty()) {
    why[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(why[0])));
  }
  return Error(
      Category::usage, "cannot read the command line", why,
      fmt::format("see '{} --help'", commands.empty() ? "weft" : "weft " + command.get_name()));
}

int run(int argc, char** argv) {
  CLI::App app("Weft emulates wafer-scale fabrics cycle by cycle.", "weft");
  app.footer(kFooter);
  app.set_help_flag("-h,--help", "Print this help");
  app.set_version_flag("--version", fmt::format("weft {}", version()), "Print the version");
  app.get_formatter()->column_width(24);
  app.require_subcommand(0, 1);

  FftArguments fft_arguments;
  CompareArguments compare_arguments;
  InfoArguments info_arguments;
  const CLI::App* fft = add_fft(app, fft_arguments);
  const CLI::App* compare = add_compare(app, compare_arguments);
  const CLI::App* info = add_info(app, info_arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    write_stdout(app.help());
    return kOk;
  } catch (const CLI::CallForVersion& asked) {
    write_stdout(std::string(asked.what()) + "\n");
    return kOk;
  } catch (const CLI::ParseError& error) {
    throw usage_error(app, error);
  }
  if (fft->parsed()) {
    return run_fft(fft_arguments);
  }
  if (compare->parsed()) {
    return run_compare(compare_arguments);
  }
  if (info->parsed()) {
    return run_info(info_arguments);
  }
  write_stdout(app.help());
  return kOk;
}

}  // namespace
}  // namespace weft::cli

int main(int argc, char** argv) {
  try {
    weft::cli::prepare_standard_streams();
    return weft::cli::run(argc, argv);
  } catch (const std::exception& exception) {
    weft::cli::write_stderr(weft::cli::error_line(exception) + "\n");
    return weft::cli::exit_code(exception);
  }
}
