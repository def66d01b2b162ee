// GoogleTest's output is read rather than its JSON: that is written at the end only, which a
// program that is killed does not reach.
#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <string_view>

#include "gpu_check/steps.hpp"

namespace weft::gpu_check {
namespace {

struct Mark {
  std::string_view text;
  Verdict verdict;
};
constexpr std::string_view kRun = "[ RUN      ] ";
constexpr Mark kEnds[] = {{"[       OK ] ", Verdict::passed},
                          {"[  FAILED  ] ", Verdict::failed},
                          {"[  SKIPPED ] ", Verdict::skipped}};

/// Of "Suite.Test (12 ms)".
double seconds_of(std::string_view line) {
  const std::size_t at = line.rfind('(');
  if (at == std::string_view::npos) return 0;
  double ms = 0;
  std::from_chars(line.data() + at + 1, line.data() + line.size(), ms);
  return ms / 1e3;
}

/// A test's message; where a skipped one stands in the source is left out.
std::string reason_of(const std::vector<std::string>& lines, Verdict verdict) {
  std::string reason;
  for (const std::string& line : lines) {
    if (line.empty() || (verdict == Verdict::skipped && line.ends_with(": Skipped"))) continue;
    reason += line + "\n";
  }
  return shortened(reason);
}

}  // namespace

void read_tests(const Step& step, const Finished& finished, Report& report) {
  std::string open;  // the test that runs
  std::vector<std::string> message;
  std::istringstream lines(finished.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kRun)) {
      open = line.substr(kRun.size());
      message.clear();
      continue;
    }
    if (open.empty()) continue;
    bool ends = false;
    for (const Mark& mark : kEnds) {
      if (!line.starts_with(mark.text)) continue;
      const std::string reason =
          mark.verdict == Verdict::passed ? "" : reason_of(message, mark.verdict);
      report.checks.push_back({step.name, open, mark.verdict, seconds_of(line), reason});
      ends = true;
    }
    if (ends)
      open.clear();
    else
      message.push_back(line);
  }
  if (open.empty()) return;
  // That its step was killed is another check's affair.
  std::string reason = finished.killed ? "under way when killed" : "it did not end";
  if (const std::string said = reason_of(message, Verdict::failed); !said.empty())
    reason += "\n" + said;
  report.checks.push_back(
      {step.name, open, finished.killed ? Verdict::skipped : Verdict::failed, 0, reason});
}

void read_sanitizer(const Step& step, const Finished& finished, Report& report) {
  const std::string all = finished.out + finished.err;
  const auto has = [&](std::string_view text) { return all.find(text) != std::string::npos; };
  if (has("Device not supported")) {
    report.checks.push_back({step.name, "supports the device", Verdict::skipped, finished.seconds,
                             "compute-sanitizer says: Device not supported"});
    return;
  }
  const std::size_t before = report.checks.size();
  read_tests(step, finished, report);
  const bool ran =
      std::any_of(report.checks.begin() + static_cast<std::ptrdiff_t>(before), report.checks.end(),
                  [](const Check& check) { return check.verdict != Verdict::skipped; });
  const std::size_t at = all.find("ERROR SUMMARY: ");
  const std::string summary =
      at == std::string::npos ? "it printed no summary" : all.substr(at, all.find('\n', at) - at);
  const bool clean = finished.exit_code == 0 && has("ERROR SUMMARY: 0 errors");
  // racecheck has a summary of its own.
  const bool no_hazard = finished.exit_code == 0 && has("RACECHECK SUMMARY: 0 hazards");
  if (finished.killed) return;
  if ((clean || no_hazard) && !ran)
    report.checks.push_back({step.name, "no errors", Verdict::skipped, finished.seconds,
                             "no test ran: there was nothing to check"});
  else if (clean || no_hazard)
    report.checks.push_back({step.name, "no errors", Verdict::passed, finished.seconds});
  else
    report.checks.push_back({step.name, "no errors", Verdict::failed, finished.seconds,
                             fmt::format("exit code {}; {}", finished.exit_code, summary)});
}

}  // namespace weft::gpu_check
