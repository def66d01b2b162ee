#include "gpu_check/session.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "gpu_check/find.hpp"
#include "gpu_check/host.hpp"
#include "gpu_check/steps.hpp"

namespace weft::gpu_check {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLeastStep = 2;  // seconds that are worth to begin with
constexpr std::size_t kMostLogged = std::size_t{256} * 1024;  // characters of a step
const std::string kOfHost = "host:";

/// Empty if there is none. An imitation uses one that is named only.
std::string sanitizer_for(const Options& options) {
  const char* named = std::getenv("COMPUTE_SANITIZER");
  if (named != nullptr) return named;
  return options.imitation ? "" : compute_sanitizer();
}

bool is_wanted(const Step& step, const std::vector<std::string>& only) {
  const auto names = [&](const std::string& part) {
    return step.name.find(part) != std::string::npos;
  };
  return only.empty() || step.read == read_info || std::ranges::any_of(only, names);
}

class Session {
 public:
  explicit Session(const Options& options)
      : options_(options), sanitizer_(sanitizer_for(options)), cufft_folders_(cufft_folders()) {
    report_.begun = fmt::format("{:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(std::time(nullptr)));
    report_.allowed_s = options.seconds;
    report_.imitation = options.imitation;
    report_.host = describe_host();
    report_.host["loader"] = options.loader.empty() ? "the system's" : "the folder's";
    report_.host["cuFFT found in"] = cufft_folders_;
    report_.host["compute-sanitizer"] = sanitizer_;
    std::ofstream{log_path()};  // empty
  }

  Report run() {
    for (const Step& step : steps(options_.imitation)) {
      if (interrupted()) break;
      if (!is_wanted(step, options_.only)) continue;
      take(step);
      save();
      tell(report_.steps.back());
    }
    report_.state = interrupted()  ? State::interrupted
                    : out_of_time_ ? State::out_of_time
                                   : State::finished;
    save();
    return report_;
  }

 private:
  std::string log_path() const { return options_.out + "/log.txt"; }

  double elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  void save() {
    report_.seconds = elapsed();
    write(report_, options_.out);
  }

  void skip(const Step& step, const std::string& why) {
    report_.checks.push_back({step.name, "all", Verdict::skipped, 0, why});
    report_.steps.push_back({step.name, "", "skipped", 0, step.limit_s});
  }

  /// The terminal may be gone, which is no reason to end.
  void tell(const StepRecord& step) const {
    const std::string counts = counts_text(report_.counts_of(step.name));
    const std::string line = fmt::format("{:6.0f} s  {:<28}{:6.1f} s  {}\n", elapsed(), step.name,
                                         step.seconds, counts.empty() ? step.end : counts);
    std::fputs(line.c_str(), stdout);
    std::fflush(stdout);
  }

  /// Empty if the step can be run.
  std::string why_not(const Step& step) const {
    if (step.needs != Needs::nothing)
      if (std::string why = report_.why_absent("cuda"); !why.empty()) return why;
    if (step.needs == Needs::cufft)
      if (std::string why = report_.why_absent("cufft"); !why.empty()) return why;
    if (!step.tool.empty() && sanitizer_.empty())
      return options_.imitation
                 ? "it has no use on an imitation (COMPUTE_SANITIZER names one all the same)"
                 : "compute-sanitizer was not found, neither in PATH nor in a toolkit "
                   "(COMPUTE_SANITIZER names it)";
    return "";
  }

  std::vector<std::string> program(const std::string& name) const {
    if (name.starts_with(kOfHost)) return {in_path(name.substr(kOfHost.size()))};
    const std::string path =
        options_.folder + (options_.imitation ? "/imitation/" : "/bin/") + name;
    if (options_.loader.empty()) return {path};
    return {options_.loader, "--library-path", options_.library_path, path};
  }

  Command command(const Step& step) const {
    Command command;
    if (!step.tool.empty())
      command.words = {sanitizer_, "--tool",        step.tool, "--error-exitcode",
                       "99",       "--print-limit", "20"};
    const std::vector<std::string> words = program(step.program);
    command.words.insert(command.words.end(), words.begin(), words.end());
    command.words.insert(command.words.end(), step.arguments.begin(), step.arguments.end());
    command.environment["WEFT_CUFFT_FOLDERS"] = cufft_folders_;
    // A real device beside the imitation would only confuse.
    if (options_.imitation) command.environment["CUDA_VISIBLE_DEVICES"] = "";
    return command;
  }

  void take(const Step& step) {
    if (const std::string why = why_not(step); !why.empty()) return skip(step, why);
    if (options_.seconds - elapsed() < kLeastStep) {
      out_of_time_ = true;
      return skip(step,
                  fmt::format("no time was left of the {:.0f} s of the run", options_.seconds));
    }
    const Command command = this->command(step);
    if (command.words[0].empty()) {  // of the host, and not there: nothing to check
      report_.steps.push_back({step.name, step.program, "not found", 0, step.limit_s});
      return;
    }
    const double own = options_.step_seconds > 0 ? options_.step_seconds : step.limit_s;
    const double limit = std::min(own, options_.seconds - elapsed());
    report_.steps.push_back(
        {step.name, fmt::format("{}", fmt::join(command.words, " ")), "under way", 0, limit});
    save();  // for the reader of a run that is killed now
    const Finished finished = gpu_check::run(command, limit);
    log(step, finished);
    try {
      step.read(step, finished, report_);
    } catch (const nlohmann::json::exception& error) {
      report_.checks.push_back({step.name, "can be read", Verdict::failed, 0, error.what()});
    }
    judge_end(step, finished, own, limit);
    report_.steps.back().end = end_text(finished);
    report_.steps.back().seconds = finished.seconds;
  }

  static std::string end_text(const Finished& finished) {
    if (!finished.not_started.empty()) return "not started";
    if (finished.killed) return "killed";
    if (finished.exit_code > 128) return fmt::format("signal {}", finished.exit_code - 128);
    return fmt::format("exit code {}", finished.exit_code);
  }

  /// Adds a check for a step that did not end as it should, unless one says so already.
  void judge_end(const Step& step, const Finished& finished, double own, double limit) {
    const auto add = [&](Verdict verdict, const std::string& reason) {
      report_.checks.push_back({step.name, "ends as it should", verdict, finished.seconds, reason});
    };
    if (finished.killed && interrupted())
      return add(Verdict::skipped, fmt::format("interrupted after {:.0f} s", finished.seconds));
    if (finished.killed && limit < own) {
      out_of_time_ = true;
      return add(Verdict::skipped,
                 fmt::format("the run's {:.0f} s were over: killed after {:.0f} s of its {:.0f}",
                             options_.seconds, finished.seconds, own));
    }
    // The machine's own programs are no part of what is checked.
    const Verdict bad = step.program.starts_with(kOfHost) ? Verdict::skipped : Verdict::failed;
    if (!finished.not_started.empty()) return add(bad, finished.not_started);
    if (finished.killed) return add(bad, fmt::format("killed at its limit of {:.0f} s", own));
    const Counts counts = report_.counts_of(step.name);
    const std::string said = finished.err.empty() ? "" : "\n" + shortened(finished.err);
    const bool told = counts.failed > 0 || (counts.skipped > 0 && finished.exit_code < 128);
    if (finished.exit_code != 0 && !told) return add(bad, end_text(finished) + said);
    const bool silent = counts.passed + counts.failed + counts.skipped == 0;
    if (silent &&
        (step.needs != Needs::nothing || (step.program == "weft" && report_.info.is_null())))
      add(bad, "it gave no result" + said);
  }

  void log(const Step& step, const Finished& finished) const {
    std::ofstream out(log_path(), std::ios::app | std::ios::binary);
    out << "==== " << step.name << "\n$ " << report_.steps.back().command << "\n";
    for (const std::string* text : {&finished.out, &finished.err}) {
      if (text->size() <= kMostLogged)
        out << *text;
      else
        out << text->substr(0, kMostLogged / 2) << "\n[...]\n"
            << text->substr(text->size() - kMostLogged / 2);
    }
    out << "==== " << end_text(finished) << fmt::format(" after {:.1f} s\n\n", finished.seconds);
  }

  Options options_;
  std::string sanitizer_, cufft_folders_;
  Clock::time_point start_ = Clock::now();
  bool out_of_time_ = false;
  Report report_;
};

}  // namespace

Report run_all(const Options& options) { return Session(options).run(); }

}  // namespace weft::gpu_check
