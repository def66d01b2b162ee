// Transforms by all forms of the transposes and two algorithms for pencils: what they take, beside
// what was predicted.
#include "evaluation/algorithms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "evaluation/wsfft_runs.hpp"
#include "fft/wsfft/halves.hpp"

namespace weft::evaluation {
namespace {

constexpr FftTranspose kAllForms[] = {FftTranspose::published, FftTranspose::interlocked,
                                      FftTranspose::halves, FftTranspose::ring};
constexpr FftPencil kBothPencils[] = {FftPencil::radix2, FftPencil::radix4};
constexpr int kLongestSide = 512;

constexpr std::array kSlowTasks{Setting{"task_start_cycles", 256}};
constexpr std::array kRampsOfSeven{Setting{"ramp_cycles", 7}};
constexpr std::array kQuickProducts{Setting{"f32_multiply_rate", 8}};
constexpr std::array<std::span<const Setting>, 3> kOtherMachines{kSlowTasks, kRampsOfSeven,
                                                                 kQuickProducts};

/// Sides of cubes with m x m pencils in a PE.
std::vector<int> sides_of_forms(const Scope& scope, int m) {
  // Chosen, for --quick: several pencils take m^2 times as long.
  return powers(8 * m, std::min(m == 1 ? scope.most : scope.most / 2, kLongestSide));
}

/// f(transform) of all that can be, on one machine.
template <class F>
void for_all(const std::vector<int>& of, int m, F f) {
  for (const FftPrecision precision : kPrecisions)
    for (const FftPencil pencil : kBothPencils)
      for (const FftTranspose form : kAllForms)
        for (const int n : of)
          if (form != FftTranspose::halves || wsfft::has_halves(n / m))
            f(Transformed{form, pencil, precision, n, m});
}

Run form_run(const Transformed& t, std::span<const Setting> settings = {}) {
  Run run = cube_run(t.n, t.n / t.m, t.precision);
  run.more_memory = true;
  run.pencil = t.pencil;
  run.form = t.form;
  run.settings = settings;
  return run;
}

/// "radix4, ring"
std::string form_name(const Transformed& t) {
  return fmt::format("{}, {}", to_string(t.pencil), to_string(t.form));
}

std::vector<Run> runs_with(const Scope& scope, std::initializer_list<int> ms) {
  std::vector<Run> runs;
  for (const int m : ms)
    for_all(sides_of_forms(scope, m), m,
            [&](const Transformed& t) { runs.push_back(form_run(t)); });
  return runs;
}

Row first_cells(const Transformed& t) {
  return {cell(text_of(t.precision)), cell(std::string(to_string(t.pencil))),
          cell(std::string(to_string(t.form))), whole(t.n)};
}

/// What a run took beyond its prediction.
void add_predicted(Row& row, const std::optional<double>& predicted, double cycles) {
  row.push_back(predicted ? whole(*predicted) : none());
  row.push_back(whole(cycles));
  row.push_back(predicted ? percent(cycles / *predicted) : none());
}

void add_row(Table& table, const Transformed& t, const Outcome& one) {
  Row row = first_cells(t);
  row.push_back(whole(t.m));
  add_predicted(row, predicted_cycles(t), static_cast<double>(one.cycles));
  add_predicted(row, 2 * predicted_exchange(t), static_cast<double>(one.communication));
  row.push_back(whole(static_cast<double>(one.hops)));
  row.push_back(one.busiest_link > 0 ? whole(static_cast<double>(one.busiest_link)) : none());
  row.push_back(whole(static_cast<double>(one.pe_bytes)));
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
                          "exchanges off",
                          "wavelet-hops",
                          "busiest link",
                          "bytes of a PE"};
  result.notes = {
      "m x m pencils in a PE, n / m x n / m PEs; by halves up to 64 x 64. Predictions are formulas "
      "for the default machine, written before these runs. Turns of 72 and 80 cycles in them, and "
      "50 cycles for a level of halves, come from earlier runs of these exchanges. Busiest link: "
      "wavelets of a row's or column's, by count of the program. A transform "
      "that does not end on the machine has no row."};
  return result;
}

/// The outcome of a run; null if there is none, or on this machine it does not end.
const Outcome* ended(const Outcomes& outcomes, const Run& run) {
  const Outcome* outcome = outcomes.find(run);
  return outcome != nullptr && outcome->cycles != 0 ? outcome : nullptr;
}

}  // namespace

std::vector<Run> runs_of_forms(const Scope& scope) { return runs_with(scope, {1}); }
std::vector<Run> runs_of_shared_forms(const Scope& scope) { return runs_with(scope, {2, 4}); }
std::vector<Run> runs_of_all_forms(const Scope& scope) { return runs_with(scope, {1, 2, 4}); }

