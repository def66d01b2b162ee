#include "base/processes.hpp"
#include "cli/common/algorithm_words.hpp"
#include "cli/common/options.hpp"
#include "cli/fft/optional_json.hpp"
#include "cli/fft/report.hpp"
#include "cli/text/terminal.hpp"
#include "io/atomic_file.hpp"
#include "weft/version.hpp"

namespace weft::cli {
namespace {

using nlohmann::ordered_json;

ordered_json input_json(const FftReport& report) {
  if (!report.options.data) return nullptr;
  if (!report.input) {
    return {{"kind", "random"}, {"seed", report.seed}};
  }
  return {{"kind", "file"},
          {"path", *report.input},
          {"shape", report.input_sides},
          {"fit", report.fit},
          {"type", report.conversion.type},
          {"slope", report.conversion.slope},
          {"intercept", report.conversion.intercept},
          {"rounded", report.conversion.rounded},
          {"underflows", report.conversion.underflows}};
}

ordered_json cycles_json(const FftRun& run) {
  return {{"total", run.report.cycles},
          {"compute", run.compute_cycles},
          {between_pes(run.transpose), run.communication_cycles},
          {"phases", phases_json(run.report.phases, run.transpose)}};
}

ordered_json error_json(const std::optional<Accuracy>& accuracy) {
  if (!accuracy) {
    return {{"reference", nullptr}, {"rel_l2", nullptr}, {"max_abs", nullptr},
            {"bound", nullptr},     {"ok", nullptr},     {"by_first_process", nullptr}};
  }
  return {{"reference", accuracy->reference->name},
          {"rel_l2", accuracy->difference.rel_l2},
          {"max_abs", accuracy->difference.max_abs},
          {"bound", accuracy->bound},
          {"ok", accuracy->ok()},
          {"by_first_process", accuracy->in_first}};
}

ordered_json per_second(std::uint64_t count, double seconds) {
  return seconds > 0 ? ordered_json(static_cast<double>(count) / seconds) : ordered_json(nullptr);
}

}  // namespace

ordered_json fastest_json(const std::optional<FftFastest>& fastest) {
  if (!fastest) return nullptr;
  return {{"cycles", fastest->cycles},
          {"algorithm", to_string(FftAlgorithm::wsfft)},
          {"transpose", to_string(fastest->transpose)},
          {"pencil", to_string(fastest->pencil)},
          {"mesh", {fastest->mesh.x, fastest->mesh.y}}};
}

ordered_json shape_json(const Shape3& shape) {
  ordered_json sides = {shape.n0, shape.n1, shape.n2};
  if (shape.n3 != 1) sides.push_back(shape.n3);
  return sides;
}

ordered_json phases_json(const std::vector<RunPhase>& phases, FftTranspose transpose) {
  ordered_json json = ordered_json::array();
  for (const RunPhase& phase : phases) {
    json.push_back({{"name", phase.name},
                    {"kind", phase.communication ? between_pes(transpose) : "compute"},
                    {"cycles", phase.cycles}});
  }
  return json;
}

ordered_json machine_json(const Machine& machine) {
  ordered_json json = {{"name", machine.name}};
  for (const MachineConstant& constant : machine_constants()) {
    json[std::string(constant.name)] = machine.*constant.member;
  }
  return json;
}

ordered_json s3dft_form_json(FftAlgorithm algorithm, S3dftForm form) {
  return words_about(algorithm).forms ? ordered_json(to_string(form)) : ordered_json(nullptr);
}

void add_algorithm_json(ordered_json& json, const FftOptions& options, FftTranspose transpose) {
  const bool exchanges = words_about(options.algorithm).exchanges;
  json["algorithm"] = to_string(options.algorithm);
  json["transpose"] = exchanges ? ordered_json(to_string(transpose)) : ordered_json(nullptr);
  json["pencil"] = exchanges ? ordered_json(to_string(options.pencil)) : ordered_json(nullptr);
  json["s3dft_form"] = s3dft_form_json(options.algorithm, options.s3dft_form);
  json["back"] = options.back;
}

ordered_json report_json(const FftReport& report) {
  const FftRun& run = report.run;
  const RunReport& took = run.report;
  ordered_json json = {
      {"version", version()},
      {"shape", report.layout.sides_of_one(report.arrays.shape)},
      {"kind", kind_text(report.arrays)},
      {"batch", report.arrays.batch},
      {"rounds", run.rounds},
      {"mesh", {run.mesh.x, run.mesh.y}},
      {"precision", to_string(report.precision)},
      {"direction", to_string(report.arrays.direction)},
      {"norm", to_string(report.options.norm)},
  };
  add_algorithm_json(json, report.options, run.transpose);
  json.update(
      ordered_json{{"data", report.options.data},
                   {"input", input_json(report)},
                   {"engine", to_string(took.engine)},
                   {"processes", base::process_count(report.options.processes.get())},
                   {"threads", report.options.threads},
                   {"machine", machine_json(report.options.machine)},
                   {"cycles", cycles_json(run)},
                   {"fastest", fastest_json(report.fastest)},
                   {"time_us", took.time_us},
                   {"tflops", run.tflops},
                   {"peak_share", optional_json(took.peak_share)},
                   {"wavelets", took.counters.wavelets},
                   {"wavelet_hops", took.counters.hops},
                   {"busiest_link", optional_json(took.busiest_link)},
                   {"busiest_ramp", optional_json(took.busiest_ramp)},
                   {"error", error_json(report.accuracy)},
                   {"wall_seconds", took.wall_seconds},
                   {"skipped_cycles", took.skipped_cycles},
                   {"pe_cycles", took.pe_cycles},
                   {"pe_cycles_per_second", per_second(took.pe_cycles, took.wall_seconds)},
                   {"wavelet_hops_per_second", per_second(took.counters.hops, took.wall_seconds)},
                   {"peak_memory_bytes", report.peak_memory_bytes}});
  if (!report.peak_memory_of_each.empty())
    json["peak_memory_bytes_of_each"] = report.peak_memory_of_each;
  return json;
}

void write_json(const std::string& path, const ordered_json& json) {
  const std::string text = json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  if (path == kStandardOutput) {
    write_stdout(text);
  } else {
    io::write_file(path, text);
  }
}

}  // namespace weft::cli
