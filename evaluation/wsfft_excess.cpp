// Where the machine takes longer than the fabric: at n = 512, and hardly at smaller n. Unknowns of
// the machine that could be the cause, each run in turn.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "evaluation/wsfft_runs.hpp"

namespace weft::evaluation {
namespace {

constexpr int kLeast = 64, kMost = 512;

/// A cause of longer runs: the constants of the machine that it changes. All change pencils too, to
/// those that the authors measured (profile wse2-pencils).
struct Cause {
  std::string_view title;
  std::span<const Setting> settings;
  int most = kMost;  ///< the largest n that is run; above 256 each run takes minutes
};

constexpr Setting kMove{"move32_rate", 2}, kBranch{"branch_taken_cycles", 3};
constexpr Setting kSixOfSeven{"link_busy_cycles", 6}, kFiveOfSix{"link_busy_cycles", 5};

constexpr std::array kPencils{kMove, kBranch};
// Chosen: with these pencils, links that carry 0.848 (FP16) and 0.854 (FP32) of a wavelet a cycle
// would explain n = 512.
constexpr std::array kAllLinks{kMove, kBranch, kSixOfSeven};
// Chosen: 757 x 996 PEs on 84 dies, both published, as 7 x 12.
constexpr std::array kDies{kMove, kBranch, kSixOfSeven, Setting{"die_width", 108},
                           Setting{"die_height", 83}};
// Chosen: no mesh of up to 256 x 256 PEs in the corner has such a link, and 512 x 512 has one.
constexpr std::array kFarLinks{kMove, kBranch, kSixOfSeven, Setting{"die_width", 256},
                               Setting{"die_height", 256}};
// Chosen: more than cross all links of 256 x 256 PEs in a cycle, along one axis both ways. There is
// a crowd in a part of the time only, so links rest more often then.
constexpr std::array kCrowd{kMove, kBranch, kFiveOfSix, Setting{"crowd_wavelets", 200'000}};

constexpr std::array<Cause, 5> kCauses = {{
    {"pencils as measured", kPencils},
    {"and all links rest", kAllLinks, 256},
    {"and links between dies rest", kDies, 256},
    {"and links after 256 PEs rest", kFarLinks},
    {"and links of a crowd rest", kCrowd},
}};

Run run_with(const Cause& cause, int n, FftPrecision precision) {
  Run run = cube_run(n, n, precision);
  run.settings = cause.settings;
  return run;
}

std::vector<int> sides(const Scope& scope) { return powers(kLeast, std::min(scope.most, kMost)); }

}  // namespace

std::vector<Run> runs_of_excess(const Scope& scope) {
  std::vector<Run> runs;
  for (const int n : sides(scope))
    for (const FftPrecision precision : kPrecisions) {
      for (const Run& run : cube_runs(n, n, precision)) runs.push_back(run);
      for (const Cause& cause : kCauses)
        if (n <= cause.most) runs.push_back(run_with(cause, n, precision));
    }
  return runs;
}

Result make_excess(const Scope& scope, const Outcomes& outcomes, const Machine&) {
  Result result{
      "excess", "cycles over those of the machine as it is, by what may be the cause", {}};
  result.table.columns = {"precision", "n", "the authors"};
  for (const Cause& cause : kCauses) result.table.columns.emplace_back(cause.title);
  for (const FftPrecision precision : kPrecisions)
    for (const int n : sides(scope)) {
      const auto cube = cube_of(outcomes, n, n, precision);
      const Outcome* plain = outcomes.find(cube_run(n, n, precision));
      if (!cube || plain == nullptr) continue;
      const auto measured = wsfft_paper::measured_cycles(n, precision);
      std::vector<Cell> row{cell(text_of(precision)), whole(n),
                            measured ? percent(*measured / cube->cycles) : none()};
      for (const Cause& cause : kCauses) {
        const Outcome* run = outcomes.find(run_with(cause, n, precision));
        row.push_back(run == nullptr ? none()
                                     : percent(static_cast<double>(run->cycles) /
                                               static_cast<double>(plain->cycles)));
      }
      result.table.rows.push_back(row);
    }
  result.notes = {
      "The authors: the mean of both directions, over Weft's. Causes: forward, over forward. All "
      "have pencils as the authors measured them (profile wse2-pencils).",
      "Links that rest carry 6 wavelets in 7 cycles; those of a crowd 5 in 6, after more than "
      "200,000 wavelets crossed links in a cycle. Dies have 108 x 83 PEs."};
  return result;
}

}  // namespace weft::evaluation
