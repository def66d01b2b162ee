#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "evaluation/wsfft_paper.hpp"
#include "evaluation/wsfft_runs.hpp"

namespace weft::evaluation {
namespace {

int color_of(FftPrecision precision) { return precision == FftPrecision::fp16 ? 0 : 1; }

/// Sides of cubes with one pencil in each PE.
std::vector<int> weak_sides(const Scope& scope) { return powers(16, scope.most); }

}  // namespace

Result make_figure_3(const Scope&, const Outcomes& outcomes, const Machine&) {
  Result result{"figure-3", "flops a cycle of a pencil of n numbers in one PE", {}};
  result.table.columns = {"precision",      "n",          "cycles", "authors' count",
                          "over the count", "flops/cycle"};
  add_published_columns(result.table.columns);
  Figure figure{"n", "flops a cycle (5 n log2 n)", false, {}};
  for (const FftPrecision precision : kPrecisions) {
    Series ours{title_of(precision, "Weft"), Mark::ours, color_of(precision), {}},
        count{title_of(precision, "by the authors' count"), Mark::formula, color_of(precision), {}},
        measured{title_of(precision, "measured"), Mark::measured, color_of(precision), {}};
    for (const int n : powers(16, 4096)) {
      const Outcome* run = outcomes.find(pencil_run(n, precision));
      if (run == nullptr) continue;
      const double flops = flops_of_pencil(n), cycles = static_cast<double>(run->cycles);
      const double counted = wsfft_paper::pencil_cycles(n, precision);
      std::optional<Published> published;
      if (n == longest_pencil(precision))
        published = {precision == FftPrecision::fp16 ? wsfft_paper::kLongestPencilFp16
                                                     : wsfft_paper::kLongestPencilFp32,
                     Mark::measured};
      Row row{cell(text_of(precision)),
              whole(n),
              whole(cycles),
              whole(counted),
              percent(cycles / counted),
              decimal(flops / cycles, 3)};
      add_published(row, flops / cycles, published, 2);
      result.table.rows.push_back(std::move(row));
      ours.points.emplace_back(n, flops / cycles);
      count.points.emplace_back(n, flops / counted);
      if (published) measured.points.emplace_back(n, published->value);
    }
    for (Series* series : {&ours, &count, &measured}) figure.series.push_back(std::move(*series));
  }
  result.figure = std::move(figure);
  return result;
}

Result make_figure_4(const Scope& scope, const Outcomes& outcomes, const Machine&) {
  Result result{"figure-4", "cycles over n^2: the parts of a transform", {}};
  result.table.columns = {"precision",           "n",          "d", "compute / n^2",
                          "communication / n^2", "total / n^2"};
  add_published_columns(result.table.columns);
  Figure figure{"n", "cycles / n^2", false, {}};
  for (const FftPrecision precision : kPrecisions) {
    Series compute{title_of(precision, "compute"), Mark::ours, color_of(precision) + 2, {}},
        communication{
            title_of(precision, "communication"), Mark::ours, color_of(precision) + 4, {}},
        total{title_of(precision, "total"), Mark::ours, color_of(precision), {}},
        measured{title_of(precision, "total, measured"), Mark::measured, color_of(precision), {}};
    for (const int n : weak_sides(scope)) {
      const auto cube = cube_of(outcomes, n, n, precision);
      if (!cube) continue;
      const double square = static_cast<double>(n) * n;
      std::optional<Published> published;
      if (const auto cycles = wsfft_paper::measured_cycles(n, precision))
        published = {*cycles / square, Mark::measured};
      Row row{cell(text_of(precision)),
              whole(n),
              decimal(delay_of(cube->communication, n, precision), 1),
              decimal(cube->compute / square, 3),
              decimal(cube->communication / square, 3),
              decimal(cube->cycles / square, 3)};
      add_published(row, cube->cycles / square, published, 3);
      result.table.rows.push_back(std::move(row));
      compute.points.emplace_back(n, cube->compute / square);
      communication.points.emplace_back(n, cube->communication / square);
      total.points.emplace_back(n, cube->cycles / square);
      if (published) measured.points.emplace_back(n, published->value);
    }
    for (Series* series : {&compute, &communication, &total, &measured})
      figure.series.push_back(std::move(*series));
  }
  result.notes = {
      "d: cycles from one sender to the next, if a transpose takes r n^2 / 2 + d n "
      "cycles (r: wavelets of a number). Published: the total."};
  result.figure = std::move(figure);
  return result;
}

Result make_figure_5(const Scope& scope, const Outcomes& outcomes, const Machine& machine) {
  Result result{"figure-5", "weak scaling: Tflops/s of n^3 numbers on n x n PEs", {}};
  result.table.columns = {"precision", "n", "Weft"};
  add_published_columns(result.table.columns);
  Figure figure{"n", "Tflops/s", true, {}};
  for (const FftPrecision precision : kPrecisions) {
    Series ours{title_of(precision, "Weft"), Mark::ours, color_of(precision), {}},
        measured{title_of(precision, "measured"), Mark::measured, color_of(precision), {}},
        estimated{title_of(precision, "estimated by the authors"),
                  Mark::estimated,
                  color_of(precision),
                  {}};
    for (const int n : weak_sides(scope)) {
      const auto cube = cube_of(outcomes, n, n, precision);
      if (!cube) continue;
      const double rate = wsfft_paper::tflops(n, cube->cycles, machine.clock_khz * 1e3);
      const auto published = wsfft_paper::published_rate(n, n, precision);
      Row row{cell(text_of(precision)), whole(n), decimal(rate, 2)};
      add_published(row, rate, published, 2);
      result.table.rows.push_back(std::move(row));
      ours.points.emplace_back(n, rate);
      if (published)
        (published->mark == Mark::measured ? measured : estimated)
            .points.emplace_back(n, published->value);
    }
    for (Series* series : {&ours, &measured, &estimated})
      figure.series.push_back(std::move(*series));
  }
  result.figure = std::move(figure);
  return result;
}

Result make_figure_6(const Scope& scope, const Outcomes& outcomes, const Machine& machine) {
  Result result{"figure-6", "bytes that the routers pass on in a second, n^3 on n x n PEs", {}};
  result.table.columns = {"precision", "n", "wavelet-hops", "TB/s"};
  add_published_columns(result.table.columns);
  Figure figure{"n", "TB/s", true, {}};
  for (const FftPrecision precision : kPrecisions) {
    Series ours{title_of(precision, "Weft"), Mark::ours, color_of(precision), {}},
        measured{title_of(precision, "measured"), Mark::measured, color_of(precision), {}};
    for (const int n : weak_sides(scope)) {
      const auto cube = cube_of(outcomes, n, n, precision);
      if (!cube) continue;
      const double rate = 4 * cube->hops / seconds_of(cube->cycles, machine) * 1e-12;
      std::optional<Published> published;
      if (n == 512 && precision == FftPrecision::fp32)
        published = {wsfft_paper::kBytesOfRouters * 1e-12, Mark::measured};
      Row row{cell(text_of(precision)), whole(n), whole(cube->hops), decimal(rate, 2)};
      add_published(row, rate, published, 0);
      result.table.rows.push_back(std::move(row));
      ours.points.emplace_back(n, rate);
      if (published) measured.points.emplace_back(n, published->value);
    }
    for (Series* series : {&ours, &measured}) figure.series.push_back(std::move(*series));
  }
  result.notes = {
      "4 bytes for each hop from router to router, over the whole time. The authors name no "
      "precision; their own times give their figure in FP32 (claims)."};
  result.figure = std::move(figure);
  return result;
}

Result make_figure_7(const Scope& scope, const Outcomes& outcomes, const Machine& machine) {
  Result result{"figure-7", "strong scaling: Tflops/s of n^3 numbers on p x p PEs", {}};
  result.table.columns = {"precision", "n", "p", "m", "bytes of a PE", "equation (11)", "Weft"};
  add_published_columns(result.table.columns);
  Figure figure{"PEs along a side", "Tflops/s", true, {}};
  for (const FftPrecision precision : kPrecisions)
    for (const int n : powers(std::min(256, scope.most), scope.most)) {
      const std::string name = title_of(precision, fmt::format("{}^3", n));
      const int color = n / 512 * 2 + color_of(precision);  // of 256, 512 and 1024
      Series ours{name, Mark::ours, color, {}},
          measured{name + ", measured", Mark::measured, color, {}},
          estimated{name + ", estimated by the authors", Mark::estimated, color, {}};
      const auto alone = cube_of(outcomes, n, n, precision);
      for (const int m : {4, 2, 1}) {
        const int p = n / m;
        const auto cube = cube_of(outcomes, n, p, precision);
        if (!cube) continue;
        const double rate = wsfft_paper::tflops(n, cube->cycles, machine.clock_khz * 1e3);
        const auto published = wsfft_paper::published_rate(n, p, precision);
        const bool by_formula = alone && m > 1;
        const double formula =
            by_formula ? (m * alone->communication + m * m * alone->compute) / cube->cycles : 0;
        Row row{cell(text_of(precision)),
                whole(n),
                whole(p),
                whole(m),
                whole(cube->pe_bytes),
                by_formula ? percent(formula) : none(),
                decimal(rate, 2)};
        add_published(row, rate, published, 2);
        result.table.rows.push_back(std::move(row));
        ours.points.emplace_back(p, rate);
        if (published)
          (published->mark == Mark::measured ? measured : estimated)
              .points.emplace_back(p, published->value);
      }
      for (Series* series : {&ours, &measured, &estimated})
        figure.series.push_back(std::move(*series));
    }
  result.notes = {
      "m x m pencils in a PE. Equation (11): the cycles m RT_comm + m^2 RT_cmpt of our run with "
      "m = 1, over those of our run with m.",
      fmt::format("A PE has {} bytes; runs that take more have PEs with more memory.",
                  machine.pe_memory_bytes)};
  result.figure = std::move(figure);
  return result;
}

Result make_section_6_1(const Scope&, const Outcomes& outcomes, const Machine&) {
  Result result{"section-6.1", "n x n numbers on a square of n PEs, and the bisection bound", {}};
  result.table.columns = {"precision", "n", "mesh", "cycles", "communication", "bound", "ratio"};
  for (const FftPrecision precision : kPrecisions)
    for (const int p : powers(4, 32)) {
      const int n = p * p;
      const Outcome* run = outcomes.find(square_run(n, precision));
      if (run == nullptr) continue;
      const double bound = std::pow(n, 1.5) / 4 * wavelets_of(precision);
      const auto communication = static_cast<double>(run->communication);
      result.table.rows.push_back({cell(text_of(precision)), whole(n),
                                   cell(fmt::format("{} x {}", p, p)),
                                   whole(static_cast<double>(run->cycles)), whole(communication),
                                   whole(bound), decimal(communication / bound, 2)});
    }
  result.notes = {
      "Bound: a quarter of all numbers crosses the middle of the mesh each way, over "
      "as many links as a side has PEs."};
  return result;
}

}  // namespace weft::evaluation
