#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fft/emulation.hpp"
#include "fft/expectation.hpp"
#include "fft/findings.hpp"
#include "fft/planning.hpp"
#include "fft/traffic.hpp"
#include "fft/wsfft/pencil.hpp"
#include "fft/wsfft/placement.hpp"
#include "fft/wsfft/program.hpp"
#include "fft/wsfft/real_placement.hpp"
#include "weft/fabric.hpp"
#include "weft/fft.hpp"

namespace weft::inline v0 {
namespace {

using wsfft::Division;
using wsfft::Numbers;
using wsfft::Transform;

std::vector<std::uint32_t> repeated(std::span<const std::uint32_t> words, int times) {
  std::vector<std::uint32_t> all;
  for (int i = 0; i < times; ++i) all.insert(all.end(), words.begin(), words.end());
  return all;
}

void write_constants(Fabric& fabric, const wsfft::TransformProgram& program, const Transform& t,
                     bool data, int threads) {
  if (data) {
    for (const auto& [n, where] : program.twiddles)
      fft::write_everywhere(fabric, t.division, where.address,
                            wsfft::algorithm_of(t.pencil).roots(t.numbers, n, t.direction),
                            threads);
    for (std::size_t superstep = 0; superstep < program.roots.size(); ++superstep)
      wsfft::scatter_roots(fabric, t.division, t.numbers, t.direction, static_cast<int>(superstep),
                           program.roots[superstep].address, threads);
  }
  for (const auto& [where, words] : wsfft::finish_words(program.finish, t.form))
    fft::write_everywhere(fabric, t.division, where.address, words, threads);
}

void scatter(Fabric& fabric, std::span<const std::complex<float>> arrays, const Transform& t,
             std::uint32_t address, int threads) {
  if (t.division.real)
    wsfft::scatter_real(fabric, arrays, t.division, t.numbers, t.direction, address, threads);
  else
    wsfft::scatter(fabric, arrays, t.division, t.numbers,
                   wsfft::arrangements_of(t.division, t.direction).front(), address, threads);
}

void gather(const Fabric& fabric, std::span<std::complex<float>> arrays, const Transform& t,
            std::uint32_t address, int threads) {
  if (t.division.real)
    wsfft::gather_real(fabric, arrays, t.division, t.numbers, t.direction, address, threads);
  else
    wsfft::gather(fabric, arrays, t.division, t.numbers,
                  wsfft::arrangements_of(t.division, t.direction).back(), address, threads);
}

/// Throws FaultError if the transform's first exchange faults or does not end.
void run_first_exchange(const Transform& t, const Machine& machine) {
  const wsfft::TransformProgram program = wsfft::build_first_exchange(t);
  FabricOptions options;
  options.data = false;
  Fabric fabric(wsfft::lay_out_line(program.program, t), machine, options);
  const Rect line = wsfft::line_of(t);
  for (const auto& [where, words] : wsfft::finish_words(program.finish, t.form))
    fabric.write(line, where.address, repeated(words, line.width * line.height));
  fabric.run_until_idle(fft::kCycleLimit);
}

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
std::shared_ptr<fft::ExpectationOnDemand> expectation_of(const FftPlan& plan,
                                                         const Division& division,
                                                         FftDirection direction) {
  return std::make_shared<fft::ExpectationOnDemand>(
      [division, precision = plan.precision(), direction, machine = plan.options().machine,
       pencil = plan.options().pencil, transpose = plan.options().transpose] {
        return fft::Expectation(division, precision, direction, machine, pencil,
                                fft::model_for(division, pencil, transpose), transpose);
      });
}

/// Tells how far a run has come; empty if nobody asks.
CycleProgress progress_of(const std::function<void(const FftProgress&)>& tell,
                          const Division& division,
                          const std::shared_ptr<fft::ExpectationOnDemand>& expectation,
                          const Rounds& rounds) {
  if (!tell) return {};
  const std::uint64_t pes =
      static_cast<std::uint64_t>(division.width()) * static_cast<std::uint64_t>(division.height());
  return [&tell, pes, expectation, rounds](std::uint64_t cycle) {
    const std::uint64_t all = rounds.cycles + cycle;
    tell({all, all * pes,
          [expectation, cycle, rounds] { return expected(expectation->at(cycle), rounds); }});
  };
}

/// The phases of a round, as the PE that ended last saw them.
std::vector<RunPhase> read_phases(const Fabric& fabric, const wsfft::TransformProgram& program,
                                  const Division& division, FftDirection direction) {
  std::vector<RunPhase> phases = wsfft::phases(division, direction);
  const std::size_t count = phases.size();
  const auto last = fft::stamps_of_last(fabric, program.stamps, division, count);
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

/// The arrays of a round, among all of a batch.
template <class T>
std::span<T> of_round(std::span<T> all, int round, const Division& division, int batch) {
  const std::size_t arrays = static_cast<std::size_t>(division.across) *
                             static_cast<std::size_t>(division.down) *
                             (all.size() / static_cast<std::size_t>(batch));
  const std::size_t first = arrays * static_cast<std::size_t>(round);
  return all.subspan(first, std::min(arrays, all.size() - first));
}

Transform transform_of(const FftPlan& plan, const Division& division, FftDirection direction) {
  Transform transform{division, Numbers{plan.precision()}, direction,
                      {},       wsfft::Form::published,    plan.options().pencil};
  for (std::size_t axis = 0; axis < transform.scale.size(); ++axis)
    transform.scale[axis] =
        fft::superstep_scale(division.sides[axis], plan.options().norm, direction);
  return transform;
}

void check(const FftPlan& plan, const Volume& input, FftDirection direction) {
  if (!plan.options().data) return;
  fft::check_input(input, plan.input_shape(direction));
  if (plan.options().kind == FftKind::real && direction == FftDirection::forward)
    fft::check_real(input);
}

/// The arrays of a round, without numbers where there is no data.
struct Round {
  std::span<const std::complex<float>> input;
  std::span<std::complex<float>> output;
};

/// Transforms them, in the first form of the transposes that ends, and adds that to the run.
void run_round(const Round& round, Transform t, const FftOptions& options,
               std::atomic<bool>& too_late, const CycleProgress& progress, FftRun& run) {
  const auto order = wsfft::exchanges_of(t.division, t.direction);
  const bool exchanges_first = !order.empty() && t.division.along(order.front()) > 1;
  for (const fft::Attempt& attempt : fft::attempts(options.transpose, too_late)) {
    t.form = attempt.form;
    const wsfft::TransformProgram program = wsfft::build_transform(t);
    fft::Prepared prepared{wsfft::lay_out(program.program, t), [&](Fabric& fabric) {
                             write_constants(fabric, program, t, options.data, options.threads);
                             if (options.data)
                               scatter(fabric, round.input, t, program.input.address,
                                       options.threads);
                           }};
    if (exchanges_first)  // one line of PEs tells sooner than all
      prepared.try_form = [&] { run_first_exchange(t, options.machine); };
    const std::optional<Fabric> fabric = fft::emulate(prepared, attempt, options, progress);
    if (!fabric) {
      too_late = true;
      continue;
    }
    if (options.data) gather(*fabric, round.output, t, program.output.address, options.threads);
    run.transpose = attempt.transpose;
    RunReport report = fabric->report();
    fft::note_traffic(report, fft::traffic_of(t));
    add(run, report, read_phases(*fabric, program, t.division, t.direction));
    return;
  }
}

}  // namespace

FftRun FftPlan::run(const Volume& input, FftDirection direction,
                    const std::function<void(const FftProgress&)>& progress) const {
  check(*this, input, direction);
  const Division& division = found_->division;
  const Transform transform = transform_of(*this, division, direction);
  FftRun run;
  run.mesh = options_.mesh;
  run.rounds = fft::rounds_of(division, options_.batch);
  run.output.shape = output_shape(direction);
  if (options_.data) run.output.data.resize(run.output.shape.size());
  const auto expectation = expectation_of(*this, division, direction);
  const auto& tell = progress ? progress : options_.progress;
  for (int done = 0; done < run.rounds; ++done) {
    Round round;
    if (options_.data)
      round = {of_round(std::span(input.data), done, division, options_.batch),
               of_round(std::span(run.output.data), done, division, options_.batch)};
    run_round(round, transform, options_,
              found_->too_late[direction == FftDirection::forward ? 0 : 1],
              progress_of(tell, division, expectation, {run.rounds, done, run.report.cycles}), run);
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
