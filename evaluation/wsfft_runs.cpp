#include "evaluation/wsfft_runs.hpp"

#include <algorithm>
#include <cmath>

#include "fft/wsfft/pencil.hpp"

namespace weft::evaluation {

Run pencil_run(int n, FftPrecision precision) {
  return {Run::Kind::pencil, {1, 1, static_cast<std::size_t>(n)}, {1, 1}, precision};
}

Run trips_run(FftPrecision precision) {
  return {Run::Kind::trips, {64, 64, 64}, {64, 64}, precision};
}

Run word_run() { return {.kind = Run::Kind::word, .shape = {1, 1, 1}, .mesh = {2, 1}}; }

std::vector<Run> cube_runs(int n, int p, FftPrecision precision) {
  std::vector<Run> runs{cube_run(n, p, precision)};
  if (n <= kMostBothWays && p == n)
    runs.push_back(cube_run(n, p, precision, FftDirection::inverse));
  return runs;
}

std::optional<Cube> cube_of(const Outcomes& outcomes, int n, int p, FftPrecision precision) {
  const std::vector<Run> runs = cube_runs(n, p, precision);
  const auto count = static_cast<double>(runs.size());
  Cube mean;
  for (const Run& run : runs) {
    const Outcome* one = outcomes.find(run);
    if (one == nullptr) return {};
    mean.cycles += static_cast<double>(one->cycles) / count;
    mean.compute += static_cast<double>(one->compute) / count;
    mean.communication += static_cast<double>(one->communication) / count;
    mean.hops += static_cast<double>(one->hops) / count;
    mean.pe_bytes = static_cast<double>(one->pe_bytes);
  }
  return mean;
}

double seconds_of(double cycles, const Machine& machine) {
  return cycles / (machine.clock_khz * 1e3);
}

int longest_pencil(FftPrecision precision) {
  return wsfft::algorithm_of(FftPencil::radix2).longest(precision);
}

double delay_of(double communication, int n, FftPrecision precision) {
  return (communication / 2 - wavelets_of(precision) * n * n / 2) / n;
}

double flops_of_pencil(int n) { return 5.0 * n * std::log2(n); }

Run square_run(int n, FftPrecision precision) {
  const auto side = static_cast<std::size_t>(n);
  const int pes = static_cast<int>(std::lround(std::sqrt(n)));
  return {Run::Kind::transform, {side, 1, side}, {pes, pes}, precision};
}

std::vector<Run> runs_of_weak_scaling(const Scope& scope) {
  std::vector<std::vector<Run>> lists;
  for (const int n : powers(16, scope.most))
    for (const FftPrecision precision : kPrecisions) lists.push_back(cube_runs(n, n, precision));
  return all_of(lists);
}

std::vector<Run> runs_of_table_1(const Scope& scope) {
  return runs_of_weak_scaling({std::min(scope.most, kMostBothWays)});
}

std::vector<Run> runs_of_pencils(const Scope&) {
  std::vector<Run> runs;
  for (const FftPrecision precision : kPrecisions)
    for (const int n : powers(16, longest_pencil(precision)))
      runs.push_back(pencil_run(n, precision));
  return runs;
}

std::vector<Run> runs_of_strong_scaling(const Scope& scope) {
  std::vector<std::vector<Run>> lists;
  for (const int n : powers(std::min(256, scope.most), scope.most))
    for (const int m : {1, 2, 4})
      for (const FftPrecision precision : kPrecisions)
        lists.push_back(cube_runs(n, n / m, precision));
  return all_of(lists);
}

std::vector<Run> runs_of_section_6_1(const Scope& scope) {
  std::vector<Run> runs;
  for (const int p : powers(4, 32))
    for (const FftPrecision precision : kPrecisions)
      if (p * p <= 8 * scope.most) runs.push_back(square_run(p * p, precision));
  return runs;
}

std::vector<Run> runs_of_claims(const Scope& scope) {
  return all_of({runs_of_table_1(scope),
                 runs_of_pencils(kWhole),
                 runs_of_strong_scaling(scope),
                 {trips_run(FftPrecision::fp16), trips_run(FftPrecision::fp32), word_run()}});
}

}  // namespace weft::evaluation
