// Figures 6 to 8: a fixed array on more and more PEs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "evaluation/runs.hpp"
#include "evaluation/s3dft.hpp"
#include "evaluation/ways.hpp"

namespace weft::evaluation {
namespace {

constexpr int kSideOfStages = 32, kFewestPes = 4;

/// S3DFT of 32^3, its forms on pencils.
template <class F>
void for_stages(F f) {
  for (const FftPrecision precision : kPrecisions)
    for (const Way& way : ways())
      if (way.is_s3dft_on_pencils())
        for (const int p : powers(kFewestPes, kSideOfStages))
          f(Transformed{way, precision, kSideOfStages, kSideOfStages / p});
}

/// Cycles of the three stages, each with its alignment before it.
std::array<double, 3> cycles_of_stages(const Way& way, const Outcome& one) {
  std::array<double, 3> stages{};
  if (way.s3dft == S3dftForm::held)
    for (const std::size_t k : {0, 1, 2}) stages[k] = static_cast<double>(one.phases[k]);
  else
    for (const std::size_t k : {0, 1, 2, 3, 4}) stages[k / 2] += static_cast<double>(one.phases[k]);
  return stages;
}

/// The third stage aligns nothing, and waits for no streams of a matrix.
double predicted_with_alignment(const Transformed& t, int stage) {
  Transformed held = t;
  held.way.s3dft = S3dftForm::held;
  const double alone = predicted_stage(t, stage);
  return stage == 2 ? alone : alone + (predicted_cycles(t) - predicted_cycles(held)) / 2;
}

const Outcome* with_stages(const Outcomes& outcomes, const Transformed& t) {
  const Outcome* one = ended(outcomes, run_of(t));
  const std::size_t phases = t.way.s3dft == S3dftForm::held ? 3 : 5;
  return one != nullptr && one->phases.size() == phases ? one : nullptr;
}

/// What all ways take for n^3 numbers, over PEs; interlocked is near the published one.
template <class F>
void for_scaling(int n, F f) {
  for (const FftPrecision precision : kPrecisions)
    for (const Way& way : ways()) {
      if (way.form == FftTranspose::interlocked) continue;
      // With 2^15 numbers in a PE, a block has more elements than a descriptor.
      for (const int p : powers(std::max(kFewestPes, n * n / 1024), n))
        if (const Transformed t{way, precision, n, n / p}; can_be(t)) f(t);
    }
}

int large_side(const Scope& scope) { return std::min(scope.most / 2, 128); }

std::vector<Run> runs_of_scaling(int n) {
  std::vector<Run> runs;
  for_scaling(n, [&](const Transformed& t) { runs.push_back(run_of(t)); });
  return runs;
}

Result make_scaling(const char* name, int n, double fftw, double mkl, const Outcomes& outcomes) {
  Result result{
      name, fmt::format("{}^3 numbers over PEs along a side, by all ways but interlocked", n), {}};
  result.table.columns = {"precision", "pencil", "transposes", "p",     "predicted",
                          "cycles",    "off",    "speed-up",   "ideal", "s3dft over it"};
  Figure figure{"PEs along a side", "cycles", true, {}};
  for_scaling(n, [&](const Transformed& t) {
    const Outcome* one = ended(outcomes, run_of(t));
    if (one == nullptr) return;
    Transformed held = t;
    held.way = *std::ranges::find_if(ways(), &Way::is_s3dft);
    const Outcome* s3dft = ended(outcomes, run_of(held));
    const auto cycles = static_cast<double>(one->cycles);
    const double p = static_cast<double>(t.n) / t.m;
    const std::string title = title_of(t.precision, name_of(t.way));
    if (figure.series.empty() || figure.series.back().title != title)
      figure.series.push_back(
          {title, Mark::ours, color_of(t.way), {}, t.precision == FftPrecision::fp32});
    auto& points = figure.series.back().points;
    points.emplace_back(p, cycles);
    Row row{cell(text_of(t.precision)), cell(std::string(pencil_name(t.way))),
            cell(std::string(exchange_name(t.way))), whole(p)};
    add_predicted(row, predicted_cycles(t), cycles);
    row.push_back(decimal(points.front().second / cycles, 1));
    row.push_back(decimal(p * p / (points.front().first * points.front().first), 0));
    row.push_back(s3dft == nullptr ? none()
                                   : decimal(static_cast<double>(s3dft->cycles) / cycles, 2));
    result.table.rows.push_back(std::move(row));
  });
  result.figure = std::move(figure);
  result.notes = {fmt::format(
      "PEs get the memory that n^3 takes on so few of them. Speed-up: over the first row of the "
      "way. "
      "Interlocked, which plans take where the published exchange fails, is left out. "
      "S3DFT over it: cycles of S3DFT held over those of the row. The authors' S3DFT took {} times "
      "as long as FFTW and {} times as long as iMKL, on average.",
      fftw, mkl)};
  return result;
}

}  // namespace

std::vector<Run> runs_of_stages(const Scope&) {
  std::vector<Run> runs;
  for_stages([&](const Transformed& t) { runs.push_back(run_of(t)); });
  return runs;
}

Result make_stages(const Scope&, const Outcomes& outcomes, const Machine&) {
  Result result{"figure-6", "the three stages of 32^3 numbers apart, over PEs along a side", {}};
  result.table.columns = {"precision", "form",          "stage",         "p", "predicted", "cycles",
                          "off",       "efficiency, %", "the authors, %"};
  Figure figure{"PEs along a side", "parallel efficiency, %", false, {}};
  for (int stage = 0; stage < 3; ++stage) {
    const s3dft_paper::Efficiency& paper = s3dft_paper::kStages[static_cast<std::size_t>(stage)];
    double base = 0;
    for_stages([&](const Transformed& t) {
      const double p = static_cast<double>(t.n) / t.m;
      if (p == kFewestPes) base = 0;  // a series begins
      const Outcome* one = with_stages(outcomes, t);
      if (one == nullptr) return;
      const double cycles = cycles_of_stages(t.way, *one)[static_cast<std::size_t>(stage)];
      if (p == kFewestPes) base = cycles * p * p;
      if (base == 0) return;
      const double efficiency = 100 * base / (cycles * p * p);
      const std::string title =
          title_of(t.precision, fmt::format("{}, stage {}", exchange_name(t.way), stage + 1));
      if (figure.series.empty() || figure.series.back().title != title)
        figure.series.push_back({title,
                                 Mark::ours,
                                 2 * stage + (t.way.s3dft == S3dftForm::held ? 0 : 1),
                                 {},
                                 t.precision == FftPrecision::fp32});
      figure.series.back().points.emplace_back(p, efficiency);
      Row row{cell(text_of(t.precision)), cell(std::string(to_string(t.way.s3dft))),
              whole(stage + 1), whole(p)};
      add_predicted(row, predicted_with_alignment(t, stage), cycles);
      row.push_back(decimal(efficiency, 1));
      row.push_back(p == kFewestPes ? none()
                                    : cell(fmt::format("{:.0f} to {:.0f}", 100 * paper.least,
                                                       100 * paper.most)));
      result.table.rows.push_back(std::move(row));
    });
  }
  result.figure = std::move(figure);
  result.notes = {
      "Pencils on p x p PEs; efficiency over p = 4. The authors: p^3 nodes, p = 5 to 7 over p = 4, "
      "N "
      "= 4200, which no mesh has room for. A stage has its alignment in it."};
  return result;
}

std::vector<Run> runs_of_small_scaling(const Scope&) { return runs_of_scaling(32); }
std::vector<Run> runs_of_large_scaling(const Scope& scope) {
  return runs_of_scaling(large_side(scope));
}

Result make_small_scaling(const Scope&, const Outcomes& outcomes, const Machine&) {
  return make_scaling("figure-7", 32, s3dft_paper::kFftwSmall, s3dft_paper::kMklSmall, outcomes);
}

Result make_large_scaling(const Scope& scope, const Outcomes& outcomes, const Machine&) {
  return make_scaling("figure-8", large_side(scope), s3dft_paper::kFftwLarge,
                      s3dft_paper::kMklLarge, outcomes);
}

}  // namespace weft::evaluation
