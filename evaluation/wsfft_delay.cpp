// The cycles from one sender of a transpose to the next, by the constants of the machine that they
// come from: how much longer they are when one of them is larger by one, times the constant.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "evaluation/wsfft_runs.hpp"

namespace weft::evaluation {
namespace {

constexpr int kSide = 64;  ///< chosen: long enough that turns, not streams' ends, decide

struct Part {
  std::string_view constant, meaning;
};

constexpr std::array<Part, 8> kParts = {{
    {"hop_cycles", "wavelets go on to the next router: the control wavelet, the first one sent"},
    {"ramp_cycles", "between router and core: the control wavelet comes, the first one leaves"},
    {"task_start_cycles", "the tasks that the control wavelet and ends of streams start"},
    {"router_write_cycles", "a filter's limit and its counter are written"},
    {"microthread_start_cycles", "the next stream's microthread starts"},
    {"vector_start_cycles", "vector instructions start"},
    {"branch_taken_cycles", "branches of the tasks"},
    {"scalar_cycles", "all other instructions of the tasks"},
}};

Run run_with(FftPrecision precision, std::string_view raised) {
  Run run = cube_run(kSide, kSide, precision);
  run.raised = raised;
  run.deep_queues = true;
  return run;
}

double delay(const Outcome& outcome, FftPrecision precision) {
  return delay_of(static_cast<double>(outcome.communication), kSide, precision);
}

}  // namespace

std::vector<Run> runs_of_delay(const Scope&) {
  std::vector<Run> runs;
  for (const FftPrecision precision : kPrecisions) {
    runs.push_back(run_with(precision, {}));
    for (const Part& part : kParts) runs.push_back(run_with(precision, part.constant));
  }
  return runs;
}

Result make_delay(const Scope&, const Outcomes& outcomes, const Machine& machine) {
  Result result{"delay", "d, the cycles from one sender to the next, by parts", {}};
  result.table.columns = {"precision", "part", "constant", "times", "cycles", "for"};
  for (const FftPrecision precision : kPrecisions) {
    const Outcome* plain = outcomes.find(run_with(precision, {}));
    const bool all = std::ranges::all_of(kParts, [&](const Part& part) {
      return outcomes.find(run_with(precision, part.constant)) != nullptr;
    });
    if (plain == nullptr || !all) continue;
    const double whole_delay = delay(*plain, precision);
    double rest = whole_delay;
    for (const Part& part : kParts) {
      const Outcome* raised = outcomes.find(run_with(precision, part.constant));
      const double times = delay(*raised, precision) - whole_delay;
      double value = 0;
      for (const MachineConstant& constant : machine_constants())
        if (constant.name == part.constant) value = machine.*constant.member;
      rest -= times * value;
      result.table.rows.push_back({cell(text_of(precision)), cell(std::string(part.constant)),
                                   whole(value), decimal(times, 2), decimal(times * value, 1),
                                   cell(std::string(part.meaning))});
    }
    result.table.rows.push_back({cell(text_of(precision)), cell("rest"), none(), none(),
                                 decimal(rest, 1), cell("not by one of these constants")});
    result.table.rows.push_back({cell(text_of(precision)), cell("d"), none(), none(),
                                 decimal(whole_delay, 1), cell("the whole")});
  }
  result.notes = {
      fmt::format("Of {}^3 numbers on {} x {} PEs. Times: by how many cycles d grows "
                  "when the constant is larger by one. Queues are deep, so that longer "
                  "ways do not slow streams.",
                  kSide, kSide, kSide),
      "The authors call d \"around 30\" cycles. Their totals imply 72 to 82 up to n = 256. "
      "Control wavelets move switches, which takes the core no time."};
  return result;
}

}  // namespace weft::evaluation
