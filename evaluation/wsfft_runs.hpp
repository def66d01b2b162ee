#pragma once

#include <optional>
#include <vector>

#include "evaluation/item.hpp"
#include "evaluation/runs.hpp"
#include "evaluation/wsfft_paper.hpp"

/// The runs of the wsFFT paper's evaluation, and what its items make of them.
namespace weft::evaluation {

inline constexpr FftDirection kDirections[] = {FftDirection::forward, FftDirection::inverse};

Run pencil_run(int n, FftPrecision precision);

/// Of 64^3 numbers on 64 x 64 PEs.
Run trips_run(FftPrecision precision);

/// A word from a PE to its neighbour.
Run word_run();

/// The longest side of an n x n x n array of which both directions are run, as the authors did.
inline constexpr int kMostBothWays = 512;

/// A mean of both directions, or what there is of forward alone beyond kMostBothWays.
struct Cube {
  double cycles = 0, compute = 0, communication = 0, hops = 0;
  double pe_bytes = 0;
};
std::vector<Run> cube_runs(int n, int p, FftPrecision precision);
std::optional<Cube> cube_of(const Outcomes& outcomes, int n, int p, FftPrecision precision);

/// Seconds of so many cycles.
double seconds_of(double cycles, const Machine& machine);

/// The longest pencil of the published algorithm in a PE.
int longest_pencil(FftPrecision precision);

/// d, in cycles, if each of two transposes takes r n^2 / 2 + d n.
double delay_of(double communication, int n, FftPrecision precision);

/// Of 5 n log2 n operations.
double flops_of_pencil(int n);

/// n x n numbers on a square of n PEs.
Run square_run(int n, FftPrecision precision);

Result make_table_1(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_table_2(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_figure_3(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_figure_4(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_figure_5(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_figure_6(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_figure_7(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_section_6_1(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_delay(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_pencils(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_transposes(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_excess(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_wafers(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_rates(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_claims(const Scope& scope, const Outcomes& outcomes, const Machine& machine);

/// Table 1 and figures 4 to 6: one pencil in each of n x n PEs.
std::vector<Run> runs_of_weak_scaling(const Scope& scope);
std::vector<Run> runs_of_table_1(const Scope& scope);
std::vector<Run> runs_of_pencils(const Scope& scope);
/// n^3 on (n / m) x (n / m) PEs, m = 1, 2 and 4.
std::vector<Run> runs_of_strong_scaling(const Scope& scope);
std::vector<Run> runs_of_section_6_1(const Scope& scope);
/// The same transform with each constant of the machine raised in turn.
std::vector<Run> runs_of_delay(const Scope& scope);
/// Each algorithm for a pencil, alone and in cubes; each way to transpose a row.
std::vector<Run> runs_of_algorithms(const Scope& scope);
std::vector<Run> runs_of_transposes(const Scope& scope);
/// Weak scaling on machines that differ from the default one.
std::vector<Run> runs_of_excess(const Scope& scope);
/// n^3 on wafers of n / 2 x n / 2 PEs: with links of several rates; with full ones.
std::vector<Run> runs_of_wafers(const Scope& scope);
std::vector<Run> runs_of_rates(const Scope& scope);
std::vector<Run> runs_of_claims(const Scope& scope);

}  // namespace weft::evaluation
