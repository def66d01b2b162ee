#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace weft::gpu_check {

enum class Verdict { passed, failed, skipped };

struct Check {
  std::string step, name;
  Verdict verdict = Verdict::passed;
  double seconds = 0;
  std::string reason{};  ///< of a failure, or why it was skipped
};

struct Timing {
  std::string what, unit;
  double measured = 0;
  std::optional<double> reckoned{};  ///< for an H100
};

/// A step that was run.
struct StepRecord {
  std::string name, command, end;
  double seconds = 0, limit_s = 0;
};

/// The clock's time at some point of the run.
struct Reading {
  std::string step;
  std::map<std::string, std::string> values;
};

struct Counts {
  int passed = 0, failed = 0, skipped = 0;
};

enum class State { running, finished, out_of_time, interrupted };

/// All that is known so far.
struct Report {
  std::string begun;  ///< UTC
  double seconds = 0, allowed_s = 0;
  State state = State::running;
  bool imitation = false;
  nlohmann::ordered_json host;
  nlohmann::ordered_json info;    ///< what `weft info --json` says; null if it says nothing
  std::vector<Reading> readings;  ///< of nvidia-smi
  std::vector<StepRecord> steps;
  std::vector<Check> checks;
  std::vector<Timing> timings;

  /// Why the engine or reference of this name cannot be used; empty if it can.
  std::string why_absent(const std::string& name) const;
  Counts counts() const;
  Counts counts_of(const std::string& step) const;
};

/// Exit codes of the script; --help lists them.
enum ExitCode : int {
  kPassed = 0,   ///< something was checked on the device, and nothing failed
  kFailed = 1,   ///< a check failed, or did not end within its limit
  kRefused = 2,  ///< arguments, or a folder, that cannot be used
  kNothingChecked = 77,
  kOutOfTime = 124,  ///< as timeout says it
  kInterrupted = 130,
};

/// A program's words, cut where they are too many for a reason.
std::string shortened(const std::string& words);

/// "12 passed, 1 failed": those that are not 0.
std::string counts_text(const Counts& counts);

/// Of a run that has ended.
ExitCode exit_code(const Report& report);

/// The run's result, in a line.
std::string result_text(const Report& report);
std::string text_of(const Report& report);
nlohmann::ordered_json json_of(const Report& report);

/// Writes report.txt and report.json into a folder, each in one piece. Throws
/// std::filesystem::filesystem_error.
void write(const Report& report, const std::string& folder);

}  // namespace weft::gpu_check
