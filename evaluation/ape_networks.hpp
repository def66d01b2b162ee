#pragma once

#include <optional>
#include <string>

#include "evaluation/item.hpp"

namespace weft::evaluation {

/// p = px py PEs; a ring if py is 1.
struct Network {
  int px, py;

  int pes() const noexcept { return px * py; }
  bool is_ring() const noexcept { return py == 1; }
};
std::string name_of(const Network& network);  ///< "ring of 32"; "mesh of 8 x 4"

/// n x n numbers: transforms along both axes, and one transposition between them. PEs get the
/// memory that it takes.
Run matrix_run(int n, const Network& network, FftPrecision precision,
               FftDirection direction = FftDirection::forward);

/// Cycles of the transposition in such a run; nothing without one.
std::optional<double> transposition_of(const Outcomes& outcomes, int n, const Network& network,
                                       FftPrecision precision,
                                       FftDirection direction = FftDirection::forward);

/// Predicted, as each axis's exchange around its rings is.
double predicted_transposition(int n, const Network& network, FftPrecision precision);

/// Shifts to the next place that the parts of a cell take, in parts of one element each; both ways
/// round the rings. Equation (3), of one way only.
double shifts_both_ways(const Network& network);
double shifts_one_way(const Network& network);

}  // namespace weft::evaluation
