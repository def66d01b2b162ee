// Where the machine takes longer than the fabric: at n = 512, and hardly at smaller n. Unknowns of
// the machine that could be the cause, each run in turn.
#include <fmt/format.h>

#include <array>
#include <span>

#include "reproduce/wsfft_runs.hpp"

namespace weft::reproduce {
namespace {

constexpr int kLeast = 64, kMost = 512;

/// A cause of longer runs: the constants of the machine that it changes. All but the first row of
/// causes change pencils too, to those that the authors measured (profile wse2-pencils).
struct Cause {
  std::string_view title;
  std::span<const Setting> settings;
  int most = kMost;  ///< the largest n that is run; above 256 a run without lines takes minutes
};

// Chosen: links that rest in one cycle of seven carry 0.857 wavelets a cycle. With these pencils, the
// excess at n = 512 is that of 0.852 (FP16) and 0.855 (FP32).
constexpr Setting kBusy{"link_busy_cycles", 6};
constexpr Setting kMove{"move32_rate", 2}, kBranch{"branch_taken_cycles", 3};

constexpr std::array kPencils{kMove, kBranch};
constexpr std::array kAllLinks{kMove, kBranch, kBusy};
// Published: 757 x 996 PEs for programs, on 7 x 12 dies.
constexpr std::array kDies{kMove, kBranch, kBusy, Setting{"die_width", 108},
                           Setting{"die_height", 83}};
// Chosen: no mesh of up to 256 x 256 PEs in the corner has such a link, and 512 x 512 has one.
constexpr std::array kFarLinks{kMove, kBranch, kBusy, Setting{"die_width", 256},
                               Setting{"die_height", 256}};
// Chosen: more than 256 x 256 PEs can send along one direction, less than 512 x 512 do on average.
constexpr std::array kCrowd{kMove, kBranch, kBusy, Setting{"crowd_wavelets", 100'000}};

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

std::vector<int> sides(const Scope& scope) {
  return powers(kLeast, std::min({scope.most, scope.most_mesh, kMost}));
}

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
  Result result{"excess", "cycles over those of the default machine, by what may be the cause", {}};
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
      fmt::format("Links that rest carry {} wavelets in {} cycles. Dies have 108 x 83 PEs. A crowd "
                  "is more than 100,000 wavelets that cross links in a cycle.",
                  kBusy.value, kBusy.value + 1)};
  return result;
}

}  // namespace weft::reproduce
