#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "reproduce/wsfft_paper.hpp"
#include "reproduce/wsfft_runs.hpp"

namespace weft::reproduce {
namespace {

int color_of(FftPrecision precision) { return precision == FftPrecision::fp16 ? 0 : 1; }

/// Sides of cubes with one pencil in each PE.
std::vector<int> weak_sides(const Scope& scope) {
  return powers(16, std::min(scope.most, scope.most_mesh));
}

}  // namespace

Result make_figure_3(const Scope&, const Outcomes& outcomes, const Machine&) {
  Result result{"figure-3", "flops a cycle of a pencil of n numbers in one PE", {}};
  result.table.columns = {"precision",  "n",           "cycles",  "by the authors' count",
                          "difference", "flops/cycle", "measured"};
  Figure figure{"n", "flops a cycle (5 n log2 n)", false, {}};
  for (const FftPrecision precision : kPrecisions) {
    Series ours{title_of(precision, "Weft"), Mark::ours, color_of(precision), {}},
        count{
            title_of(precision, "by the authors' count"), Mark::estimated, color_of(precision), {}},
        measured{title_of(precision, "measured"), Mark::measured, color_of(precision), {}};
    for (const int n : powers(16, 4096)) {
      const Outcome* run = outcomes.find(pencil_run(n, precision));
      if (run == nullptr) continue;
      const double flops = 5.0 * n * std::log2(n), cycles = static_cast<double>(run->cycles);
      const double counted = wsfft_paper::pencil_cycles(n, precision);
      const bool last = n == longest_pencil(precision);
      const double published = precision == FftPrecision::fp16 ? wsfft_paper::kLongestPencilFp16
                                                               : wsfft_paper::kLongestPencilFp32;
      result.table.rows.push_back({cell(text_of(precision)), whole(n), whole(cycles),
                                   whole(counted), percent(cycles / counted),
                                   decimal(flops / cycles, 3),
                                   last ? decimal(published, 2) : none()});
      ours.points.emplace_back(n, flops / cycles);
      count.points.emplace_back(n, flops / counted);
      if (last) measured.points.emplace_back(n, published);
    }
    for (Series* series : {&ours, &count, &measured}) figure.series.push_back(std::move(*series));
  }
  result.figure = std::move(figure);
  return result;
}

Result make_figure_4(const Scope& scope, const Outcomes& outcomes, const Machine&) {
  Result result{"figure-4", "cycles over n^2: the parts of a transform", {}};
  result.table.columns = {"precision",
                          "n",
                          "compute / n^2",
                          "communication / n^2",
                          "total / n^2",
                          "measured total / n^2",
                          "d"};
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
      const auto published = wsfft_paper::measured_cycles(n, precision);
      result.table.rows.push_back(
          {cell(text_of(precision)), whole(n), decimal(cube->compute / square, 3),
           decimal(cube->communication / square, 3), decimal(cube->cycles / square, 3),
           published ? decimal(*published / square, 3) : none(),
           decimal(delay_of(cube->communication, n, precision), 1)});
      compute.points.emplace_back(n, cube->compute / square);
      communication.points.emplace_back(n, cube->communication / square);
      total.points.emplace_back(n, cube->cycles / square);
      if (published) measured.points.emplace_back(n, *published / square);
    }
    for (Series* series : {&compute, &communication, &total, &measured})
      figure.series.push_back(std::move(*series));
  }
  result.notes = {
      "d: cycles from one sender to the next, if a transpose takes r n^2 / 2 + d n "
      "cycles (r: wavelets of a number)."};
  result.figure = std::move(figure);
  return result;
}

Result make_figure_5(const Scope& scope, const Outcomes& outcomes, const Machine& machine) {
  Result result{"figure-5", "weak scaling: Tflops/s of n^3 numbers on n x n PEs", {}};
  result.table.columns = {"precision", "n", "Weft", "published", "of", "difference"};
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
      result.table.rows.push_back({cell(text_of(precision)), whole(n), decimal(rate, 2),
                                   rate_cell(published, 2), mark_cell(published),
                                   published ? percent(rate / published->tflops) : none()});
      ours.points.emplace_back(n, rate);
      if (published)
        (published->mark == Mark::measured ? measured : estimated)
            .points.emplace_back(n, published->tflops);
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
  Figure figure{"n", "TB/s", true, {}};
  for (const FftPrecision precision : kPrecisions) {
    Series ours{title_of(precision, "Weft"), Mark::ours, color_of(precision), {}};
    for (const int n : weak_sides(scope)) {
      const auto cube = cube_of(outcomes, n, n, precision);
      if (!cube) continue;
      const double rate = 4 * cube->hops / seconds_of(cube->cycles, machine) * 1e-12;
      result.table.rows.push_back(
          {cell(text_of(precision)), whole(n), whole(cube->hops), decimal(rate, 2)});
      ours.points.emplace_back(n, rate);
    }
    figure.series.push_back(std::move(ours));
  }
  result.notes = {
      "4 bytes for each hop from router to router, over the whole time. The authors "
      "give 0.8 PB/s at n = 512."};
  result.figure = std::move(figure);
  return result;
}

Result make_figure_7(const Scope& scope, const Outcomes& outcomes, const Machine& machine) {
  Result result{"figure-7", "strong scaling: Tflops/s of n^3 numbers on p x p PEs", {}};
  result.table.columns = {"precision", "n",         "p",  "m",          "bytes of a PE",
                          "Weft",      "published", "of", "difference", "by equation (11)"};
  Figure figure{"PEs along a side", "Tflops/s", true, {}};
  for (const FftPrecision precision : kPrecisions)
    for (const int n : powers(std::min(256, scope.most), scope.most)) {
      const std::string name = title_of(precision, fmt::format("{}^3", n));
      const int color = n / 512 * 2 + color_of(precision);  // of 256, 512 and 1024
      Series ours{name, Mark::ours, color, {}}, theirs{name, Mark::measured, color, {}};
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
        result.table.rows.push_back({cell(text_of(precision)), whole(n), whole(p), whole(m),
                                     whole(cube->pe_bytes), decimal(rate, 2),
                                     rate_cell(published, 2), mark_cell(published),
                                     published ? percent(rate / published->tflops) : none(),
                                     by_formula ? percent(formula) : none()});
        ours.points.emplace_back(p, rate);
        if (!published) continue;
        theirs.points.emplace_back(p, published->tflops);
        theirs.mark = published->mark;
      }
      theirs.title += theirs.mark == Mark::measured ? ", measured" : ", estimated by the authors";
      figure.series.push_back(std::move(ours));
      figure.series.push_back(std::move(theirs));
    }
  result.notes = {
      "m x m pencils in a PE. By equation (11): the cycles m RT_comm + m^2 RT_cmpt of our run with "
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
      const int pes = p * p;
      const auto n = static_cast<std::size_t>(pes);
      const Outcome* run = outcomes.find({Run::Kind::transform, {n, 1, n}, {p, p}, precision});
      if (run == nullptr) continue;
      const double bound = std::pow(static_cast<double>(n), 1.5) / 4 * wavelets_of(precision);
      const auto communication = static_cast<double>(run->communication);
      result.table.rows.push_back({cell(text_of(precision)), whole(static_cast<double>(n)),
                                   cell(fmt::format("{} x {}", p, p)),
                                   whole(static_cast<double>(run->cycles)), whole(communication),
                                   whole(bound), decimal(communication / bound, 2)});
    }
  result.notes = {
      "Bound: a quarter of all numbers crosses the middle of the mesh each way, over "
      "as many links as a side has PEs."};
  return result;
}

}  // namespace weft::reproduce
