#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "cli/compare.hpp"
#include "cli/exit_code.hpp"
#include "cli/fft.hpp"
#include "cli/info.hpp"
#include "cli/terminal.hpp"
#include "cli/usage_error.hpp"
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
