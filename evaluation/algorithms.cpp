// Transforms by all ways of the table: what they take, beside what was predicted.
#include "evaluation/algorithms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include "evaluation/runs.hpp"
#include "evaluation/ways.hpp"

namespace weft::evaluation {
namespace {

constexpr int kLongestSide = 512;
constexpr std::initializer_list<int> kPencilsAlong{1, 2, 4};

/// Sides of cubes with m x m pencils in a PE.
std::vector<int> sides_of_forms(const Scope& scope, int m) {
  // Chosen, for --quick: several pencils take m^2 times as long.
  return powers(8 * m, std::min(m == 1 ? scope.most : scope.most / 2, kLongestSide));
}

/// S3DFT's longest runs are left out of --quick too: most of all those that align.
bool in_scope(const Transformed& t, const Scope& scope) {
  if (!can_be(t)) return false;
  if (!t.way.is_s3dft()) return true;
  return t.n <= scope.most / 2 && (t.way.s3dft == S3dftForm::held || t.n / t.m <= scope.most / 4);
}

/// f(transform) of all that can be.
template <class F>
void for_all(const Scope& scope, int m, F f) {
  for (const FftPrecision precision : kPrecisions)
    for (const Way& way : ways())
      for (const int n : sides_of_forms(scope, m))
        if (const Transformed t{way, precision, n, m}; in_scope(t, scope)) f(t);
}

std::vector<Run> runs_with(const Scope& scope, std::initializer_list<int> ms) {
  std::vector<Run> runs;
  for (const int m : ms)
    for_all(scope, m, [&](const Transformed& t) { runs.push_back(run_of(t)); });
  return runs;
}

/// The cells that name a transform.
Row row_of(const Transformed& t) {
  return {cell(text_of(t.precision)), cell(std::string(pencil_name(t.way))),
          cell(std::string(exchange_name(t.way))), whole(t.n), whole(t.m)};
}

void add_row(Table& table, const Transformed& t, const Outcome& one) {
  Row row = row_of(t);
  add_predicted(row, predicted_cycles(t), static_cast<double>(one.cycles));
  add_predicted(row, predicted_communication(t), static_cast<double>(one.communication));
  table.rows.push_back(std::move(row));
}

Result table_of(const char* name, const char* title) {
  Result result{name, title, {}};
  result.table.columns = {"precision",
                          "pencil",
                          "transposes",
                          "n",
                          "m",
                          "predicted",
                          "cycles",
                          "off",
                          "predicted in exchanges",
                          "in exchanges",
                          "exchanges off"};
  result.notes = {
      "m x m pencils in a PE, n / m x n / m PEs; by halves up to 64 x 64, by butterflies too, with "
      "one pencil in a PE. Predictions are formulas "
      "for the default machine, written before these runs. Turns of 72 and 80 cycles in them, 50 "
      "cycles for a level of halves, and 34 for a step of S3DFT come from earlier runs. A "
      "transform that does not end on the machine has no row.",
      "S3DFT has no pencils and no exchanges: its alignments stand in their place, and rolls hide "
      "behind its sums. Butterflies count as exchanges, though they transform two axes."};
  return result;
}

}  // namespace

std::vector<Run> runs_of_forms(const Scope& scope) { return runs_with(scope, {1}); }
std::vector<Run> runs_of_shared_forms(const Scope& scope) { return runs_with(scope, {2, 4}); }
std::vector<Run> runs_of_all_forms(const Scope& scope) { return runs_with(scope, kPencilsAlong); }

Result make_forms(const Scope& scope, const Outcomes& outcomes, const Machine&) {
  Result result = table_of("transforms", "n^3 numbers on n x n PEs by all ways");
  Figure figure{"n", "cycles over n^2", true, {}};
  std::vector<Series>& all = figure.series;
  for_all(scope, 1, [&](const Transformed& t) {
    const Outcome* one = ended(outcomes, run_of(t));
    if (one == nullptr) return;
    add_row(result.table, t, *one);
    const std::string title = title_of(t.precision, name_of(t.way));
    if (all.empty() || all.back().title != title)
      all.push_back({title, Mark::ours, color_of(t.way), {}, t.precision == FftPrecision::fp32});
    all.back().points.emplace_back(t.n, static_cast<double>(one->cycles) / t.n / t.n);
  });
  result.figure = std::move(figure);
  return result;
}

Result make_shared_forms(const Scope& scope, const Outcomes& outcomes, const Machine&) {
  Result result =
      table_of("pencils-a-pe", "n^3 numbers with 2 x 2 and 4 x 4 pencils in a PE, by all ways");
  for (const int m : {2, 4})
    for_all(scope, m, [&](const Transformed& t) {
      if (const Outcome* one = ended(outcomes, run_of(t))) add_row(result.table, t, *one);
    });
  return result;
}

Result make_traffic(const Scope& scope, const Outcomes& outcomes, const Machine&) {
  Result result{"traffic", "wavelets of the transforms, and bytes of a PE, by all ways", {}};
  result.table.columns = {"precision",
                          "pencil",
                          "transposes",
                          "n",
                          "m",
                          "predicted hops",
                          "wavelet-hops",
                          "hops off",
                          "predicted link",
                          "busiest link",
                          "link off",
                          "predicted bytes",
                          "bytes of a PE",
                          "bytes off"};
  for (const int m : kPencilsAlong)
    for_all(scope, m, [&](const Transformed& t) {
      const Outcome* one = ended(outcomes, run_of(t));
      if (one == nullptr) return;
      Row row = row_of(t);
      add_predicted(row, predicted_hops(t), static_cast<double>(one->hops));
      if (one->busiest_link > 0)
        add_predicted(row, predicted_link(t), static_cast<double>(one->busiest_link));
      else
        row.insert(row.end(), {none(), none(), none()});
      add_predicted(row, predicted_bytes(t), static_cast<double>(one->pe_bytes));
      result.table.rows.push_back(std::move(row));
    });
  result.notes = {
      "Busiest link: wavelets of a row's or column's, by count of the program. Predictions count "
      "the streams of all messages without control wavelets. Predicted bytes are numbers, "
      "coefficients and 3 KB of program (S3DFT 2.25, cubes 6). These formulas were written after "
      "first runs of the ways."};
  return result;
}

Result make_fastest_forms(const Scope& scope, const Outcomes& outcomes, const Machine&) {
  Result result{"fastest", "the way with the fewest cycles, and the next one", {}};
  result.table.columns = {"precision", "pencil", "m",          "n",        "first",
                          "cycles",    "second", "takes more", "overtakes"};
  for (const FftPrecision precision : kPrecisions)
    for (const FftPencil pencil : {FftPencil::radix2, FftPencil::radix4})
      for (const int m : kPencilsAlong) {
        std::string before;
        for (const int n : sides_of_forms(scope, m)) {
          std::vector<std::pair<std::uint64_t, const Way*>> took;
          for (const Way& way : ways()) {
            if (!way.is_s3dft() && way.pencil != pencil) continue;
            if (const Outcome* one = ended(outcomes, run_of({way, precision, n, m})))
              took.emplace_back(one->cycles, &way);
          }
          if (took.size() < 2) continue;
          std::ranges::stable_sort(took, {}, &std::pair<std::uint64_t, const Way*>::first);
          const std::string first(exchange_name(*took[0].second));
          result.table.rows.push_back(
              {cell(text_of(precision)), cell(std::string(to_string(pencil))), whole(m), whole(n),
               cell(first), whole(static_cast<double>(took[0].first)),
               cell(std::string(exchange_name(*took[1].second))),
               percent(static_cast<double>(took[1].first) / static_cast<double>(took[0].first)),
               !before.empty() && before != first ? cell(first + " overtakes " + before) : none()});
          before = first;
        }
      }
  result.notes = {"S3DFT, which has no pencils, is among those of both kinds."};
  return result;
}

}  // namespace weft::evaluation
