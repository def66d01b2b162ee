// The same transforms on machines that differ from the default one: where each way would win.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "evaluation/algorithms.hpp"
#include "evaluation/runs.hpp"
#include "evaluation/ways.hpp"

namespace weft::evaluation {
namespace {

/// A machine that differs in a constant.
struct Other {
  Setting setting;
  std::string_view title;
  /// Empty: runs of both precisions.
  std::optional<FftPrecision> only{};

  std::span<const Setting> settings() const { return {&setting, 1}; }
};

/// Links of double width: a number in FP32 is one wavelet. That is the program of FP16 with its
/// vector instructions as slow as those of FP32, for cycles only.
constexpr std::array<Other, 6> kOthers{{
    {{"task_start_cycles", 256}, "tasks start in 256 cycles"},
    {{"microthread_start_cycles", 256}, "microthreads start in 256 cycles"},
    {{"ramp_cycles", 7}, "ramps take 7 cycles"},
    {{"f32_multiply_rate", 8}, "8 products a cycle in FP32", FftPrecision::fp32},
    {{"two_source_divisor", 4}, "one multiply-add a cycle in FP16", FftPrecision::fp16},
    {{"f16_rate", 2}, "FP32 on links of double width", FftPrecision::fp16},
}};
constexpr std::array kSidesThere{32, 64};

/// f(machine, transform) of all, n = 32 and 64.
template <class F>
void for_others(F f) {
  for (const Other& other : kOthers)
    for (const FftPrecision precision : kPrecisions) {
      if (other.only && *other.only != precision) continue;
      for (const int n : kSidesThere)
        for (const Way& way : ways())
          if (const Transformed t{way, precision, n, 1}; can_be(t)) f(other, t);
    }
}

double cycles_there(const Outcome* one) {
  return one == nullptr ? 0 : static_cast<double>(one->cycles);
}

/// Of all ways on this machine, 0: none.
double fewest_there(const Outcomes& outcomes, const Other& other, const Transformed& like) {
  double least = 0;
  for (const Way& way : ways()) {
    Transformed t = like;
    t.way = way;
    const double cycles = cycles_there(ended(outcomes, run_of(t, other.settings())));
    if (cycles > 0 && (least == 0 || cycles < least)) least = cycles;
  }
  return least;
}

/// Cores that take longer to start something: cycles of n^3 in FP32, by ways that differ in how
/// often they do.
constexpr std::array<Setting, 9> kStarts{{{"task_start_cycles", 1},
                                          {"task_start_cycles", 16},
                                          {"task_start_cycles", 64},
                                          {"task_start_cycles", 128},
                                          {"task_start_cycles", 256},
                                          {"microthread_start_cycles", 16},
                                          {"microthread_start_cycles", 64},
                                          {"microthread_start_cycles", 128},
                                          {"microthread_start_cycles", 256}}};
constexpr std::array kLatencySides{16, 32, 64};

/// Interlocked, and what aligns, are mostly slower than the published form and held.
bool shows_latency(const Way& way) {
  return way.form != FftTranspose::interlocked && way.s3dft == S3dftForm::held;
}

template <class F>
void for_latency(int n, const Setting& setting, F f) {
  for (const Way& way : ways()) {
    const Transformed t{way, FftPrecision::fp32, n, 1};
    if (shows_latency(way) && can_be(t)) f(t, std::span(&setting, 1));
  }
}

}  // namespace

std::vector<Run> runs_of_machines(const Scope& scope) {
  std::vector<Run> runs;
  for_others([&](const Other& other, const Transformed& t) {
    // --quick leaves out the longest: cannon and cubes of the longer side.
    if (t.way.s3dft != S3dftForm::held && t.n > scope.most / 4) return;
    runs.push_back(run_of(t, other.settings()));
  });
  return runs;
}

Result make_machines(const Scope&, const Outcomes& outcomes, const Machine&) {
  Result result{"machines", "n^3 numbers on n x n PEs of machines with another constant", {}};
  result.table.columns = {"machine",        "constant", "value",     "precision", "pencil",
                          "transposes",     "n",        "predicted", "cycles",    "off",
                          "over published", "first"};
  for_others([&](const Other& other, const Transformed& t) {
    const Outcome* one = ended(outcomes, run_of(t, other.settings()));
    if (one == nullptr) return;
    Transformed published = t;
    published.way = published_way();
    const double base = cycles_there(ended(outcomes, run_of(published, other.settings())));
    const auto cycles = static_cast<double>(one->cycles);
    Row row{cell(std::string(other.title)),
            cell(std::string(other.setting.constant)),
            whole(other.setting.value),
            cell(text_of(t.precision)),
            cell(std::string(pencil_name(t.way))),
            cell(std::string(exchange_name(t.way))),
            whole(t.n)};
    add_predicted(row, predicted_there(t, other.setting), cycles);
    row.push_back(base > 0 ? decimal(cycles / base, 2) : none());
    row.push_back(cycles == fewest_there(outcomes, other, t) ? cell("first") : none());
    result.table.rows.push_back(std::move(row));
  });
  result.notes = {
      "Predictions were put together from parts of runs, before there was a ring or an S3DFT, or "
      "count how often a constant is in a step or turn, and elements of vectors.",
      "Multiply-adds: FP32 has one a cycle on the default machine, and no profile has fewer. In "
      "FP16 "
      "all vector instructions that read two vectors are as slow then.",
      "Links of double width: the program of FP16, whose vector instructions are made as slow as "
      "those of FP32. So a number is one wavelet, and one word of a move. Cycles only."};
  return result;
}

std::vector<Run> runs_of_latency(const Scope&) {
  std::vector<Run> runs;
  for (const Setting& setting : kStarts)
    for (const int n : kLatencySides)
      for_latency(n, setting, [&](const Transformed& t, std::span<const Setting> settings) {
        runs.push_back(run_of(t, settings));
      });
  return runs;
}

Result make_latency(const Scope&, const Outcomes& outcomes, const Machine&) {
  Result result{"latency", "n^3 numbers in FP32 where tasks or microthreads start late", {}};
  result.table.columns = {"constant",  "value",  "n",   "pencil",       "transposes",
                          "predicted", "cycles", "off", "s3dft over it"};
  Figure figure{"cycles that a task takes to start", "cycles, n = 32", true, {}};
  for (const Setting& setting : kStarts)
    for (const int n : kLatencySides)
      for_latency(n, setting, [&](const Transformed& t, std::span<const Setting> settings) {
        const Outcome* one = ended(outcomes, run_of(t, settings));
        if (one == nullptr) return;
        Transformed s3dft = t;
        s3dft.way = *std::ranges::find_if(ways(), &Way::is_s3dft);
        const double held = cycles_there(ended(outcomes, run_of(s3dft, settings)));
        const auto cycles = static_cast<double>(one->cycles);
        Row row{cell(std::string(setting.constant)), whole(setting.value), whole(n),
                cell(std::string(pencil_name(t.way))), cell(std::string(exchange_name(t.way)))};
        add_predicted(row, predicted_there(t, setting), cycles);
        row.push_back(held > 0 ? decimal(held / cycles, 2) : none());
        result.table.rows.push_back(std::move(row));
        if (n != 32 || setting.constant != kStarts.front().constant) return;
        const std::string title = name_of(t.way);
        auto series = std::ranges::find(figure.series, title, &Series::title);
        if (series == figure.series.end())
          series = figure.series.insert(series, {title, Mark::ours, color_of(t.way), {}});
        series->points.emplace_back(setting.value, cycles);
      });
  result.figure = std::move(figure);
  result.notes = {
      "S3DFT over it: cycles of S3DFT held over those of the row. Below 1, S3DFT is faster: its "
      "authors conjecture that latency favours it."};
  return result;
}

}  // namespace weft::evaluation
