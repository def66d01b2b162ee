// Section 8: an array on several wafers, whose transposes cross the links between them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "evaluation/ways.hpp"
#include "evaluation/wsfft_paper.hpp"
#include "evaluation/wsfft_runs.hpp"

namespace weft::evaluation {
namespace {

/// n^3 numbers on wafers of n / 2 x n / 2 PEs.
struct Wafers {
  int across, down;
  int count() const { return across * down; }
};
constexpr Wafers kOne{1, 1};
constexpr std::array<Wafers, 2> kSeveral{{{2, 1}, {2, 2}}};

constexpr FftTranspose kForms[] = {FftTranspose::published, FftTranspose::ring};

// Chosen: links between wafers carry a wavelet in so many cycles.
constexpr std::array kPeriods{1, 2, 4, 8, 16};
// Chosen: the sides of cubes of which all periods are run, with --quick to half of its longest.
constexpr std::array kSides{32, 64, 128};
// With full links, a run of 256^3 takes seconds. Longer ones are by formulas alone.
constexpr int kMostRun = 256, kMostSide = 1024;

/// The machine's constants by side and period, but for the first, in which links never rest.
constexpr auto kLinks = [] {
  std::array<std::array<std::array<Setting, 4>, kPeriods.size() - 1>, kSides.size()> all{};
  for (std::size_t side = 0; side < kSides.size(); ++side)
    for (std::size_t period = 1; period < kPeriods.size(); ++period)
      all[side][period - 1] = {{{"die_width", kSides[side] / 2},
                                {"die_height", kSides[side] / 2},
                                {"link_busy_cycles", 1},
                                {"link_rest_cycles", kPeriods[period] - 1}}};
  return all;
}();

/// Throws std::out_of_range for a cube or period that is not listed.
std::span<const Setting> links_of(int n, std::size_t period) {
  const auto side = static_cast<std::size_t>(std::ranges::find(kSides, n) - kSides.begin());
  return kLinks.at(side).at(period - 1);
}

/// With full links wafers are as one: the machine is as it is.
Run run_on(const Wafers& wafers, int n, FftPrecision precision, FftTranspose form,
           std::size_t period = 0) {
  Run run = cube_run(n, n / 2, precision);
  run.mesh = {wafers.across * n / 2, wafers.down * n / 2};
  run.more_memory = run.mesh.x < n || run.mesh.y < n;
  if (form != FftTranspose::published) run.form = form;
  if (period != 0) run.settings = links_of(n, period);
  return run;
}

/// A transform's cycles, in pencils and in its two transposes.
struct CyclesByPart {
  double all, pencils, rows, columns;
};

std::optional<CyclesByPart> parts_of(const Outcomes& outcomes, const Run& run) {
  const Outcome* one = outcomes.find(run);
  if (one == nullptr || one->phases.size() != 5) return {};
  const auto cycles = [&](std::size_t phase) { return static_cast<double>(one->phases[phase]); };
  return CyclesByPart{static_cast<double>(one->cycles), cycles(0) + cycles(2) + cycles(4),
                      cycles(1), cycles(3)};
}

/// The same by the formulas of a pencil and of an exchange (ways.hpp). A PE has as many pencils
/// along each axis, and a message to each PE of its line.
CyclesByPart predicted_parts(const Wafers& wafers, int n, FftPrecision precision,
                             FftTranspose form) {
  const double across = wafers.across * n / 2.0, down = wafers.down * n / 2.0;
  const double pencils = n / across * (n / down);
  const auto exchange = [&](double p) {
    return exchange_formula(form, p, wavelets_of(precision) * pencils * n / p);
  };
  CyclesByPart parts{0, 3 * pencils * wsfft_paper::pencil_cycles(n, precision), exchange(across),
                     exchange(down)};
  parts.all = parts.pencils + parts.rows + parts.columns;
  return parts;
}

/// Wavelets that cross the middle link of a row of n PEs, each way. Around a ring those that have
/// to: a message of each PE of a half to each one of the other. As published each stream runs to
/// the end of the row, so all n - 1 - j messages of PE j of the nearer half cross.
double crossing(const Wafers& wafers, int n, FftPrecision precision, FftTranspose form) {
  const double message = wavelets_of(precision) * 2 / wafers.down;
  return message * n * n * (form == FftTranspose::ring ? 0.25 : 0.375);
}

/// A transpose over links that carry a wavelet in so many cycles takes at least as long as these
/// need. The estimate is as much longer than with full links as they need longer: most transposes
/// take less, as streams hide turns.
double least_cycles(double crossing, double period) { return crossing * period; }
double estimated_cycles(double crossing, double period, double full) {
  return full + crossing * (period - 1);
}

/// The rates of links at which several wafers take as long as one, if transposes take the least and
/// the estimated cycles. `full`: several wafers with full links.
struct Rates {
  double least, estimate;
};
Rates rates_of(const Wafers& wafers, double crossing, const CyclesByPart& one,
               const CyclesByPart& full) {
  const bool columns_cross = wafers.down > 1;
  const double over_links = full.rows + (columns_cross ? full.columns : 0);
  const double all_crossing = crossing * (columns_cross ? 2 : 1);
  const double left = one.all - (full.all - over_links);
  return {all_crossing / left, all_crossing / (left - over_links + all_crossing)};
}

/// f(precision, form, n)
template <class F>
void for_cubes(int most, F f) {
  for (const FftPrecision precision : kPrecisions)
    for (const FftTranspose form : kForms)
      for (const int n : powers(kSides.front(), most)) f(precision, form, n);
}

int largest_side(const Scope& scope) { return std::min(scope.most / 2, kSides.back()); }

std::string text_of(FftTranspose form) { return std::string(to_string(form)); }

}  // namespace

std::vector<Run> runs_of_wafers(const Scope& scope) {
  std::vector<Run> runs;
  for_cubes(largest_side(scope), [&](FftPrecision precision, FftTranspose form, int n) {
    runs.push_back(run_on(kOne, n, precision, form));
    for (const Wafers& wafers : kSeveral)
      for (std::size_t period = 0; period < kPeriods.size(); ++period)
        runs.push_back(run_on(wafers, n, precision, form, period));
  });
  return runs;
}

Result make_wafers(const Scope& scope, const Outcomes& outcomes, const Machine&) {
  Result result{"wafers", "section 8: n^3 numbers on wafers of n / 2 x n / 2 PEs", {}};
  result.table.columns = {"precision", "transposes",    "n",        "wafers",   "rate",
                          "pencils",   "row transpose", "at least", "estimate", "column transpose",
                          "cycles",    "over one wafer"};
  Figure figure{"rate of the links between wafers", "cycles over those of one wafer", true, {}};
  const int largest = largest_side(scope);
  for_cubes(largest, [&](FftPrecision precision, FftTranspose form, int n) {
    const auto one = parts_of(outcomes, run_on(kOne, n, precision, form));
    if (!one) return;
    const auto add = [&](const Wafers& wafers, Cell rate, Cell least, Cell estimate,
                         const CyclesByPart& parts) {
      result.table.rows.push_back({cell(evaluation::text_of(precision)), cell(text_of(form)),
                                   whole(n), whole(wafers.count()), std::move(rate),
                                   whole(parts.pencils), whole(parts.rows), std::move(least),
                                   std::move(estimate), whole(parts.columns), whole(parts.all),
                                   decimal(parts.all / one->all, 2)});
    };
    add(kOne, none(), none(), none(), *one);
    for (const Wafers& wafers : kSeveral) {
      Series series{
          title_of(precision, fmt::format("{}, {} wafers", to_string(form), wafers.count())),
          Mark::ours,
          2 * (form == FftTranspose::ring ? 1 : 0) + (wafers.down - 1),
          {},
          precision == FftPrecision::fp32};
      const auto full = parts_of(outcomes, run_on(wafers, n, precision, form));
      const double cross = crossing(wafers, n, precision, form);
      for (std::size_t period = 0; full && period < kPeriods.size(); ++period) {
        const auto parts = parts_of(outcomes, run_on(wafers, n, precision, form, period));
        if (!parts) continue;
        const double cycles = kPeriods[period];
        add(wafers, decimal(1 / cycles, 4), whole(least_cycles(cross, cycles)),
            whole(estimated_cycles(cross, cycles, full->rows)), *parts);
        series.points.emplace_back(1 / cycles, parts->all / one->all);
      }
      if (n == largest) figure.series.push_back(std::move(series));
    }
  });
  result.figure = std::move(figure);
  result.notes = {
      "Rate: wavelets a cycle that a link between two PEs of neighbouring wafers carries, each "
      "way. At least: the cycles in which such a link carries what crosses it in a row, r m n^2 / "
      "4 wavelets around a ring and 3 / 2 times as many as published (r: wavelets of a number, m: "
      "numbers of a message). Estimate: with full links, and as much longer as the links take "
      "longer. Two wafers stand side by side, so no column crosses them."};
  return result;
}

std::vector<Run> runs_of_rates(const Scope& scope) {
  std::vector<Run> runs;
  for_cubes(std::min(scope.most, kMostRun), [&](FftPrecision precision, FftTranspose form, int n) {
    for (const Wafers& wafers : {kOne, kSeveral[0], kSeveral[1]})
      runs.push_back(run_on(wafers, n, precision, form));
  });
  return runs;
}

Result make_rates(const Scope&, const Outcomes& outcomes, const Machine& machine) {
  Result result{"rates", "section 8: from which rate of the links on wafers pay", {}};
  result.table.columns = {"precision",
                          "transposes",
                          "n",
                          "wafers",
                          "one wafer",
                          "off",
                          "speed-up, full links",
                          "off, full links",
                          "rate, at least",
                          "by the estimate",
                          "Gb/s of a link, by the estimate"};
  constexpr double kBits = 32;
  bool any_run = false;
  for_cubes(kMostRun, [&](FftPrecision precision, FftTranspose form, int n) {
    any_run |= parts_of(outcomes, run_on(kOne, n, precision, form)).has_value();
  });
  const int most = any_run ? kMostSide : 0;  // formulas alone say nothing
  for_cubes(most, [&](FftPrecision precision, FftTranspose form, int n) {
    const CyclesByPart said_of_one = predicted_parts(kOne, n, precision, form);
    const auto one = parts_of(outcomes, run_on(kOne, n, precision, form));
    for (const Wafers& wafers : kSeveral) {
      const CyclesByPart said = predicted_parts(wafers, n, precision, form);
      const auto full = parts_of(outcomes, run_on(wafers, n, precision, form));
      const bool run = one && full;
      const CyclesByPart &of_one = run ? *one : said_of_one, &of_full = run ? *full : said;
      const Rates rates = rates_of(wafers, crossing(wafers, n, precision, form), of_one, of_full);
      result.table.rows.push_back({cell(evaluation::text_of(precision)), cell(text_of(form)),
                                   whole(n), whole(wafers.count()), whole(of_one.all),
                                   run ? percent(one->all / said_of_one.all) : none(),
                                   decimal(of_one.all / of_full.all, 2),
                                   run ? percent(full->all / said.all) : none(),
                                   decimal(rates.least, 3), decimal(rates.estimate, 3),
                                   decimal(rates.estimate * kBits * machine.clock_khz / 1e6, 1)});
    }
  });
  result.notes = {
      "At the rate, several wafers take as long as one. It follows from cycles on one wafer and "
      "with full links, and from the least and the estimated cycles of a transpose over slower "
      "links, "
      "which `wafers` compares with runs. Off: the run over the formulas of pencils and exchanges; "
      "-: there is no run, and the row is of the formulas alone."};
  return result;
}

}  // namespace weft::evaluation