Result make_forms(const Scope& scope, const Outcomes& outcomes, const Machine&) {
  Result result = table_of("transforms", "n^3 numbers on n x n PEs by all forms and two pencils");
  Figure figure{"n", "cycles over n^2", true, {}};
  std::vector<Series>& all = figure.series;
  for_all(sides_of_forms(scope, 1), 1, [&](const Transformed& t) {
    const Outcome* one = ended(outcomes, form_run(t));
    if (one == nullptr) return;
    add_row(result.table, t, *one);
    const std::string title = title_of(t.precision, form_name(t));
    if (all.empty() || all.back().title != title)
      all.push_back({title,
                     Mark::ours,
                     static_cast<int>(std::ranges::find(kAllForms, t.form) - kAllForms) +
                         (t.pencil == FftPencil::radix4 ? 4 : 0),
                     {},
                     t.precision == FftPrecision::fp32});
    all.back().points.emplace_back(t.n, static_cast<double>(one->cycles) / t.n / t.n);
  });
  result.figure = std::move(figure);
  return result;
}

Result make_shared_forms(const Scope& scope, const Outcomes& outcomes, const Machine&) {
  Result result =
      table_of("pencils-a-pe", "n^3 numbers with 2 x 2 and 4 x 4 pencils in a PE, by all forms");
  for (const int m : {2, 4})
    for_all(sides_of_forms(scope, m), m, [&](const Transformed& t) {
      if (const Outcome* one = ended(outcomes, form_run(t))) add_row(result.table, t, *one);
    });
  return result;
}

Result make_fastest_forms(const Scope& scope, const Outcomes& outcomes, const Machine&) {
  Result result{"fastest", "the form with the fewest cycles, and the next one", {}};
  result.table.columns = {"precision", "pencil", "m",          "n",        "first",
                          "cycles",    "second", "takes more", "overtakes"};
  for (const FftPrecision precision : kPrecisions)
    for (const FftPencil pencil : kBothPencils)
      for (const int m : {1, 2, 4}) {
        std::string before;
        for (const int n : sides_of_forms(scope, m)) {
          std::vector<std::pair<std::uint64_t, FftTranspose>> took;
          for (const FftTranspose form : kAllForms)
            if (const Outcome* one = ended(outcomes, form_run({form, pencil, precision, n, m})))
              took.emplace_back(one->cycles, form);
          if (took.size() < 2) continue;
          std::ranges::sort(took);
          const std::string first(to_string(took[0].second));
          result.table.rows.push_back(
              {cell(text_of(precision)), cell(std::string(to_string(pencil))), whole(m), whole(n),
               cell(first), whole(static_cast<double>(took[0].first)),
               cell(std::string(to_string(took[1].second))),
               percent(static_cast<double>(took[1].first) / static_cast<double>(took[0].first)),
               !before.empty() && before != first ? cell(first + " overtakes " + before) : none()});
          before = first;
        }
      }
  return result;
}

std::vector<Run> runs_of_machines(const Scope&) {
  std::vector<Run> runs;
  for (const auto settings : kOtherMachines)
    for_all({32, 64}, 1, [&](const Transformed& t) { runs.push_back(form_run(t, settings)); });
  return runs;
}

Result make_machines(const Scope&, const Outcomes& outcomes, const Machine&) {
  Result result{"machines", "n^3 numbers on n x n PEs of machines with another constant", {}};
  result.table.columns = {"constant", "value",     "precision", "pencil", "transposes",
                          "n",        "predicted", "cycles",    "off",    "over published"};
  for (const auto settings : kOtherMachines)
    for_all({32, 64}, 1, [&](const Transformed& t) {
      const Outcome* one = ended(outcomes, form_run(t, settings));
      Transformed published = t;
      published.form = FftTranspose::published;
      const Outcome* base = ended(outcomes, form_run(published, settings));
      if (one == nullptr) return;
      const auto& [constant, value] = settings.front();
      Row row{cell(std::string(constant)), whole(value)};
      for (Cell& next : first_cells(t)) row.push_back(std::move(next));
      const auto cycles = static_cast<double>(one->cycles);
      add_predicted(row, predicted_there(t, {constant, value}), cycles);
      row.push_back(base != nullptr ? decimal(cycles / static_cast<double>(base->cycles), 2)
                                    : none());
      result.table.rows.push_back(std::move(row));
    });
  result.notes = {
      "Predictions were put together from parts of runs, before there was a ring; for others there "
      "is none."};
  return result;
}

}  // namespace weft::evaluation
