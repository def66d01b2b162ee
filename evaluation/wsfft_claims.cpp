// The assertions of the paper's text, beside the fabric's figures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "evaluation/wsfft_paper.hpp"
#include "evaluation/wsfft_runs.hpp"
#include "fft/traffic.hpp"

namespace weft::evaluation {
namespace {

struct Claims {
  const Scope& scope;
  const Outcomes& outcomes;
  const Machine& machine;
  Result& result;

  /// A number that ours is held against, if there is one.
  void number(const std::string& claim, const std::string& section,
              const std::optional<Published>& published, double ours, int digits) const {
    Row row{cell(claim), cell(section), digits == 0 ? whole(ours) : decimal(ours, digits)};
    add_published(row, ours, published, digits);
    result.table.rows.push_back(std::move(row));
  }
  /// A bound.
  void holds(const std::string& claim, const std::string& section, const Cell& ours,
             bool it_does) const {
    result.table.rows.push_back({cell(claim), cell(section), ours, none(), none(), none(),
                                 cell(it_does ? "holds" : "does not hold")});
  }
  std::optional<Cube> cube(int n, FftPrecision precision) const {
    return cube_of(outcomes, n, n, precision);
  }
};

Published measured(double value) { return {value, Mark::measured}; }
Published estimated(double value) { return {value, Mark::estimated}; }
Published by_formula(double value) { return {value, Mark::formula}; }

void claims_of_pencils(const Claims& claims) {
  struct Point {
    FftPrecision precision;
    int n;
    double flops, rate;
  };
  for (const auto& [precision, n, flops, rate] :
       {Point{FftPrecision::fp16, 4096, wsfft_paper::kLongestPencilFp16, 0},
        Point{FftPrecision::fp32, 2048, wsfft_paper::kLongestPencilFp32,
              wsfft_paper::kAllPencilsFp32},
        Point{FftPrecision::fp16, 2048, 0, wsfft_paper::kAllPencilsFp16}}) {
    const Outcome* run = claims.outcomes.find(pencil_run(n, precision));
    if (run == nullptr) continue;
    const double ours = flops_of_pencil(n) / static_cast<double>(run->cycles);
    if (flops > 0)
      claims.number(fmt::format("flops a cycle, {}, n = {}", text_of(precision), n), "5.1",
                    measured(flops), ours, 2);
    if (rate > 0)
      claims.number(
          fmt::format("Tflops/s of 850,000 pencils of {} from one, {}", n, text_of(precision)),
          "5.1", estimated(rate), ours * wsfft_paper::kPes * claims.machine.clock_khz * 1e3 * 1e-12,
          0);
  }
}

/// The cycles of a pencil are a n log2 n + b n + c log2 n, as the authors count them: a of our
/// three longest ones, n, n / 2 and n / 4.
std::optional<double> leading_factor(const Claims& claims, FftPrecision precision) {
  const int n = longest_pencil(precision);
  double scaled[3];  // times n over their length
  for (int k = 0; k < 3; ++k) {
    const Outcome* run = claims.outcomes.find(pencil_run(n >> k, precision));
    if (run == nullptr) return {};
    scaled[k] = static_cast<double>(run->cycles) * (1 << k);
  }
  const double levels = std::log2(n);
  const double c = (scaled[0] - 2 * scaled[1] + scaled[2]) / (levels - 4);
  return (scaled[0] - scaled[1] + c * (levels - 2)) / n;
}

void claims_of_asymptotes(const Claims& claims) {
  for (const FftPrecision precision : kPrecisions)
    if (const auto a = leading_factor(claims, precision))
      claims.number(fmt::format("flops a cycle that pencils tend to, from our three longest, {}",
                                text_of(precision)),
                    "5.1",
                    by_formula(precision == FftPrecision::fp16 ? wsfft_paper::kAsymptoteFp16
                                                               : wsfft_paper::kAsymptoteFp32),
                    5 / *a, 2);
}

/// Both at n = 512. No precision is named.
void claims_of_routers(const Claims& claims, FftPrecision precision, const Cube& cube) {
  const bool is_meant = precision == FftPrecision::fp32;
  const auto published =
      is_meant ? std::optional(measured(wsfft_paper::kBytesOfRouters * 1e-15)) : std::nullopt;
  const auto rate = [&](double cycles) {
    return 4 * cube.hops / seconds_of(cycles, claims.machine) * 1e-15;
  };
  claims.number(fmt::format("PB/s that routers pass on at n = 512, {}", text_of(precision)), "5.3",
                published, rate(cube.cycles), 2);
  claims.number(fmt::format("the same in the authors' time of Table 1, {}", text_of(precision)),
                "5.3", published, rate(*wsfft_paper::measured_cycles(512, precision)), 2);
}

/// Of 512 x 512 PEs, and what 512^3 numbers in FP32 do with them.
void claims_of_machine(const Claims& claims, const Cube& cube) {
  constexpr int kSide = 512;
  constexpr double kNumbers = static_cast<double>(kSide) * kSide * kSide;
  constexpr double kBits = 2 * 32 * kNumbers;
  const double middle = 2.0 * kSide * claims.machine.clock_khz * 1e3;  // wavelets a second
  claims.number("% of 850,000 PEs that 512 x 512 are", "5.2", measured(wsfft_paper::kPercentOfPes),
                100.0 * kSide * kSide / wsfft_paper::kPes, 1);
  claims.number("ms of 512^3 numbers, FP32, in and out at 1.2 Tb/s; no run", "1",
                by_formula(wsfft_paper::kSecondsInAndOut * 1e3),
                2 * kBits / wsfft_paper::kBitsOfWafer * 1e3, 1);
  claims.number("TB/s over the middle of 512 x 512 PEs, at a wavelet a cycle; no run", "6.2",
                by_formula(wsfft_paper::kBytesOfBisection * 1e-12), 4 * middle * 1e-12, 2);
  const fft::LineTraffic line =
      fft::line_traffic(wsfft::Form::published, kSide, wsfft::Numbers{FftPrecision::fp32}.words());
  const double crossing =
      static_cast<double>(line.plus[kSide / 2 - 1] + line.minus[kSide / 2 - 1]) * kSide;
  claims.number("% of that which a transpose of rows takes, FP32, by count of the program", "6.2",
                {}, 100 * crossing / seconds_of(cube.communication / 2, claims.machine) / middle,
                0);
}

void claim_of_word(const Claims& claims) {
  if (const Outcome* run = claims.outcomes.find(word_run()))
    claims.number("cycles of a word to the neighbour, from core to core", "6.2",
                  measured(wsfft_paper::kCyclesOfWord), static_cast<double>(run->cycles), 0);
}

void claims_of_communication(const Claims& claims) {
  double most = 0;
  for (const int n : powers(32, kMostBothWays))
    for (const FftPrecision precision : kPrecisions)
      if (const auto cube = claims.cube(n, precision))
        most = std::max(most, cube->communication / cube->cycles);
  const auto fp16 = claims.cube(512, FftPrecision::fp16),
             fp32 = claims.cube(512, FftPrecision::fp32);
  if (fp16 && fp32) {
    claims.number("communication at n = 512, FP32 over FP16", "5.2", measured(1.8),
                  fp32->communication / fp16->communication, 2);
    claims.number("share of communication, at most, %", "9", measured(80), 100 * most, 0);
    claims_of_routers(claims, FftPrecision::fp16, *fp16);
    claims_of_routers(claims, FftPrecision::fp32, *fp32);
    claims_of_machine(claims, *fp32);
    claims.number("us of a transform of 512^3, FP32", "9", measured(959),
                  seconds_of(fp32->cycles, claims.machine) * 1e6, 0);
    claims.number("times faster than cuFFT on a DGX A100 (16 Tflops/s), 512^3, FP32", "5.4",
                  measured(1.18),
                  wsfft_paper::tflops(512, fp32->cycles, claims.machine.clock_khz * 1e3) / 16, 2);
  }
  for (const int n : powers(32, claims.scope.most)) {
    const auto half = claims.cube(n, FftPrecision::fp16),
               whole = claims.cube(n, FftPrecision::fp32);
    if (!half || !whole) continue;
    const double ratio = whole->communication / half->communication;
    claims.holds(fmt::format("(5): FP32 communicates at most twice as long as FP16, n = {}", n),
                 "4.4", decimal(ratio, 3), ratio <= 2);
  }
  for (const FftPrecision precision : kPrecisions)
    for (const int n : powers(32, claims.scope.most / 2)) {
      const auto one = claims.cube(n, precision), two = claims.cube(2 * n, precision);
      if (!one || !two) continue;
      const double ratio = two->communication / one->communication;
      claims.holds(fmt::format("RT_comm(2n) <= 4 RT_comm(n), n = {}, {}", n, text_of(precision)),
                   "5.3", decimal(ratio, 3), ratio <= 4);
    }
}

/// `one` has a pencil in each PE, `several` m x m of them.
void claims_of_ratios(const Claims& claims, int n, int m, FftPrecision precision, const Cube& one,
                      const Cube& several) {
  const std::string of = fmt::format("n = {}, {}", n, text_of(precision));
  const double ratio = several.communication / one.communication;
  claims.holds(
      fmt::format("(7), (8): with {} x {} pencils a PE at most {} times the communication, {}", m,
                  m, m, of),
      "4.4", decimal(ratio, 3), ratio <= m);
  claims.number(
      fmt::format("(9): {} x {} pencils a PE compute {} times as long, {}", m, m, m * m, of), "4.4",
      by_formula(m * m), several.compute / one.compute, 3);
  claims.number(fmt::format("(11): cycles of a transform, {} x {} pencils a PE, {}", m, m, of),
                "5.3", by_formula(m * one.communication + m * m * one.compute), several.cycles, 0);
  claims.number(fmt::format("({}): cycles of a transpose, {} x {} pencils a PE, {}",
                            precision == FftPrecision::fp16 ? 1 : 6, m, m, of),
                "4.4", by_formula(wsfft_paper::exchange_cycles(n, m, wavelets_of(precision))),
                several.communication / 2, 0);
}

/// Equation (12): a mesh with twice as many PEs a side, from the phases on the smaller one.
void claim_of_doubling(const Claims& claims, int n, int m, FftPrecision precision) {
  const auto small = cube_of(claims.outcomes, n, n / m, precision);
  const auto large = cube_of(claims.outcomes, n, 2 * n / m, precision);
  if (!small || !large) return;
  claims.number(fmt::format("(12): cycles on {} PEs a side from ours on {}, n = {}, {}", 2 * n / m,
                            n / m, n, text_of(precision)),
                "5.3", by_formula(small->communication / 2 + small->compute / 4), large->cycles, 0);
}

void claims_of_several_pencils(const Claims& claims) {
  for (const int n : powers(std::min(256, claims.scope.most), claims.scope.most))
    for (const int m : {2, 4})
      for (const FftPrecision precision : kPrecisions) {
        claim_of_doubling(claims, n, m, precision);
        const auto one = claims.cube(n, precision);
        const auto several = cube_of(claims.outcomes, n, n / m, precision);
        if (!one || !several) continue;
        claims_of_ratios(claims, n, m, precision, *one, *several);
      }
  constexpr int kStrong = 256;
  const auto at = [&](int p) { return cube_of(claims.outcomes, kStrong, p, FftPrecision::fp32); };
  const auto a = at(64), b = at(128), c = at(256);
  if (a && b)
    claims.number("times faster from 64 to 128 PEs a side, 256^3, FP32", "5.3",
                  estimated(wsfft_paper::kTo128), a->cycles / b->cycles, 2);
  if (b && c)
    claims.number("times faster from 128 to 256 PEs a side, 256^3, FP32", "5.3",
                  estimated(wsfft_paper::kTo256), b->cycles / c->cycles, 2);
}

/// Section 5: the authors ran forward and inverse transforms in turn, several times.
void claims_of_trips(const Claims& claims) {
  for (const FftPrecision precision : kPrecisions) {
    const Outcome* run = claims.outcomes.find(trips_run(precision));
    if (run == nullptr) continue;
    const double spread = static_cast<double>(run->most) / static_cast<double>(run->least) - 1;
    claims.holds(fmt::format("round trips differ by less than 1 %, 64^3, {}", text_of(precision)),
                 "5", {fmt::format("{:.2f} %", 100 * spread), spread}, spread < 0.01);
  }
}

/// Equations (2) to (4) and (10): the formulas, with 30 cycles between senders.
void claims_of_formulas(const Claims& claims) {
  for (const FftPrecision precision : kPrecisions)
    for (const int n : powers(32, claims.scope.most)) {
      const auto cube = claims.cube(n, precision);
      if (!cube) continue;
      claims.number(fmt::format("(2), ({}): cycles of a transpose, n = {}, {}",
                                precision == FftPrecision::fp16 ? 3 : 4, n, text_of(precision)),
                    "4.4", by_formula(wsfft_paper::exchange_cycles(n, 1, wavelets_of(precision))),
                    cube->communication / 2, 0);
    }
  for (const FftPrecision precision : kPrecisions) {
    const auto large = claims.cube(1024, precision), half = claims.cube(512, precision);
    const Outcome* pencil = claims.outcomes.find(pencil_run(1024, precision));
    if (!large || !half || pencil == nullptr) continue;
    claims.number(fmt::format("(10): cycles of 1024^3 from ours of 512^3, {}", text_of(precision)),
                  "5.3",
                  by_formula(4 * half->communication + 3 * static_cast<double>(pencil->cycles)),
                  large->cycles, 0);
  }
}

}  // namespace

Result make_claims(const Scope& scope, const Outcomes& outcomes, const Machine& machine) {
  Result result{"claims", "assertions of the text", {}};
  result.table.columns = {"claim", "section", "Weft"};
  add_published_columns(result.table.columns);
  const Claims claims{scope, outcomes, machine, result};
  claims_of_pencils(claims);
  claims_of_asymptotes(claims);
  claim_of_word(claims);
  claims_of_communication(claims);
  claims_of_several_pencils(claims);
  claims_of_formulas(claims);
  claims_of_trips(claims);
  result.notes = {
      "A number agrees, or an estimate or a formula holds, within 5 %. Formulas of transposes have "
      "d = 30; those of other sizes take our figures."};
  return result;
}

}  // namespace weft::evaluation
