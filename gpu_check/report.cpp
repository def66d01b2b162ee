#include "gpu_check/report.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string_view>

namespace weft::gpu_check {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostReason = 400;  // characters

void count(Counts& counts, Verdict verdict) {
  ++(verdict == Verdict::passed   ? counts.passed
     : verdict == Verdict::failed ? counts.failed
                                  : counts.skipped);
}

void write_file(const fs::path& path, const std::string& text) {
  const fs::path beside = path.string() + ".new";
  if (!(std::ofstream(beside, std::ios::binary) << text).flush())
    throw fs::filesystem_error("cannot write", beside, std::make_error_code(std::errc::io_error));
  fs::rename(beside, path);
}

}  // namespace

std::string Report::why_absent(const std::string& name) const {
  if (info.is_null()) return "weft info gave no answer";
  const auto absent = info.find("absent");
  return absent == info.end() ? "" : absent->value(name, "");
}

Counts Report::counts() const {
  Counts all;
  for (const Check& check : checks) count(all, check.verdict);
  return all;
}

Counts Report::counts_of(const std::string& step) const {
  Counts some;
  for (const Check& check : checks)
    if (check.step == step) count(some, check.verdict);
  return some;
}

std::string shortened(const std::string& words) {
  const std::string_view blank = " \n";
  std::string text = words.substr(0, words.find_last_not_of(blank) + 1);
  if (text.size() > kMostReason) text = text.substr(0, kMostReason) + " ... (see log.txt)";
  return text;
}

std::string counts_text(const Counts& counts) {
  std::string text;
  const auto add = [&](int count, const char* what) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
  };
  add(counts.passed, "passed");
  add(counts.failed, "failed");
  add(counts.skipped, "skipped");
  return text;
}

ExitCode exit_code(const Report& report) {
  if (report.state == State::interrupted) return kInterrupted;
  const Counts counts = report.counts();
  if (counts.failed > 0) return kFailed;
  if (report.state == State::out_of_time) return kOutOfTime;
  return counts.passed > 0 ? kPassed : kNothingChecked;
}

std::string result_text(const Report& report) {
  const Counts counts = report.counts();
  std::string text =
      fmt::format("{} passed, {} failed, {} skipped", counts.passed, counts.failed, counts.skipped);
  switch (report.state) {
    case State::running:
      return text + "; the run had not ended";
    case State::interrupted:
      return text + "; interrupted";
    case State::out_of_time:
      return text + "; the time was over before all steps had ended";
    case State::finished:
      break;
  }
  if (exit_code(report) != kNothingChecked) return text;
  const std::string why = report.why_absent("cuda");
  if (why.empty()) return text + "; nothing was checked";
  return text + fmt::format(
                    "; there is no CUDA device to check ({}): only this machine is described", why);
}

void write(const Report& report, const std::string& folder) {
  using nlohmann::ordered_json;
  write_file(fs::path(folder) / "report.txt", text_of(report));
  write_file(fs::path(folder) / "report.json",
             json_of(report).dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace weft::gpu_check
