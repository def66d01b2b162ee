#include <fmt/format.h>

#include <map>
#include <set>
#include <sstream>

#include "gpu_check/reckoned.hpp"
#include "gpu_check/steps.hpp"

namespace weft::gpu_check {
namespace {

using nlohmann::ordered_json;

/// Discarded if it is none, which the step's end tells of.
ordered_json parse(const std::string& text) { return ordered_json::parse(text, nullptr, false); }

std::string shape_text(const ordered_json& shape) {
  return fmt::format("{}^3", shape.at(0).get<int>());
}

/// Wall times of a comparison's row, told once for each engine and each reference.
class WallTimes {
 public:
  explicit WallTimes(Report& report) : report_(report) {}

  void add(const ordered_json& row, const std::string& engine, const std::string& reference) {
    const std::string what =
        fmt::format("{} {} {}", shape_text(row.at("shape")), row.at("precision").get<std::string>(),
                    row.at("direction").get<std::string>());
    add(fmt::format("{} with copies, {} engine", what, engine), row.at("wall_seconds"));
    add(fmt::format("{} {} in double precision", shape_text(row.at("shape")), reference),
        row.at("reference_wall_seconds"));
  }

 private:
  void add(const std::string& what, const ordered_json& seconds) {
    if (seconds.is_number() && told_.insert(what).second)
      report_.timings.push_back({what, "s", seconds.get<double>()});
  }

  Report& report_;
  std::set<std::string> told_;
};

}  // namespace

void read_info(const Step&, const Finished& finished, Report& report) {
  const ordered_json info = parse(finished.out);
  if (info.is_object()) report.info = info;
}

void read_smi(const Step& step, const Finished& finished, Report& report) {
  std::istringstream lines(finished.out);
  std::string titles, values;
  std::getline(lines, titles);
  const auto next = [](std::istringstream& cells) {
    std::string cell;
    std::getline(cells >> std::ws, cell, ',');
    return cell;
  };
  while (std::getline(lines, values)) {
    Reading reading{step.name, {}};
    std::istringstream keys(titles), cells(values);
    while (keys && cells) {
      const std::string key = next(keys);
      if (!key.empty()) reading.values[key] = next(cells);
    }
    report.readings.push_back(std::move(reading));
  }
}

void read_compare(const Step& step, const Finished& finished, Report& report) {
  const ordered_json all = parse(finished.out);
  if (!all.is_object() || !all.contains("rows")) return;
  WallTimes times(report);
  std::map<std::string, int> skipped;  // by reason: most have the same
  for (const ordered_json& row : all["rows"]) {
    const std::string verdict = row.at("verdict"), engine = row.at("engine"),
                      reference = row.at("reference");
    const std::string name =
        fmt::format("{} {} {}, {} engine against {}", shape_text(row.at("shape")),
                    row.at("precision").get<std::string>(), row.at("direction").get<std::string>(),
                    engine, reference);
    if (verdict == "ok" || verdict == "failed") {
      const bool failed = verdict == "failed";
      report.checks.push_back({step.name, name, failed ? Verdict::failed : Verdict::passed,
                               row.at("wall_seconds").get<double>(),
                               failed ? fmt::format("relative L2 error {}, bound {}",
                                                    row.at("rel_l2").dump(), row.at("bound").dump())
                                      : ""});
      if (row.at("precision") == "fp32" && row.at("direction") == "forward")
        times.add(row, engine, reference);
    } else {
      ++skipped[fmt::format(
          "{}: {}", reference,
          row.at("reason").is_string() ? row.at("reason").get<std::string>() : verdict)];
    }
  }
  for (const auto& [reason, count] : skipped)
    report.checks.push_back(
        {step.name, fmt::format("{} comparisons", count), Verdict::skipped, 0, reason});
}

void read_benchmark(const Step& step, const Finished& finished, Report& report) {
  const ordered_json all = parse(finished.out);
  if (!all.is_object() || !all.contains("benchmarks")) return;
  for (const ordered_json& run : all["benchmarks"]) {
    const std::string name = run.at("name");
    if (run.value("error_occurred", false)) {
      report.checks.push_back(
          {step.name, name, Verdict::failed, 0, run.value("error_message", "")});
      continue;
    }
    const std::size_t at = name.find("n:");
    if (at == std::string::npos || !run.contains("seconds")) continue;
    const int n = std::atoi(name.c_str() + at + 2);
    const Reckoned reckoned = reckon(n);
    const double seconds = run.at("seconds").get<double>();
    report.checks.push_back({step.name, name, Verdict::passed, seconds});
    report.timings.push_back(
        {fmt::format("{}^3 fp32 forward, steps alone", n), "s", seconds, reckoned.latency});
    report.timings.push_back({fmt::format("{}^3 fp32 forward, a cycle that is stepped", n), "us",
                              run.at("seconds_per_cycle").get<double>() * 1e6,
                              reckoned.cycle * 1e6});
  }
}

}  // namespace weft::gpu_check
