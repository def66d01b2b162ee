#pragma once

#include <array>
#include <vector>

#include "evaluation/item.hpp"

/// The evaluation of Malapally et al., "Scalability of 3D-DFT by block tensor-matrix multiplication
/// on the JUWELS Cluster", on the fabric.
namespace weft::evaluation {

/// Numbers of the paper.
namespace s3dft_paper {

/// Figure 3: bandwidth of a transposition over that of y += a x, on one and on two NUMA domains.
inline constexpr double kTransposition = 0.91, kTranspositionOfTwo = 0.63;
/// Figure 4: the block product's share of a node's peak.
inline constexpr double kProduct = 0.88;
/// Figure 5: blocks at which roll and product meet, about: from the fewest nodes to the most.
inline constexpr int kMeetFirst = 100, kMeetLast = 800;
/// Figure 6: parallel efficiency of the three stages, N = 4200, p = 4 to 7, over p = 4: the least
/// and the most.
struct Efficiency {
  double least, most;
};
inline constexpr std::array<Efficiency, 3> kStages{{{0.81, 0.95}, {0.58, 0.77}, {0.51, 0.68}}};
/// Figures 7 and 8: how much faster FFTW and iMKL were, on average.
inline constexpr double kFftwSmall = 1.2, kMklSmall = 1.8, kFftwLarge = 2.0, kMklLarge = 3.2;

/// Messages of p^3 nodes in a stage: of an alignment, and of a roll.
constexpr double align_messages(double p) { return 2 * p * p * (p - 1); }
constexpr double roll_messages(double p) { return 2 * p * p * p; }

}  // namespace s3dft_paper

std::vector<Run> runs_of_copies(const Scope& scope);
std::vector<Run> runs_of_products(const Scope& scope);
std::vector<Run> runs_of_rolls(const Scope& scope);
std::vector<Run> runs_of_stages(const Scope& scope);
std::vector<Run> runs_of_small_scaling(const Scope& scope);
std::vector<Run> runs_of_large_scaling(const Scope& scope);
std::vector<Run> runs_of_messages(const Scope& scope);
std::vector<Run> runs_of_global_transposition(const Scope& scope);
std::vector<Run> runs_of_cubes(const Scope& scope);
Result make_copies(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_products(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_rolls(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_stages(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_small_scaling(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_large_scaling(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_messages(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_global_transposition(const Scope& scope, const Outcomes& outcomes,
                                 const Machine& machine);
Result make_cubes(const Scope& scope, const Outcomes& outcomes, const Machine& machine);

}  // namespace weft::evaluation
