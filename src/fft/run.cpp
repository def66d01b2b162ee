#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/first_error.hpp"
#include "base/processes.hpp"
#include "fft/algorithm.hpp"
#include "fft/emulation.hpp"
#include "fft/expectation.hpp"
#include "fft/findings.hpp"
#include "fft/parts.hpp"
#include "fft/planning.hpp"
#include "weft/error.hpp"
#include "weft/fabric.hpp"
#include "weft/fft.hpp"
#include "weft/processes.hpp"

namespace weft::inline v0 {
namespace {

using wsfft::Division;

/// The rounds of a batch, and those that are over.
struct Rounds {
  int all, done;
  std::uint64_t cycles;  ///< of those that are over
};

/// The expectation for all rounds, from that for one.
std::optional<FftExpectation> expected(const std::optional<FftExpectation>& round,
                                       const Rounds& rounds) {
  if (!round) return {};
  FftExpectation all = *round;
  all.cycles = rounds.cycles + round->cycles * static_cast<std::uint64_t>(rounds.all - rounds.done);
  all.fraction = (rounds.done + round->fraction) / rounds.all;
  return all;
}

/// Of each round of a run.
std::shared_ptr<fft::ExpectationOnDemand> expectation_of(const fft::Algorithm& algorithm,
                                                         const fft::Job& job) {
  return std::make_shared<fft::ExpectationOnDemand>(
      [&algorithm, job] { return algorithm.expect(job, algorithm.model_for(job)); });
}

/// Tells how far a run has come; empty if nobody asks.
CycleProgress progress_of(const OnFftProgress& report_progress, const Division& division,
                          const std::shared_ptr<fft::ExpectationOnDemand>& expectation,
                          const Rounds& rounds) {
  if (!report_progress) return {};
  const std::uint64_t pes =
      static_cast<std::uint64_t>(division.width()) * static_cast<std::uint64_t>(division.height());
  return [&report_progress, pes, expectation, rounds](std::uint64_t cycle) {
    const std::uint64_t all = rounds.cycles + cycle;
    report_progress({all, all * pes, [expectation, cycle, rounds] {
                       return expected(expectation->at(cycle), rounds);
                     }});
  };
}

/// The phases of a round, as the PE that ended last saw them.
std::vector<RunPhase> read_phases(const Fabric& fabric, const fft::Written& written,
                                  const Division& division) {
  std::vector<RunPhase> phases = written.phases;
  const std::size_t count = phases.size();
  const auto last = fft::stamps_of_last(fabric, written.stamps, division, count);
  for (std::size_t k = 0; k < count; ++k) phases[k].cycles = last[k] - (k > 0 ? last[k - 1] : 0);
  return phases;
}

/// Adds a round to the report of a run.
void add(FftRun& run, const RunReport& fabric, const std::vector<RunPhase>& phases) {
  RunReport& sum = run.report;
  if (sum.phases.empty()) {
    sum = fabric;
    sum.cycles = 0;
    sum.phases = phases;
    for (RunPhase& phase : sum.phases) phase.cycles = 0;
  } else {
    sum.counters.cycle += fabric.counters.cycle;
    sum.counters.wavelets += fabric.counters.wavelets;
    sum.counters.hops += fabric.counters.hops;
    sum.counters.delivered += fabric.counters.delivered;
    sum.counters.filtered += fabric.counters.filtered;
    sum.pe_cycles += fabric.pe_cycles;
    sum.wall_seconds += fabric.wall_seconds;
    sum.skipped_cycles += fabric.skipped_cycles;
    sum.profile = fabric.profile;
    for (const auto most : {&RunReport::busiest_link, &RunReport::busiest_ramp})
      if (sum.*most && fabric.*most) *(sum.*most) += *(fabric.*most);
  }
  for (std::size_t k = 0; k < phases.size(); ++k) {
    const std::uint64_t cycles = phases[k].cycles;
    sum.phases[k].cycles += cycles;
    sum.cycles += cycles;
    (phases[k].communication ? run.communication_cycles : run.compute_cycles) += cycles;
  }
}

/// All arrays of a batch, or this process's part of them.
template <class Number>
struct Arrays {
  std::span<Number> numbers;
  FftPart part;
  std::optional<fft::PlacesInPart> places{};  ///< of its PEs' numbers
  std::optional<fft::RunInPart> run{};        ///< of those that it exchanges; neither: it has all

