#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/common/options.hpp"
#include "cli/compare/compare_report.hpp"
#include "cli/fft/report.hpp"
#include "cli/text/number_text.hpp"
#include "cli/text/text_table.hpp"

namespace weft::cli {
namespace {

const std::vector<TextColumn> kColumns = {
    {"shape", Align::left},     {"type", Align::left},      {"direction", Align::left},
    {"engine", Align::left},    {"reference", Align::left}, {"error", Align::right},
    {"bound", Align::right},    {"cycles", Align::right},   {"emulation", Align::right},
    {"its time", Align::right}, {"verdict", Align::left}};

constexpr const char* kLegend =
    "  error: relative L2, against the reference in double precision; bound: docs/accuracy.md;\n"
    "  its time: of the reference's transform in double precision\n";

std::string error_text(double rel_l2) { return fmt::format("{:.2e}", rel_l2); }

std::string shape_text(const Shape3& shape) {
  return fmt::format("{},{},{}{}", shape.n0, shape.n1, shape.n2,
                     shape.n3 == 1 ? "" : fmt::format(",{}", shape.n3));
}

/// Rows that are skipped for the same reason with the same engine and reference.
bool are_skipped_alike(const CompareRow& a, const CompareRow& b) {
  return !a.finding && !b.finding && a.engine == b.engine && a.reference == b.reference &&
         a.skipped == b.skipped && a.interrupted == b.interrupted;
}

std::string verdict_text(const CompareRow& row) {
  if (row.finding) return row.failed() ? "FAILED" : "ok";
  return row.interrupted ? "interrupted" : "skipped: " + row.skipped;
}

std::vector<std::string> cells_of(const CompareRow& row) {
  std::vector<std::string> cells = {
      shape_text(row.arrays.shape), std::string(to_string(row.precision)),
      std::string(way_text(row.arrays)), std::string(row.engine->name),
      std::string(row.reference->name)};
  if (!row.finding) {
    cells.insert(cells.end(), 5, "-");
    cells.push_back(verdict_text(row));
    return cells;
  }
  const Finding& finding = *row.finding;
  for (const std::string& cell :
       {error_text(finding.accuracy.difference.rel_l2), error_text(finding.accuracy.bound),
        grouped(finding.cycles), duration_text(finding.emulation_seconds),
        duration_text(finding.accuracy.reference_seconds), verdict_text(row)}) {
    cells.push_back(cell);
  }
  return cells;
}

std::string counts_text(const CompareCounts& counts) {
  std::vector<std::string> parts = {fmt::format("{} ok", counts.ok)};
  if (counts.failed > 0) parts.push_back(fmt::format("{} FAILED", counts.failed));
  if (counts.interrupted > 0) parts.push_back(fmt::format("{} interrupted", counts.interrupted));
  if (counts.skipped > 0) parts.push_back(fmt::format("{} skipped", counts.skipped));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string row_title(const CompareRow& row) {
  return fmt::format("{} {} {} on {} against {}", shape_text(row.arrays.shape),
                     to_string(row.precision), way_text(row.arrays), row.engine->name,
                     row.reference->name);
}

}  // namespace

CompareCounts count(const std::vector<CompareRow>& rows) {
  CompareCounts counts;
  for (const CompareRow& row : rows) {
    ++(row.finding       ? row.failed() ? counts.failed : counts.ok
       : row.interrupted ? counts.interrupted
                         : counts.skipped);
  }
  return counts;
}

std::string compare_text(const CompareGrid& grid, const std::vector<CompareRow>& rows) {
  const std::size_t runs =
      grid.shapes.size() * grid.kinds.size() * grid.precisions.size() * grid.directions.size();
  std::vector<std::vector<std::string>> lines, skipped;
  for (auto row = rows.begin(); row != rows.end(); ++row) {
    const auto is_alike = [&](const CompareRow& other) { return are_skipped_alike(*row, other); };
    const auto alike = static_cast<std::size_t>(std::ranges::count_if(rows, is_alike));
    if (runs < 2 || alike < runs) {
      lines.push_back(cells_of(*row));
    } else if (std::none_of(rows.begin(), row, is_alike)) {
      std::vector<std::string> cells = cells_of(*row);
      cells[0] = fmt::format("all {}", alike);
      cells[1] = cells[2] = "-";
      skipped.push_back(cells);
    }
  }
  lines.insert(lines.end(), skipped.begin(), skipped.end());
  const std::string algorithm = algorithm_text(grid.algorithm, grid.s3dft_form);
  return fmt::format(
      "weft compare: random {}, seed {};{} machine {}; {} thread{}\n\n{}\n{}\n  {}\n",
      grid.batch == 1 ? "fields" : fmt::format("fields, {} at a time", grid.batch), grid.seed,
      algorithm.empty() ? "" : fmt::format(" {};", algorithm), machine_title(grid.machine),
      grid.threads, grid.threads == 1 ? "" : "s", text_table(kColumns, lines), kLegend,
      counts_text(count(rows)));
}

std::string failure_line(const std::vector<CompareRow>& rows) {
  const auto excess = [](const CompareRow& row) {
    return row.failed() ? row.finding->accuracy.difference.rel_l2 / row.finding->accuracy.bound : 0;
  };
  const CompareRow& worst = *std::ranges::max_element(rows, {}, excess);
  const Accuracy& accuracy = worst.finding->accuracy;
  const CompareCounts counts = count(rows);
  return fmt::format(
      "weft: comparison error: {} of {} comparisons failed "
      "(the worst: {}, relative L2 error {:.2e}, bound {:.2e}); "
      "if another reference agrees, look at that one, or else report it\n",
      counts.failed, counts.failed + counts.ok, row_title(worst), accuracy.difference.rel_l2,
      accuracy.bound);
}

std::string interruption_line(const std::vector<CompareRow>& rows) {
  const CompareRow& first = *std::ranges::find_if(rows, &CompareRow::interrupted);
  const CompareCounts counts = count(rows);
  return fmt::format("weft: interrupted {}, in {}; {} of {} comparisons were made\n", first.skipped,
                     row_title(first), counts.ok + counts.failed,
                     counts.ok + counts.failed + counts.interrupted);
}

Error nothing_compared(const std::vector<CompareRow>& rows) {
  std::vector<std::string> reasons;
  for (const CompareRow& row : rows) {
    add_once(reasons, fmt::format("{}: {}", row.reference->name, row.skipped));
  }
  return Error(ErrorCategory::environment, "nothing could be compared",
               fmt::format("{}", fmt::join(reasons, "; ")),
               "choose --references, --engines and --shapes that this host can run");
}

}  // namespace weft::cli
