#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "engine/threads.hpp"
#include "fft/choice.hpp"
#include "fft/emulation.hpp"
#include "fft/expectation.hpp"
#include "fft/planning.hpp"
#include "fft/wsfft/pencil.hpp"
#include "fft/wsfft/placement.hpp"
#include "fft/wsfft/program.hpp"
#include "fft/wsfft/real_placement.hpp"
#include "weft/error.hpp"
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
  return std::make_shared<fft::ExpectationOnDemand>([division, precision = plan.precision(),
                                                     direction, machine = plan.options().machine,
                                                     pencil = plan.options().pencil] {
    return fft::Expectation(division, precision, direction, machine, pencil,
                            fft::model_for(division, pencil));
  });
}

/// Tells the plan's caller how far a run has come; empty if nobody asks.
CycleProgress progress_of(const FftPlan& plan, const Division& division,
                          const std::shared_ptr<fft::ExpectationOnDemand>& expectation,
                          const Rounds& rounds) {
  const auto& tell = plan.options().progress;
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
  }
  for (std::size_t k = 0; k < phases.size(); ++k) {
    const std::uint64_t cycles = phases[k].cycles;
    sum.phases[k].cycles += cycles;
    sum.cycles += cycles;
    (phases[k].communication ? run.communication_cycles : run.compute_cycles) += cycles;
  }
}

}  // namespace

std::string_view to_string(FftPrecision precision) noexcept {
  return precision == FftPrecision::fp16 ? "fp16" : "fp32";
}

std::string_view to_string(FftKind kind) noexcept {
  return kind == FftKind::real ? "real" : "complex";
}

std::string_view to_string(FftDirection direction) noexcept {
  return direction == FftDirection::inverse ? "inverse" : "forward";
}

std::string_view to_string(FftNorm norm) noexcept {
  switch (norm) {
    case FftNorm::backward:
      return "backward";
    case FftNorm::ortho:
      return "ortho";
    case FftNorm::forward:
      return "forward";
  }
  return "";
}

std::string_view to_string(FftTranspose transpose) noexcept {
  switch (transpose) {
    case FftTranspose::automatic:
      return "automatic";
    case FftTranspose::published:
      return "published";
    case FftTranspose::interlocked:
      return "interlocked";
  }
  return "";
}

std::string_view to_string(FftPencil pencil) noexcept {
  switch (pencil) {
    case FftPencil::radix2:
      return "radix2";
    case FftPencil::radix4:
      return "radix4";
    case FftPencil::split_radix:
      return "split-radix";
    case FftPencil::stockham:
      return "stockham";
  }
  return "";
}

FftPlan::FftPlan(Shape3 shape, FftPrecision precision, FftOptions options)
    : shape_(shape),
      precision_(precision),
      options_(std::move(options)),
      too_late_(std::make_shared<std::array<std::atomic<bool>, 3>>()) {
  engine::check_threads(options_.threads);
  check_machine(options_.machine);
  const Division division = fft::choose_division(shape, precision, options_);
  options_.mesh = {division.width(), division.height()};
}

Shape3 FftPlan::input_shape(FftDirection direction) const noexcept {
  const bool half = options_.kind == FftKind::real && direction == FftDirection::inverse;
  return {shape_.n0 * static_cast<std::size_t>(options_.batch), shape_.n1,
          half ? shape_.n2 / 2 + 1 : shape_.n2};
}

Shape3 FftPlan::output_shape(FftDirection direction) const noexcept {
  return input_shape(direction == FftDirection::forward ? FftDirection::inverse
                                                        : FftDirection::forward);
}

FftRun FftPlan::run(const Volume& input, FftDirection direction) const {
  if (options_.data) fft::check_input(input, input_shape(direction));
  const bool real = options_.kind == FftKind::real;
  if (options_.data && real && direction == FftDirection::forward) fft::check_real(input);
  const Division division = fft::division_of(shape_, precision_, options_);
  const auto arrangements = wsfft::arrangements_of(division, direction);
  Transform transform{division, Numbers{precision_},    direction,
                      {},       wsfft::Form::published, options_.pencil};
  for (std::size_t axis = 0; axis < transform.scale.size(); ++axis)
    transform.scale[axis] = fft::superstep_scale(division.sides[axis], options_.norm, direction);
  FftRun run;
  run.mesh = options_.mesh;
  run.rounds = fft::rounds_of(division, options_.batch);
  run.output.shape = output_shape(direction);
  if (options_.data) run.output.data.resize(run.output.shape.size());
  // The arrays of a round, among all of the input or the output.
  const auto at_once =
      static_cast<std::size_t>(division.across) * static_cast<std::size_t>(division.down);
  const auto of_round = [&]<class T>(std::span<T> all, int round) {
    const std::size_t arrays = at_once * (all.size() / static_cast<std::size_t>(options_.batch));
    const std::size_t first = arrays * static_cast<std::size_t>(round);
    return all.subspan(first, std::min(arrays, all.size() - first));
  };
  std::atomic<bool>& too_late = (*too_late_)[direction == FftDirection::forward ? 0 : 1];
  const auto order = wsfft::exchanges_of(division, direction);
  const bool exchanges_first = !order.empty() && division.along(order.front()) > 1;
  const auto expectation = expectation_of(*this, division, direction);
  for (int done = 0; done < run.rounds; ++done) {
    wsfft::TransformProgram program;
    const auto prepare = [&](wsfft::Form form) -> fft::Prepared {
      transform.form = form;
      program = wsfft::build_transform(transform);
      const auto write = [&](Fabric& fabric) {
        write_constants(fabric, program, transform, options_.data, options_.threads);
        if (!options_.data) return;
        const auto arrays = of_round(std::span(input.data), done);
        if (real)
          wsfft::scatter_real(fabric, arrays, division, transform.numbers, direction,
                              program.input.address, options_.threads);
        else
          wsfft::scatter(fabric, arrays, division, transform.numbers, arrangements.front(),
                         program.input.address, options_.threads);
      };
      // One line of PEs tells sooner than all.
      const auto try_form = [&] { run_first_exchange(transform, options_.machine); };
      return {wsfft::lay_out(program.program, transform), write,
              exchanges_first ? std::function<void()>(try_form) : nullptr};
    };
    const CycleProgress progress =
        progress_of(*this, division, expectation, {run.rounds, done, run.report.cycles});
    const auto [fabric, form] = fft::emulate(options_, too_late, progress, prepare);
    const auto results = of_round(std::span(run.output.data), done);
    if (options_.data && real)
      wsfft::gather_real(fabric, results, division, transform.numbers, direction,
                         program.output.address, options_.threads);
    else if (options_.data)
      wsfft::gather(fabric, results, division, transform.numbers, arrangements.back(),
                    program.output.address, options_.threads);
    run.transpose = form;
    add(run, fabric.report(), read_phases(fabric, program, division, direction));
  }
  run.report.time_us = static_cast<double>(run.report.cycles) * 1e3 / options_.machine.clock_khz;
  const auto numbers = static_cast<double>(shape_.size());
  run.tflops =
      (real ? 2.5 : 5) * options_.batch * numbers * std::log2(numbers) / run.report.time_us * 1e-6;
  return run;
}

double fft_error_bound(Shape3 shape, FftPrecision precision) noexcept {
  const bool may_be_digits = shape.n0 == 1 && shape.n1 == 1;  // two products by roots of unity
  const double levels = std::log2(static_cast<double>(shape.size())) + (may_be_digits ? 2 : 0);
  return precision == FftPrecision::fp16 ? (4.25 * levels + 8) * 0x1p-11 : 4e-7 * levels;
}

}  // namespace weft::inline v0