  Arrays(std::span<Number> numbers_, FftPart part_, const fft::Job& job)
      : numbers(numbers_), part(std::move(part_)) {
    const fft::Sharing sharing = fft::sharing_of(job.division, job.options);
    if (sharing == fft::Sharing::of_pes) places.emplace(part);
    if (sharing == fft::Sharing::exchanged) run.emplace(part, *job.options.processes);
  }
  /// Processes that exchange numbers, or read whole arrays, do so alike, one tile after the other.
  fft::ArraysOfRound<Number> of_round(int round, const fft::Job& job) const {
    const Division& division = job.division;
    const std::size_t at_once =
        static_cast<std::size_t>(division.across) * static_cast<std::size_t>(division.down);
    const std::size_t first = at_once * static_cast<std::size_t>(round);
    const std::size_t count = std::min(at_once, part.ranges.size() - first);
    const bool reads_whole = !std::is_const_v<Number> && !places;
    const int threads = reads_whole ? fft::threads_for_whole(job.options) : job.options.threads;
    return {numbers,
            {places ? &*places : nullptr, run ? &*run : nullptr},
            first * part.shape.size(),
            count * part.shape.size(),
            fft::copied_pes(division, job.options),
            run ? 1 : threads};
  }
};

/// Throws Error(usage), in all processes, unless all give parts or none does.
void check_parts_alike(const FftOptions& options) {
  if (base::process_count(options.processes.get()) == 1) return;
  const std::vector<std::uint32_t> all =
      base::gathered(*options.processes, std::uint32_t{options.parts});
  const auto other = std::ranges::find_if(all, [&](auto parts) { return parts != all.front(); });
  if (other == all.end()) return;
  throw Error(
      ErrorCategory::usage, "the processes make different plans",
      fmt::format("process 0 has {}, process {} has not",
                  all.front() != 0 ? "parts of the arrays" : "whole arrays", other - all.begin()),
      "make the same plan in all of them");
}

/// Of processes that give parts, the error of the first one that has one is that of all.
void check(const FftPlan& plan, const Volume& input, const FftPart& part, FftDirection direction) {
  const FftOptions& options = plan.options();
  check_parts_alike(options);
  if (!options.data) return;
  base::in_all(options.parts ? options.processes.get() : nullptr, [&] {
    fft::check_input(input, plan.input_shape(direction), part.size());
    if (options.kind == FftKind::real && direction == FftDirection::forward)
      fft::check_real(input, part);
  });
}

/// The arrays of a round, without numbers where there is no data.
struct Round {
  fft::GivenArrays input;
  fft::TakenArrays output;
};

/// Transforms them, in the first form of the program that ends, and adds that to the run.
void run_round(const Round& round, const fft::Algorithm& algorithm, const fft::Job& job,
               std::atomic<bool>& too_late, const CycleProgress& progress, FftRun& run) {
  const FftOptions& options = job.options;
  for (const fft::Attempt& attempt : algorithm.attempts(options, too_late)) {
    const fft::Written written = algorithm.write(job, attempt);
    const fft::Prepared prepared{written.layout,
                                 [&](Fabric& fabric) {
                                   written.write_constants(fabric);
                                   if (options.data) written.scatter(fabric, round.input);
                                 },
                                 written.try_form};
    std::optional<Fabric> fabric = fft::emulate(prepared, attempt, options, progress);
    if (!fabric) {
      too_late = true;
      continue;
    }
    if (options.data) written.gather(*fabric, round.output);
    run.transpose = attempt.transpose;
    RunReport report = fabric->report();
    fft::note_traffic(report, written.traffic);
    const std::vector<RunPhase> phases = read_phases(*fabric, written, job.division);
    report.profile = fft::take_profile(*std::move(fabric), options);
    add(run, report, phases);
    return;
  }
}

}  // namespace

FftRun FftPlan::run(const Volume& input, FftDirection direction,
                    const OnFftProgress& progress) const {
  const FftPart given = input_part(direction), taken = output_part(direction);
  check(*this, input, given, direction);
  const fft::Algorithm& algorithm = fft::algorithm_of(options_.algorithm);
  const fft::Job job{found_->choice.division, precision_, direction, options_};
  const Division& division = job.division;
  FftRun run;
  run.mesh = options_.mesh;
  run.rounds = fft::rounds_of(division, options_.batch);
  run.output.shape = output_shape(direction);
  if (options_.data) run.output.data.resize(taken.size());
  const Arrays from(std::span(input.data), given, job);
  const Arrays to(std::span(run.output.data), taken, job);
  const auto expectation = expectation_of(algorithm, job);
  for (int done = 0; done < run.rounds; ++done) {
    const Round round{from.of_round(done, job), to.of_round(done, job)};
    run_round(round, algorithm, job, found_->too_late[direction == FftDirection::forward ? 0 : 1],
              progress_of(progress, division, expectation, {run.rounds, done, run.report.cycles}),
              run);
  }
  run.report.time_us = static_cast<double>(run.report.cycles) * 1e3 / options_.machine.clock_khz;
  const auto numbers = static_cast<double>(shape_.size());
  const double operations =
      (options_.kind == FftKind::real ? 2.5 : 5) * options_.batch * numbers * std::log2(numbers);
  run.tflops = operations / run.report.time_us * 1e-6;
  run.report.peak_share =
      fft::peak_share(operations, division, precision_, options_.machine, run.report.cycles);
  return run;
}

}  // namespace weft::inline v0
