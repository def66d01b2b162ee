#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <optional>
#include <string>

#include "cli/command_line.hpp"
#include "cli/common/copies.hpp"
#include "cli/common/exit_code.hpp"
#include "cli/common/usage_error.hpp"
#include "cli/launch/launch.hpp"
#include "cli/launch/part.hpp"
#include "cli/text/terminal.hpp"
#include "weft/error.hpp"

namespace weft::cli {
namespace {

constexpr const char* kFirstWords =
    "Weft emulates a wafer-scale fabric, a mesh of small processing elements (PEs), cycle by "
    "cycle\n"
    "on an ordinary CPU. Try:\n"
    "\n"
    "  weft fft        a 3-D FFT on 64 x 64 emulated PEs: result, cycles and traffic\n"
    "  weft compare    small transforms of every kind, each compared with FFTW\n"
    "  weft info       the emulated machine: its constants, and where they come from\n"
    "\n"
    "weft --help shows the rest.\n";

/// Copies would do the same work and write the same files.
[[noreturn]] void refuse_copies(const Copies& all) {
  throw Error(
      ErrorCategory::usage, fmt::format("weft was started {} times", all.count),
      "a launcher of MPI started a copy for each process, and only 'weft fft' shares its run, and "
      "'weft sweep' its runs, among processes",
      "start it once");
}

/// A sub-command whose work processes share.
template <class Arguments, class Run>
int run_shared(Arguments& arguments, const std::optional<Copies>& all, Part& part, const Run& run) {
  if (all) share(arguments, *all, part);
  try {
    const int code = run();
    // A plan, or a list, comes to nothing that is shared, but others may have an error.
    if (part.processes != nullptr && !part.begun) begin(part, Together::nothing);
    return code;
  } catch (const std::exception& exception) {
    rethrow_for_all(exception, part);
  }
}

/// `all`: of a launcher of MPI.
int run(int argc, char** argv, const std::optional<Copies>& all, Part& part) {
  CommandLine line;
  CLI::App& app = *line.app;
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
  if (all && !line.fft->parsed() && !line.sweep->parsed()) refuse_copies(*all);
  if (line.fft->parsed()) {
    return run_shared(line.fft_arguments, all, part, [&] { return run_fft(line.fft_arguments); });
  }
  if (line.compare->parsed()) {
    return run_compare(line.compare_arguments);
  }
  if (line.reproduce->parsed()) {
    return run_reproduce(line.reproduce_arguments);
  }
  if (line.sweep->parsed()) {
    return run_shared(line.sweep_arguments, all, part,
                      [&] { return run_sweep(app, line.sweep_arguments); });
  }
  if (line.view->parsed()) {
    return run_view(line.view_arguments);
  }
  if (line.explain->parsed()) {
    return run_explain(line.explain_arguments);
  }
  if (line.heatmap->parsed()) {
    return run_heatmap(line.heatmap_arguments);
  }
  if (line.info->parsed()) {
    return run_info(line.info_arguments);
  }
  write_stdout(kFirstWords);
  return kOk;
}

}  // namespace
}  // namespace weft::cli

int main(int argc, char** argv) {
  using namespace weft::cli;
  const std::optional<Copies> all = copies();
  const bool speaks = !all || all->rank == 0;
  Part part;
  int code = kOk;
  std::string error;
  try {
    prepare_standard_streams();
    if (!speaks) be_silent();
    code = run(argc, argv, all, part);
  } catch (const std::exception& exception) {
    error = error_line(exception) + "\n";
    write_stderr(error);
    if (!speaks) error = fmt::format("process {}: {}", all->rank, error);
    code = exit_code(exception);
  }
  return part.processes != nullptr ? leave(code, speaks ? "" : error) : code;
}
