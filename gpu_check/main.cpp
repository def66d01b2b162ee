// Started by the script `run`, which tells where the programs are and how they are to be started.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "gpu_check/command.hpp"
#include "gpu_check/session.hpp"

namespace {

using namespace weft::gpu_check;

const char* const kFooter =
    "Steps, each with a limit of its own: the device; transforms and random fabrics bit for bit\n"
    "beside the host engine, small ones first; cuFFT; the steps of transforms of 64^3 to 512^3\n"
    "timed; compute-sanitizer (memcheck, racecheck, synccheck) on small cases. A step that fails\n"
    "or is killed does not end the others. One that needs a thing the machine lacks is skipped.\n"
    "\n"
    "The report, written anew after each step: report.txt, report.json; log.txt has all output.\n"
    "\n"
    "Environment: OUT (where the report goes), WEFT_CUFFT_FOLDERS (where else cuFFT may be; "
    "colons\n"
    "between), COMPUTE_SANITIZER (its path).\n"
    "\n"
    "Exit codes:\n"
    "  0    something was checked on a device, and nothing failed\n"
    "  1    a check failed, or a step was killed at its own limit\n"
    "  2    arguments or a folder that cannot be used\n"
    "  77   nothing was checked: there is no device that can be used\n"
    "  124  the time was over before all steps had ended; nothing had failed\n"
    "  130  interrupted; the report has what was known";

int refuse(const std::string& what, const std::string& why, const std::string& remedy) {
  fmt::print(stderr, "gpu-check: {} ({}); {}\n", what, why, remedy);
  return kRefused;
}

/// Nothing is thrown where nobody reads it.
void tell(const std::string& text) { std::fputs(text.c_str(), stdout); }

int check(const Options& options) {
  const std::string programs = options.folder + (options.imitation ? "/imitation" : "/bin");
  for (const char* program : {"weft", "weft-test-gpu", "bench-device"})
    if (!std::filesystem::exists(programs + "/" + program))
      return refuse("the folder cannot be used", fmt::format("{}/{} is missing", programs, program),
                    options.imitation ? "try build/gpu-check-tried, which `make gpu-check` leaves"
                                      : "copy the whole folder that `make gpu-check` has built");
  std::error_code failed;
  std::filesystem::create_directories(options.out, failed);
  if (failed)
    return refuse("the report cannot be written", options.out + ": " + failed.message(),
                  "name another folder with --out");
  heed_interrupts();
  tell(fmt::format("At most {:.0f} s. After each step the report is in {}/report.txt.\n",
                   options.seconds, options.out));
  const Report report = run_all(options);
  tell("\n" + text_of(report));
  return exit_code(report);
}

int run(int count, char** words) {
  Options options;
  const char* out = std::getenv("OUT");
  options.out = out != nullptr && *out != '\0' ? out : "report";
  CLI::App app("Checks and times Weft's CUDA engine on this machine's NVIDIA GPU.", "run");
  app.footer(kFooter);
  app.get_formatter()->column_width(26);
  app.set_help_flag("-h,--help", "Print this help");
  const CLI::Validator seconds = CLI::Range(1.0, 1e6).description("");
  app.add_option("--seconds", options.seconds, "Time for all steps (default: 540)")
      ->type_name("N")
      ->check(seconds);
  app.add_option("--step-seconds", options.step_seconds,
                 "Limit of each step (default: each has one of its own)")
      ->type_name("N")
      ->check(seconds);
  app.add_option("--out", options.out, "Folder for the report (default: $OUT, or else ./report)")
      ->type_name("FOLDER");
  app.add_option("--only", options.only,
                 "Only steps with this in their names, such as 'side 4' or\n"
                 "'sanitizer'; may be given several times")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  app.add_flag("--imitation", options.imitation,
               "Try the folder where there is no GPU: small cases, on CPU threads\n"
               "(where it was built only: the imitation does not travel)");
  for (auto [name, value] :
       {std::pair("--folder", &options.folder), std::pair("--loader", &options.loader),
        std::pair("--library-path", &options.library_path)})
    app.add_option(name, *value)->group("");  // for the script
  try {
    app.parse(count, words);
    return check(options);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return kPassed;
  } catch (const CLI::ParseError& error) {
    return refuse("cannot read the command line", error.what(), "see run --help");
  }
}

}  // namespace

int main(int count, char** words) {
  try {
    return run(count, words);
  } catch (const std::exception& error) {
    return refuse("the check cannot go on", error.what(), "see what the report has until then");
  }
}
