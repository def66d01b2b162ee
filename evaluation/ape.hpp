#pragma once

#include <vector>

#include "evaluation/item.hpp"

/// The evaluation of Lippert et al., "FFT for the APE parallel computer", on the fabric. A network
/// is a ring of p PEs along a row, or p PEs of a mesh with rings along both axes: the paper's
/// systolic and hyper-systolic cells.
namespace weft::evaluation {

/// Numbers of the paper.
namespace ape_paper {

/// Section 5.1: share of the peak of a 2-D transform without the transposition back, and with it;
/// summary: expected of APEmille, with it.
inline constexpr double kWithout = 0.09, kWithBack = 0.06, kExpected = 0.15;
/// Section 4: streams of so many elements have reached the asymptote.
inline constexpr int kKnee = 32;
/// Section 4: processors of the machines of Figure 7.
inline constexpr int kQ4 = 32, kQh4 = 512;
/// Equation (4): exponent of the time over p, on a mesh of so many dimensions.
constexpr double exponent(int dimensions) { return 1.0 / dimensions - 1; }

}  // namespace ape_paper

std::vector<Run> runs_of_matrices(const Scope& scope);
std::vector<Run> runs_of_networks(const Scope& scope);
std::vector<Run> runs_of_shifts(const Scope& scope);
std::vector<Run> runs_of_peak(const Scope& scope);
std::vector<Run> runs_of_skews(const Scope& scope);
std::vector<Run> runs_of_lattices(const Scope& scope);
Result make_matrices(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_networks(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_shifts(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_peak(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_skews(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_lattices(const Scope& scope, const Outcomes& outcomes, const Machine& machine);

}  // namespace weft::evaluation
