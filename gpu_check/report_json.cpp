#include "gpu_check/report.hpp"

namespace weft::gpu_check {
namespace {

using nlohmann::ordered_json;

const char* name(Verdict verdict) {
  return verdict == Verdict::passed ? "passed" : verdict == Verdict::failed ? "failed" : "skipped";
}

const char* name(State state) {
  switch (state) {
    case State::running:
      return "running";
    case State::finished:
      return "finished";
    case State::out_of_time:
      return "out of time";
    case State::interrupted:
      break;
  }
  return "interrupted";
}

ordered_json steps_json(const std::vector<StepRecord>& steps) {
  ordered_json all = ordered_json::array();
  for (const StepRecord& step : steps)
    all.push_back({{"name", step.name},
                   {"command", step.command},
                   {"end", step.end},
                   {"seconds", step.seconds},
                   {"limit_seconds", step.limit_s}});
  return all;
}

ordered_json checks_json(const std::vector<Check>& checks) {
  ordered_json all = ordered_json::array();
  for (const Check& check : checks)
    all.push_back({{"step", check.step},
                   {"name", check.name},
                   {"result", name(check.verdict)},
                   {"seconds", check.seconds},
                   {"reason", check.reason}});
  return all;
}

ordered_json timings_json(const std::vector<Timing>& timings) {
  ordered_json all = ordered_json::array();
  for (const Timing& timing : timings) {
    ordered_json row = {
        {"what", timing.what}, {"unit", timing.unit}, {"measured", timing.measured}};
    row["reckoned"] = timing.reckoned ? ordered_json(*timing.reckoned) : ordered_json(nullptr);
    row["ratio"] =
        timing.reckoned ? ordered_json(timing.measured / *timing.reckoned) : ordered_json(nullptr);
    all.push_back(std::move(row));
  }
  return all;
}

ordered_json readings_json(const std::vector<Reading>& readings) {
  ordered_json all = ordered_json::array();
  for (const Reading& reading : readings)
    all.push_back({{"step", reading.step}, {"values", reading.values}});
  return all;
}

}  // namespace

ordered_json json_of(const Report& report) {
  const Counts counts = report.counts();
  const auto of_info = [&](const char* key) {
    return report.info.is_null() || !report.info.contains(key) ? ordered_json(nullptr)
                                                               : report.info[key];
  };
  return {{"version", of_info("version")},
          {"imitation", report.imitation},
          {"state", name(report.state)},
          {"begun", report.begun},
          {"seconds", report.seconds},
          {"allowed_seconds", report.allowed_s},
          {"counts",
           {{"passed", counts.passed}, {"failed", counts.failed}, {"skipped", counts.skipped}}},
          {"result", result_text(report)},
          {"exit_code", report.state == State::running ? ordered_json(nullptr)
                                                       : ordered_json(exit_code(report))},
          {"devices", of_info("devices")},
          {"cuda", of_info("cuda")},
          {"absent", of_info("absent")},
          {"nvidia_smi", readings_json(report.readings)},
          {"host", report.host},
          {"timings", timings_json(report.timings)},
          {"reckoned_for", "H200, by the latency of dependent instructions"},
          {"steps", steps_json(report.steps)},
          {"checks", checks_json(report.checks)}};
}

}  // namespace weft::gpu_check
