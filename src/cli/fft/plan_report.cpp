// The report of `weft fft --plan`.
#include <fmt/format.h>

#include "cli/common/algorithm_words.hpp"
#include "cli/fft/report.hpp"
#include "cli/fft/report_lines.hpp"
#include "cli/text/number_text.hpp"
#include "weft/version.hpp"

namespace weft::cli {
namespace {

double microseconds(const FftReport& report, const FftEstimate& estimate) {
  return static_cast<double>(estimate.cycles) * 1e3 / report.options.machine.clock_khz;
}

}  // namespace

std::string plan_text(const FftReport& report, const FftEstimate& estimate) {
  ReportLines lines(fmt::format("weft fft: {}: what it will take", transform_text(report)));
  lines.add("mesh", mesh_text(report));
  lines.add("division", estimate.division);
  lines.add("machine", machine_title(report.options.machine));
  const FftOptions& options = report.options;
  const bool cannot_be_published = options.back && options.transpose == FftTranspose::automatic;
  const FftTranspose first = cannot_be_published ? FftTranspose::interlocked : options.transpose;
  add_algorithm(lines, options, first);
  lines.add(
      "memory of a PE",
      fmt::format("{} of {} bytes", grouped(estimate.pe_bytes),
                  grouped(static_cast<std::uint64_t>(report.options.machine.pe_memory_bytes))));
  lines.add("  roots of unity", fmt::format("{} bytes", grouped(estimate.root_bytes)));
  lines.add("program", fmt::format("{} shapes of vectors, of 256", estimate.shapes));
  lines.add("routers",
            fmt::format("{} colors, {} filters in a PE", estimate.colors, estimate.filters));
  lines.add("cycles", fmt::format("{:>13}  expected", grouped(estimate.cycles)));
  for (const RunPhase& phase : estimate.phases)
    lines.add_cycles("  " + phase.name, phase.cycles, estimate.cycles);
  const AlgorithmWords& words = words_about(options.algorithm);
  lines.add(fmt::format("  {}", words.formula),
            fmt::format("{:>13}  {}", grouped(estimate.published_cycles), words.formula_from));
  if (report.fastest) lines.add("  fastest", fastest_text(report));
  lines.add("on the machine",
            fmt::format("{:.2f} us at {} MHz", microseconds(report, estimate),
                        static_cast<double>(report.options.machine.clock_khz) / 1000));
  lines.add("memory here", "about " + bytes_text(estimate.host_bytes));
  return lines.text();
}

nlohmann::ordered_json plan_json(const FftReport& report, const FftEstimate& estimate) {
  nlohmann::ordered_json json = {
      {"version", version()},
      {"shape", report.layout.sides_of_one(report.arrays.shape)},
      {"kind", kind_text(report.arrays)},
      {"batch", report.arrays.batch},
      {"rounds", estimate.rounds},
      {"mesh", {estimate.mesh.x, estimate.mesh.y}},
      {"division", estimate.division},
      {"precision", to_string(report.precision)},
      {"direction", to_string(report.arrays.direction)},
  };
  add_algorithm_json(json, report.options, report.options.transpose);
  json.update(
      nlohmann::ordered_json{{"pe_bytes", estimate.pe_bytes},
                             {"root_bytes", estimate.root_bytes},
                             {"shapes", estimate.shapes},
                             {"colors", estimate.colors},
                             {"filters", estimate.filters},
                             {"expected_cycles",
                              {{"total", estimate.cycles},
                               {"published", nullptr},
                               {"by_formula", nullptr},
                               {"fastest", fastest_json(report.fastest)},
                               {"phases", phases_json(estimate.phases, report.options.transpose)}}},
                             {"expected_time_us", microseconds(report, estimate)},
                             {"host_bytes", estimate.host_bytes},
                             {"machine", machine_json(report.options.machine)}});
  json["expected_cycles"][words_about(report.options.algorithm).formula_key] =
      estimate.published_cycles;
  return json;
}

}  // namespace weft::cli
