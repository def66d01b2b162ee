#pragma once

#include "fft/line_run.hpp"
#include "fft/wsfft/transpose.hpp"
#include "weft/fft.hpp"

/// The forms of the transposes that are not the paper's, in a table: all that plans and estimates
/// ask of one.
namespace weft::fft {

struct OwnForm {
  FftTranspose transpose;
  wsfft::Form form;
  bool folded;    ///< PEs stand in the order of a folded ring: Division::ring
  bool in_place;  ///< Division::in_place
  bool (*lies)(const wsfft::Division& division);  ///< whether an array can lie so
  const char* name;                               ///< in errors: "transposes by halves"
  const char* lines;                              ///< why an array cannot lie otherwise
  int (*filters)(int p);                          ///< of a PE, for lines of so many
  /// The wavelets that pass the busiest link in one direction: no machine takes fewer cycles.
  double (*streams)(double p, double wavelets);
  /// About the cycles of an exchange among p PEs on the default machine, by a formula.
  double (*formula)(double p, double wavelets);
  double (*cycles)(const LineExchange& exchange, const Machine& machine);  ///< about, as runs tell
};

inline constexpr int kOwnForms = 3;
extern const OwnForm kOwnForm[kOwnForms];

/// Null: the transposes are the paper's, or `fastest`.
const OwnForm* own_form(FftTranspose transpose);

}  // namespace weft::fft
