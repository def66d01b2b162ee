#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "gpu_check/report.hpp"

namespace weft::gpu_check {
namespace {

using nlohmann::ordered_json;

std::string plain(const ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string line_of(const std::string& key, const std::string& value, int indent = 2) {
  return fmt::format("{:{}}{:<{}}{}\n", "", indent, key, 30 - indent, value);
}

/// A line for what has such a key in JSON; none if it is not known.
std::string member_line(std::string key, const ordered_json& value) {
  std::string text = plain(value);
  if (text.empty() || value == 0) return "";
  if (key.ends_with("_bytes")) {
    const auto bytes = value.get<double>();
    text = bytes < 0x1p30 ? fmt::format("{:.1f} KiB", bytes / 0x1p10)
                          : fmt::format("{:.1f} GiB", bytes / 0x1p30);
  }
  if (key.ends_with("_mhz")) text += " MHz";
  for (const std::string unit : {"_bytes", "_mhz"})
    if (key.ends_with(unit)) key.resize(key.size() - unit.size());
  std::ranges::replace(key, '_', ' ');
  return line_of(key, text);
}

void add_members(std::string& text, const ordered_json& object) {
  for (const auto& [key, value] : object.items()) text += member_line(key, value);
}

void add_device(std::string& text, const Report& report) {
  text += "\nDevice\n";
  if (report.info.is_null()) {
    text += "  not known: weft info gave no answer\n";
    return;
  }
  const ordered_json devices = report.info.value("devices", ordered_json::array());
  for (const ordered_json& device : devices) add_members(text, device);
  if (devices.empty()) text += fmt::format("  none: {}\n", report.why_absent("cuda"));
  const ordered_json cuda = report.info.value("cuda", ordered_json::object());
  for (const auto& [key, value] : cuda.items())
    text += line_of("CUDA, " + key, plain(value).empty() ? "none" : plain(value));
  for (const Reading& reading : report.readings) {
    text += fmt::format("  {}\n", reading.step);
    for (const auto& [key, value] : reading.values) text += line_of(key, value, 4);
  }
}

void add_steps(std::string& text, const Report& report) {
  text += fmt::format("\nSteps\n  {:<28}{:>8}{:>8}  {:<24}{}\n", "", "took s", "limit s", "end",
                      "checks");
  for (const StepRecord& step : report.steps)
    text += fmt::format("  {:<28}{:>8.1f}{:>8.0f}  {:<24}{}\n", step.name, step.seconds,
                        step.limit_s, step.end, counts_text(report.counts_of(step.name)));
}

void add_timings(std::string& text, const Report& report) {
  text += "\nTimings\n";
  if (report.timings.empty()) {
    text += "  none\n";
    return;
  }
  text +=
      fmt::format("  {:<52}{:>12}{:>12}{:>8}  {}\n", "", "measured", "reckoned", "ratio", "unit");
  for (const Timing& timing : report.timings) {
    const std::string reckoned = timing.reckoned ? fmt::format("{:.4g}", *timing.reckoned) : "-";
    const std::string ratio =
        timing.reckoned ? fmt::format("{:.2f}", timing.measured / *timing.reckoned) : "-";
    text += fmt::format("  {:<52}{:>12.4g}{:>12}{:>8}  {}\n", timing.what, timing.measured,
                        reckoned, ratio, timing.unit);
  }
  text += "  Reckoned for an H200, by the latency of dependent instructions.\n";
  if (report.imitation) text += "  Measured on an imitation, which has no speed of a device.\n";
}

/// Lines of a reason, below what they are the reason of.
std::string reason_text(const std::string& reason) {
  std::string text;
  std::istringstream lines(reason);
  for (std::string line; std::getline(lines, line);) text += fmt::format("{:13}{}\n", "", line);
  return text;
}

std::vector<Check> with(const Report& report, Verdict verdict) {
  std::vector<Check> some;
  std::ranges::copy_if(report.checks, std::back_inserter(some),
                       [&](const Check& check) { return check.verdict == verdict; });
  return some;
}

void add_checks(std::string& text, const std::vector<Check>& checks, const char* title) {
  if (checks.empty()) return;
  text += fmt::format("\n{}\n", title);
  for (const Check& check : checks)
    text += fmt::format("  {:>7.2f} s  {}: {}\n", check.seconds, check.step, check.name) +
            reason_text(check.reason);
}

/// Each reason once, as most checks that follow each other have the same.
void add_skipped(std::string& text, const std::vector<Check>& checks) {
  if (checks.empty()) return;
  text += "\nSkipped\n";
  for (std::size_t i = 0; i < checks.size(); ++i) {
    text += fmt::format("  {}: {}\n", checks[i].step, checks[i].name);
    const bool is_last = i + 1 == checks.size() || checks[i + 1].reason != checks[i].reason;
    if (is_last) text += reason_text(checks[i].reason);
  }
}

}  // namespace

std::string text_of(const Report& report) {
  const std::string result = result_text(report);
  std::string text =
      fmt::format("Check of Weft's CUDA engine{}\n  {}\n  begun {}; took {:.0f} s of {:.0f}\n",
                  report.imitation ? " on an imitation of a device" : "", result, report.begun,
                  report.seconds, report.allowed_s);
  add_device(text, report);
  text += "\nHost\n";
  add_members(text, report.host);
  add_steps(text, report);
  add_timings(text, report);
  add_checks(text, with(report, Verdict::passed), "Passed");
  add_skipped(text, with(report, Verdict::skipped));
  add_checks(text, with(report, Verdict::failed), "Failed");
  return text + "\n" + result + "\n";
}

}  // namespace weft::gpu_check
