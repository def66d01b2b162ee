// Arrays of four axes, two of them whole in each PE.
#include <string>
#include <utility>

#include "evaluation/ape.hpp"
#include "evaluation/runs.hpp"
#include "evaluation/ways.hpp"

namespace weft::evaluation {
namespace {

/// n^4 numbers on n x n PEs, each with a plane.
Run lattice_run(int n, FftTranspose form, FftPrecision precision) {
  Run run = cube_run(n, n, precision);
  run.shape.n3 = run.shape.n2;
  run.more_memory = true;
  run.pencil = FftPencil::radix4;
  run.form = form;
  return run;
}

template <class F>
void for_lattices(const Scope& scope, F f) {
  for (const FftPrecision precision : kPrecisions)
    for (const FftTranspose form : {FftTranspose::published, FftTranspose::ring})
      for (const int n : powers(16, scope.most < kWhole.most ? 16 : 32)) f(n, form, precision);
}

}  // namespace

std::vector<Run> runs_of_lattices(const Scope& scope) {
  std::vector<Run> runs;
  for_lattices(scope, [&](int n, FftTranspose form, FftPrecision precision) {
    runs.push_back(lattice_run(n, form, precision));
  });
  return runs;
}

Result make_lattices(const Scope& scope, const Outcomes& outcomes, const Machine&) {
  Result result{"four-axes", "n^4 numbers on n x n PEs, radix 4", {}};
  result.table.columns = {
      "precision",    "transposes",   "n", "predicted", "cycles", "off", "predicted in exchanges",
      "in exchanges", "exchanges off"};
  for_lattices(scope, [&](int n, FftTranspose form, FftPrecision precision) {
    const Outcome* one = ended(outcomes, lattice_run(n, form, precision));
    if (one == nullptr) return;
    // A plane of n^2 numbers is exchanged among n PEs; each axis has a pencil for each of n lines.
    const Way way{FftAlgorithm::wsfft, form, FftPencil::radix4};
    const double exchanges = 2 * exchange_formula(form, n, wavelets_of(precision) * n),
                 pencils = 4.0 * n * predicted_pencil({way, precision, n, 1});
    Row row{cell(text_of(precision)), cell(std::string(to_string(form))), whole(n)};
    add_predicted(row, exchanges + pencils, static_cast<double>(one->cycles));
    add_predicted(row, exchanges, static_cast<double>(one->communication));
    result.table.rows.push_back(std::move(row));
  });
  result.notes = {
      "Predicted: two exchanges of a box whose pencils are planes, and 4 n pencils of n numbers. "
      "That a PE turns its plane over is not in it."};
  return result;
}

}  // namespace weft::evaluation
