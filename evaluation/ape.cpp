// Figures 7 and 8, and equations (2) to (4).
#include "evaluation/ape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "evaluation/ape_networks.hpp"
#include "evaluation/runs.hpp"
#include "evaluation/ways.hpp"

namespace weft::evaluation {
namespace {

constexpr FftPrecision kOfComplex =
    FftPrecision::fp32;  // APE's numbers are complex ones of 32 bits

// As many PEs as a Q4 and a QH4 have.
constexpr std::array<Network, 4> kTwoSizes{
    {{ape_paper::kQ4, 1}, {ape_paper::kQh4, 1}, {8, 4}, {32, 16}}};
/// Sides of matrices, up to 16 x 16 numbers for each pair of PEs.
std::vector<int> sides_on(const Network& network, const Scope& scope) {
  constexpr int kMostPencil = 2048;  // of FP32
  return powers(network.pes(), std::min({16 * network.pes(), 8 * scope.most, kMostPencil}));
}

/// By formula, the matrix that rings of p and of q PEs transpose in the same time: what the longer
/// one saves in copies, it loses in starts.
double crossing_of(double p, double q) {
  const double copies = 2.5 * wavelets_of(kOfComplex) * (1 / p - 1 / q), starts = 17 * (q - p);
  return std::sqrt(starts / copies);
}

/// The side of Figure 8's matrix, and its networks.
int fixed_side(const Scope& scope) { return std::min(2 * scope.most, 1024); }
std::vector<Network> rings_of(const Scope& scope) {
  std::vector<Network> all;
  for (const int p : powers(8, std::min(fixed_side(scope), 512))) all.push_back({p, 1});
  return all;
}
std::vector<Network> meshes_of(const Scope& scope) {
  std::vector<Network> all;
  for (int side = 4; side * side <= fixed_side(scope); side *= 2) all.push_back({side, side});
  return all;
}

/// Of a line through the logarithms of points.
double slope_of(const std::vector<std::pair<double, double>>& points) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const auto count = static_cast<double>(points.size());
  for (const auto& [at, value] : points) {
    const double a = std::log2(at), b = std::log2(value);
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  return (count * xy - x * y) / (count * xx - x * x);
}

constexpr std::array<Network, 7> kCounted{
    {{8, 1}, {32, 1}, {64, 1}, {4, 2}, {8, 4}, {8, 8}, {16, 16}}};

}  // namespace

std::vector<Run> runs_of_matrices(const Scope& scope) {
  std::vector<Run> runs;
  for (const Network& network : kTwoSizes)
    for (const int n : sides_on(network, scope)) runs.push_back(matrix_run(n, network, kOfComplex));
  return runs;
}

Result make_matrices(const Scope& scope, const Outcomes& outcomes, const Machine&) {
  Result result{"figure-7", "transposition of n x n numbers in FP32, on 32 and on 512 PEs", {}};
  result.table.columns = {"network", "n",   "longest stream",  "predicted",
                          "cycles",  "off", "cycles over n^2", "over that of the largest"};
  Figure figure{"n", "cycles", true, {}};
  for (const Network& network : kTwoSizes) {
    Series series{name_of(network), Mark::ours, network.pes() == ape_paper::kQ4 ? 0 : 1, {}};
    series.dashed = !network.is_ring();
    const std::vector<int> sides = sides_on(network, scope);
    if (sides.empty()) continue;
    const auto largest = transposition_of(outcomes, sides.back(), network, kOfComplex);
    for (const int n : sides) {
      const auto cycles = transposition_of(outcomes, n, network, kOfComplex);
      if (!cycles || !largest) continue;
      const auto square = [](double side) { return side * side; };
      Row row{cell(name_of(network)), whole(n),
              whole(square(static_cast<double>(n) / network.pes()) * network.px / 2 *
                    (network.is_ring() ? 1 : network.py))};
      add_predicted(row, predicted_transposition(n, network, kOfComplex), *cycles);
      row.push_back(decimal(*cycles / square(n), 3));
      row.push_back(percent(*cycles / square(n) / (*largest / square(sides.back()))));
      result.table.rows.push_back(std::move(row));
      series.points.emplace_back(n, *cycles);
    }
    figure.series.push_back(std::move(series));
  }
  result.figure = std::move(figure);
  result.notes = {
      fmt::format("Longest stream: numbers that a PE sends one place on at once. The authors reach "
                  "the asymptote with streams of more than {} elements.",
                  ape_paper::kKnee),
      fmt::format(
          "By formula the curves of the two rings cross at n = {:.0f}, where the longer one "
          "has PEs without a column. (The authors' crossing is missing in the copy that was "
          "at hand.)",
          crossing_of(ape_paper::kQ4, ape_paper::kQh4))};
  return result;
}

std::vector<Run> runs_of_networks(const Scope& scope) {
  std::vector<Run> runs;
  for (const std::vector<Network>& networks : {rings_of(scope), meshes_of(scope)})
    for (const Network& network : networks)
      runs.push_back(matrix_run(fixed_side(scope), network, kOfComplex));
  return runs;
}

Result make_networks(const Scope& scope, const Outcomes& outcomes, const Machine&) {
  const int n = fixed_side(scope);
  Result result{
      "figure-8", fmt::format("transposition of {0} x {0} numbers in FP32 over p", n), {}};
  result.table.columns = {"network",         "p",           "predicted",
                          "cycles",          "off",         "exponent from the row above",
                          "exponent of all", "equation (4)"};
  Figure figure{"p", "cycles", true, {}};
  for (const auto& [networks, dimensions] :
       {std::pair{rings_of(scope), 1}, std::pair{meshes_of(scope), 2}}) {
    Series series{dimensions == 1 ? "ring" : "mesh", Mark::ours, dimensions - 1, {}},
        by_formula{dimensions == 1 ? "ring, predicted" : "mesh, predicted",
                   Mark::formula,
                   dimensions - 1,
                   {}};
    for (const Network& network : networks) {
      const auto cycles = transposition_of(outcomes, n, network, kOfComplex);
      if (!cycles) continue;
      const double p = network.pes(), predicted = predicted_transposition(n, network, kOfComplex);
      Row row{cell(name_of(network)), whole(p)};
      add_predicted(row, predicted, *cycles);
      const bool first = series.points.empty();
      const auto before = first ? std::pair{p, *cycles} : series.points.back();
      series.points.emplace_back(p, *cycles);
      by_formula.points.emplace_back(p, predicted);
      row.push_back(first ? none() : decimal(slope_of({before, {p, *cycles}}), 2));
      row.push_back(first ? none() : decimal(slope_of(series.points), 2));
      row.push_back(decimal(ape_paper::exponent(dimensions), 2));
      result.table.rows.push_back(std::move(row));
    }
    figure.series.push_back(std::move(series));
    figure.series.push_back(std::move(by_formula));
  }
  result.figure = std::move(figure);
  result.notes = {
      "Exponent of all: of a fit to this row and those above of its kind. Equation (4): p^(1/d - "
      "1) "
      "on a mesh of d dimensions; the authors' machine has three, with -0.67, and their own fit is "
      "missing in the copy that was at hand."};
  return result;
}

std::vector<Run> runs_of_shifts(const Scope&) {
  std::vector<Run> runs;
  for (const Network& network : kCounted)
    runs.push_back(matrix_run(network.pes(), network, kOfComplex));
  return runs;
}

Result make_shifts(const Scope&, const Outcomes& outcomes, const Machine&) {
  Result result{
      "equations", "equations (2) to (4): shifts of a transposition of p x p numbers", {}};
  result.table.columns = {"network",  "p",   "shifts of a cell, one way", "both ways", "predicted",
                          "wavelets", "off", "hops of a wavelet"};
  for (const Network& network : kCounted) {
    const int p = network.pes();
    const Outcome* one = outcomes.find(matrix_run(p, network, kOfComplex));
    if (one == nullptr) continue;
    Row row{cell(name_of(network)), whole(p), whole(shifts_one_way(network)),
            whole(shifts_both_ways(network))};
    const auto wavelets = static_cast<double>(one->wavelets);
    add_predicted(row, wavelets_of(kOfComplex) * p * shifts_both_ways(network), wavelets);
    row.push_back(decimal(static_cast<double>(one->hops) / wavelets, 2));
    result.table.rows.push_back(std::move(row));
  }
  result.notes = {
      "One way: equation (3), the sum over all strides of the steps along each axis. Both ways: "
      "the "
      "shorter way round, as equation (4) halves it. Predicted: wavelets of all cells, 2 for a "
      "number; beside it the count of the fabric. A place of a folded ring is up to two links "
      "away."};
  return result;
}

}  // namespace weft::evaluation
