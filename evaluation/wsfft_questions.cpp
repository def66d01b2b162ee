// Questions that the paper leaves open: another algorithm in a PE (section 7), and other ways to
// transpose (section 4.3).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "evaluation/wsfft_runs.hpp"
#include "fft/wsfft/pencil.hpp"

namespace weft::evaluation {
namespace {

Run pencil_by(FftPencil pencil, int n, FftPrecision precision) {
  Run run = pencil_run(n, precision);
  run.pencil = pencil;
  return run;
}

Run cube_by(FftPencil pencil, int n, FftPrecision precision) {
  Run run = cube_run(n, n, precision);
  run.pencil = pencil;
  return run;
}

/// Sides of cubes that show what a quicker pencil does to a transform.
std::vector<int> cubes(const Scope& scope) { return powers(32, std::min(scope.most, 512)); }

/// Cycles of a hop: the machine's, and the two of the vendor's simulator, where a router holds
/// three wavelets so that links stay busy (profile wse2-simfab).
enum class Hop { of_the_machine, two };
constexpr std::array kHopOfTwo{Setting{"hop_cycles", 2}, Setting{"router_queue_depth", 3}};

Run transpose_run(transposes::TransposeAlgorithm algorithm, int n, FftPrecision precision,
                  Hop hop) {
  Run run{Run::Kind::transpose, {1, 1, static_cast<std::size_t>(n)}, {n, 1}, precision};
  run.transpose = algorithm;
  if (hop == Hop::two) run.settings = kHopOfTwo;
  return run;
}

double over_bound(const transposes::TransposeCost& cost) {
  return static_cast<double>(cost.cycles) / static_cast<double>(cost.bisection_cycles());
}

/// The cells from cycles on.
void add_transpose(Row& row, const transposes::TransposeCost& cost, const Outcome& one,
                   const Outcome* published) {
  if (cost.cycles == 0) {
    row.push_back(cell("does not end"));
    row.insert(row.end(), 6, none());
    return;
  }
  const auto cycles = static_cast<double>(cost.cycles);
  const auto bound = static_cast<double>(cost.bisection_cycles());
  const bool compares = published != nullptr && published->cycles != 0;
  row.insert(
      row.end(),
      {whole(cycles),
       compares ? decimal(cycles / static_cast<double>(published->cycles), 2) : none(),
       decimal(cost.bytes_per_cycle(), 2), decimal(100 * bound / cycles, 0),
       whole(static_cast<double>(one.router_writes)), whole(one.colors), whole(one.filters)});
}

std::vector<int> rows_of(const Scope& scope) { return powers(8, std::min(scope.most, 256)); }

}  // namespace

std::vector<Run> runs_of_algorithms(const Scope& scope) {
  std::vector<Run> runs;
  for (const FftPrecision precision : kPrecisions)
    for (const wsfft::PencilAlgorithm& algorithm : wsfft::pencil_algorithms()) {
      const int longest = algorithm.longest(precision);
      for (const int n : powers(16, longest))
        runs.push_back(pencil_by(algorithm.pencil, n, precision));
      for (const int n : cubes(scope))
        if (n <= longest) runs.push_back(cube_by(algorithm.pencil, n, precision));
    }
  return runs;
}

Result make_pencils(const Scope& scope, const Outcomes& outcomes, const Machine&) {
  Result result{
      "pencils", "section 7: other algorithms for a pencil, alone and in cubes of n^3", {}};
  result.table.columns = {"precision",       "algorithm", "n",     "cycles",       "flops/cycle",
                          "faster",          "bytes",     "error", "cube: cycles", "cube: faster",
                          "communication, %"};
  Figure figure{"n", "flops a cycle (5 n log2 n)", false, {}};
  const std::vector<int> in_cubes = cubes(scope);
  for (const FftPrecision precision : kPrecisions)
    for (const wsfft::PencilAlgorithm& algorithm : wsfft::pencil_algorithms()) {
      const FftPencil pencil = algorithm.pencil;
      Series series{title_of(precision, to_string(pencil)),
                    Mark::ours,
                    static_cast<int>(pencil),
                    {},
                    precision == FftPrecision::fp32};
      for (const int n : powers(16, algorithm.longest(precision))) {
        const Outcome* one = outcomes.find(pencil_by(pencil, n, precision));
        const Outcome* published = outcomes.find(pencil_by(FftPencil::radix2, n, precision));
        if (one == nullptr || published == nullptr) continue;
        const auto cycles = static_cast<double>(one->cycles);
        const double flops = flops_of_pencil(n) / cycles;
        std::vector<Cell> row{cell(text_of(precision)),
                              cell(std::string(to_string(pencil))),
                              whole(n),
                              whole(cycles),
                              decimal(flops, 2),
                              decimal(static_cast<double>(published->cycles) / cycles, 2),
                              whole(static_cast<double>(one->pe_bytes)),
                              {fmt::format("{:.1e}", one->error), one->error}};
        const bool has_cube = std::ranges::find(in_cubes, n) != in_cubes.end();
        const Outcome* cube = has_cube ? outcomes.find(cube_by(pencil, n, precision)) : nullptr;
        const Outcome* base =
            has_cube ? outcomes.find(cube_by(FftPencil::radix2, n, precision)) : nullptr;
        if (cube != nullptr && base != nullptr) {
          const auto all = static_cast<double>(cube->cycles);
          row.push_back(whole(all));
          row.push_back(decimal(static_cast<double>(base->cycles) / all, 2));
          row.push_back(decimal(100 * static_cast<double>(cube->communication) / all, 0));
        } else {
          row.insert(row.end(), 3, none());
        }
        result.table.rows.push_back(row);
        series.points.emplace_back(n, flops);
      }
      figure.series.push_back(std::move(series));
    }
  result.notes = {
      "Faster: than radix2, the published algorithm. Error: relative L2, against double "
      "precision. Bytes: of the PE, with numbers, room, roots and program."};
  result.figure = std::move(figure);
  return result;
}

std::vector<Run> runs_of_transposes(const Scope& scope) {
  std::vector<Run> runs;
  for (const Hop hop : {Hop::of_the_machine, Hop::two})
    for (const FftPrecision precision : kPrecisions)
      for (const transposes::AlgorithmInfo& info : transposes::transpose_algorithms())
        for (const int n : rows_of(scope))
          runs.push_back(transpose_run(info.algorithm, n, precision, hop));
  return runs;
}

Result make_transposes(const Scope& scope, const Outcomes& outcomes, const Machine& machine) {
  Result result{
      "transposes", "section 4.3: ways to transpose n x n numbers over a row of n PEs", {}};
  result.table.columns = {
      "hop",           "precision",        "way",         "n",
      "cycles",        "of the published", "bytes/cycle", "of the bisection bound, %",
      "router writes", "colors",           "filters"};
  Figure figure{"n", "cycles over the bisection bound", true, {}};
  for (const Hop hop : {Hop::of_the_machine, Hop::two})
    for (const FftPrecision precision : kPrecisions)
      for (const transposes::AlgorithmInfo& info : transposes::transpose_algorithms()) {
        Series series{title_of(precision, info.name),
                      Mark::ours,
                      static_cast<int>(info.algorithm),
                      {},
                      precision == FftPrecision::fp32};
        for (const int n : rows_of(scope)) {
          const auto find = [&](transposes::TransposeAlgorithm algorithm) {
            return outcomes.find(transpose_run(algorithm, n, precision, hop));
          };
          const Outcome* one = find(info.algorithm);
          if (one == nullptr) continue;
          const Outcome* published = find(transposes::TransposeAlgorithm::broadcast_and_filter);
          Row row{whole(hop == Hop::two ? 2 : machine.hop_cycles), cell(text_of(precision)),
                  cell(std::string(info.name)), whole(n)};
          const transposes::TransposeCost cost{
              .algorithm = info.algorithm,
              .n = n,
              .wavelets_per_number = static_cast<int>(wavelets_of(precision)),
              .cycles = one->cycles};
          add_transpose(row, cost, *one, published);
          result.table.rows.push_back(std::move(row));
          if (cost.cycles != 0) series.points.emplace_back(n, over_bound(cost));
        }
        if (hop == Hop::of_the_machine) figure.series.push_back(std::move(series));
      }
  result.notes = {
      "Bound: r n^2 / 4 wavelets cross the middle link of the row in each direction (r: "
      "wavelets of a number). Where a hop was set to two cycles, routers hold three wavelets. The "
      "picture has the machine as it is."};
  result.figure = std::move(figure);
  return result;
}

}  // namespace weft::evaluation
