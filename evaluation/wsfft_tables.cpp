#include <fmt/format.h>

#include <utility>
#include <vector>

#include "evaluation/wsfft_paper.hpp"
#include "evaluation/wsfft_runs.hpp"

namespace weft::evaluation {

Result make_table_1(const Scope&, const Outcomes& outcomes, const Machine& machine) {
  Result result{"table-1", "cycles of n^3 numbers on n x n PEs, mean of forward and inverse", {}};
  result.table.columns = {
      "n",         "measured FP16",  "Weft FP16", "difference FP16", "measured FP32",
      "Weft FP32", "difference FP32"};
  for (const wsfft_paper::Table1& row : wsfft_paper::kTable1) {
    Row cells{whole(row.n)};
    bool any = false;
    for (const FftPrecision precision : kPrecisions) {
      const double published = *wsfft_paper::measured_cycles(row.n, precision);
      cells.push_back(whole(published));
      const auto ours = cube_of(outcomes, row.n, row.n, precision);
      any |= ours.has_value();
      cells.push_back(ours ? whole(ours->cycles) : none());
      cells.push_back(ours ? percent(ours->cycles / published) : none());
    }
    if (any) result.table.rows.push_back(cells);
  }
  result.notes = {"Measured: by the authors, on a CS-2."};
  if (machine == Machine{})
    result.notes.emplace_back(
        "The machine's constants were calibrated on n = 32, 64 and 128. So n = 256 and 512 are "
        "predictions.");
  return result;
}

Result make_table_2(const Scope&, const Outcomes& outcomes, const Machine& machine) {
  Result result{"table-2", "rates of 3-D transforms, Tflops/s", {}};
  result.table.columns = {"n", "precision", "machine", "Weft"};
  add_published_columns(result.table.columns);
  for (const int n : {256, 512, 1024}) {
    for (const wsfft_paper::Other& other : wsfft_paper::kOthers)
      if (other.n == n)
        result.table.rows.push_back({whole(n), cell(other.precision), cell(other.machine), none(),
                                     decimal(other.tflops, 1), cell("its authors"), none(),
                                     none()});
    for (const FftPrecision precision : {FftPrecision::fp32, FftPrecision::fp16}) {
      for (const int mesh : n == 1024 ? std::vector{512, 1024} : std::vector{n}) {
        const auto ours = cube_of(outcomes, n, mesh, precision);
        if (!ours) continue;
        const double rate = wsfft_paper::tflops(n, ours->cycles, machine.clock_khz * 1e3);
        Row row{whole(n), cell(precision == FftPrecision::fp32 ? "32-bit" : "16-bit"),
                cell(fmt::format("wsFFT on {} x {} PEs", mesh, mesh)), decimal(rate, 1)};
        add_published(row, rate, wsfft_paper::published_rate(n, mesh, precision), 1);
        result.table.rows.push_back(std::move(row));
      }
    }
  }
  return result;
}

}  // namespace weft::evaluation
