#include "cli/common/options.hpp"
#include "cli/compare/compare_report.hpp"
#include "cli/fft/report.hpp"
#include "weft/version.hpp"

namespace weft::cli {
namespace {

using nlohmann::ordered_json;

const char* verdict(const CompareRow& row) {
  if (!row.finding) return row.interrupted ? "interrupted" : "skipped";
  return row.failed() ? "failed" : "ok";
}

ordered_json own_json(const std::optional<OwnTransform>& own) {
  if (!own) return nullptr;
  return {{"rel_l2", own->rel_l2}, {"wall_seconds", own->seconds}};
}

ordered_json row_json(const CompareRow& row) {
  ordered_json json = {
      {"shape", shape_json(row.arrays.shape)},
      {"kind", to_string(row.arrays.kind)},
      {"batch", row.arrays.batch},
      {"precision", to_string(row.precision)},
      {"direction", to_string(row.arrays.direction)},
      {"engine", row.engine->name},
      {"reference", row.reference->name},
      {"verdict", verdict(row)},
      {"reason", row.skipped.empty() ? ordered_json(nullptr) : ordered_json(row.skipped)}};
  if (!row.finding) {
    for (const char* key : {"rel_l2", "max_abs", "bound", "cycles", "wall_seconds",
                            "reference_wall_seconds", "reference_same_precision"}) {
      json[key] = nullptr;
    }
    return json;
  }
  const Finding& finding = *row.finding;
  json["rel_l2"] = finding.accuracy.difference.rel_l2;
  json["max_abs"] = finding.accuracy.difference.max_abs;
  json["bound"] = finding.accuracy.bound;
  json["cycles"] = finding.cycles;
  json["wall_seconds"] = finding.emulation_seconds;
  json["reference_wall_seconds"] = finding.accuracy.reference_seconds;
  json["reference_same_precision"] = own_json(finding.own);
  return json;
}

}  // namespace

ordered_json compare_json(const CompareGrid& grid, const std::vector<CompareRow>& rows) {
  const CompareCounts counts = count(rows);
  ordered_json row_list = ordered_json::array();
  for (const CompareRow& row : rows) row_list.push_back(row_json(row));
  return {{"version", version()},
          {"input", {{"kind", "random"}, {"seed", grid.seed}}},
          {"norm", to_string(FftNorm::backward)},
          {"algorithm", to_string(grid.algorithm)},
          {"s3dft_form", s3dft_form_json(grid.algorithm, grid.s3dft_form)},
          {"threads", grid.threads},
          {"machine", machine_json(grid.machine)},
          {"rows", std::move(row_list)},
          {"counts",
           {{"ok", counts.ok},
            {"failed", counts.failed},
            {"skipped", counts.skipped},
            {"interrupted", counts.interrupted}}}};
}

}  // namespace weft::cli
