#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "evaluation/item.hpp"

/// Transforms by each form of the transposes and two algorithms for pencils.
namespace weft::evaluation {

/// n^3 numbers on n / m x n / m PEs of the default machine.
struct Transformed {
  FftTranspose form;
  FftPencil pencil;
  FftPrecision precision;
  int n, m;
};

/// Predicted cycles of an exchange and of a pencil, by formulas that were written before these
/// runs.
double predicted_exchange(const Transformed& t);
double predicted_pencil(const Transformed& t);
/// Two exchanges, and pencils along three axes.
double predicted_cycles(const Transformed& t);

/// A machine that differs in a constant.
struct OtherMachine {
  std::string_view constant;
  int value;
};
/// Predicted cycles there; nothing where nobody has predicted them.
std::optional<double> predicted_there(const Transformed& t, const OtherMachine& machine);

std::vector<Run> runs_of_forms(const Scope& scope);
std::vector<Run> runs_of_shared_forms(const Scope& scope);
std::vector<Run> runs_of_all_forms(const Scope& scope);
std::vector<Run> runs_of_machines(const Scope& scope);
Result make_forms(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_shared_forms(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_fastest_forms(const Scope& scope, const Outcomes& outcomes, const Machine& machine);
Result make_machines(const Scope& scope, const Outcomes& outcomes, const Machine& machine);

}  // namespace weft::evaluation
