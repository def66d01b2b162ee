#include "evaluation/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include "evaluation/blocks.hpp"
#include "evaluation/word.hpp"
#include "fft/algorithm.hpp"
#include "fft/pencil_run.hpp"
#include "weft/deadlock.hpp"
#include "weft/error.hpp"

namespace weft::evaluation {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void set(Machine& machine, const Setting& setting) {
  const auto found =
      std::ranges::find(machine_constants(), setting.constant, &MachineConstant::name);
  if (found == machine_constants().end())
    throw Error(ErrorCategory::emulator, fmt::format("no constant '{}'", setting.constant),
                "a run sets it", "report this");
  machine.*(found->member) = setting.value;
}

Outcome measure_pencil(const Run& run, const Machine& machine) {
  const auto start = std::chrono::steady_clock::now();
  const fft::PencilMeasure pencil =
      fft::measure_pencil(run.pencil, run.precision, static_cast<int>(run.shape.n2), machine);
  return {.cycles = pencil.cycles,
          .compute = pencil.cycles,
          .pe_bytes = std::uint64_t{pencil.pencil_bytes} + pencil.aux_bytes + pencil.root_bytes +
                      pencil.program_bytes,
          .error = pencil.error,
          .seconds = seconds_since(start)};
}

Outcome measure_transpose(const Run& run, const Machine& machine, int threads) {
  const auto start = std::chrono::steady_clock::now();
  Outcome outcome;
  try {
    const transposes::TransposeCost cost =
        transposes::measure_transpose(run.transpose, static_cast<int>(run.shape.n2), run.precision,
                                      machine, Engine::host, threads);
    outcome = {.cycles = cost.cycles,
               .communication = cost.cycles,
               .wavelets = cost.counters.wavelets,
               .hops = cost.counters.hops,
               .router_writes = cost.router_write_cycles,
               .colors = cost.colors,
               .filters = cost.filters};
  } catch (const DeadlockError&) {  // on some machines the published form sets a filter too late
  }
  outcome.seconds = seconds_since(start);
  return outcome;
}

FftOptions options_of(const Run& run, const Machine& machine) {
  FftOptions options;
  options.machine = machine;
  options.mesh = run.mesh;
  if (run.algorithm == FftAlgorithm::wsfft) options.pencil = run.pencil;
  options.transpose = run.form;
  options.algorithm = run.algorithm;
  options.s3dft_form = run.s3dft_form;
  options.engine = Engine::host;
  options.data = false;
  return options;
}

/// Of each PE's memory, of all that the run needs.
std::uint32_t bytes_of(const Run& run, FftOptions options) {
  return fft::algorithm_of(run.algorithm).choose(run.shape, run.precision, options).memory.bytes;
}

void raise_memory(Machine& machine) {
  machine.pe_memory_bytes =
      std::ranges::find(machine_constants(), "pe_memory_bytes", &MachineConstant::name)->high;
}

Outcome measure_trips(const FftPlan& plan, const OnFftProgress& progress) {
  const auto start = std::chrono::steady_clock::now();
  const FftTrips trips = plan.round_trips({plan.shape(), {}}, kTrips, {}, progress);
  Outcome outcome;
  outcome.cycles = trips.report.cycles;
  outcome.wavelets = trips.report.counters.wavelets;
  outcome.hops = trips.report.counters.hops;
  outcome.least = std::ranges::min(trips.cycles);
  outcome.most = std::ranges::max(trips.cycles);
  outcome.seconds = seconds_since(start);
  return outcome;
}

}  // namespace

Machine machine_with(const Setting& setting) {
  Machine machine;
  set(machine, setting);
  return machine;
}

std::string key_of(const Run& run) {
  const std::string_view precision = to_string(run.precision), direction = to_string(run.direction);
  const std::string pencil =
      run.pencil == FftPencil::radix2 ? "" : fmt::format(" by {}", to_string(run.pencil));
  const std::string algorithm =
      run.algorithm == FftAlgorithm::wsfft
          ? ""
          : fmt::format(" by {}, {}", to_string(run.algorithm), to_string(run.s3dft_form));
  const std::string form = run.form == FftTranspose::automatic
                               ? ""
                               : fmt::format(", transposes {}", to_string(run.form));
  std::string machine =
      fmt::format("{}{}{}", run.more_memory ? " with more memory" : "",
                  run.deep_queues ? " with deep queues" : "",
                  run.raised.empty() ? "" : fmt::format(" with {} + 1", run.raised));
  std::string_view before = " with ";
  for (const Setting& one : run.settings) {
    machine += fmt::format("{}{} {}", before, one.constant, one.value);
    before = ", ";
  }
  switch (run.kind) {
    case Run::Kind::transpose:
      return fmt::format("transpose {} {} by {}{}", run.shape.n2, precision,
                         transposes::to_string(run.transpose), machine);
    case Run::Kind::pencil:
      return fmt::format("pencil {} {} {}{}{}", run.shape.n2, precision, direction, pencil,
                         machine);
    case Run::Kind::word:
      return "word" + machine;
    case Run::Kind::block:
      return fmt::format("{} of {}^3 {}{}{}", to_string(run.block.work), run.block.b,
                         to_string(run.block.precision),
                         run.block.ring > 1
                             ? fmt::format(" by {} of {} places", run.block.places, run.block.ring)
                             : "",
                         machine);
    case Run::Kind::transform:
    case Run::Kind::trips:
      break;
  }
  const std::string what =
      run.kind == Run::Kind::trips ? fmt::format("{} round trips", kTrips) : "transform";
  const std::string fourth = run.shape.n3 == 1 ? "" : fmt::format(",{}", run.shape.n3);
  return fmt::format("{} {},{},{}{} on {},{} {} {}{}{}{}{}", what, run.shape.n0, run.shape.n1,
                     run.shape.n2, fourth, run.mesh.x, run.mesh.y, precision, direction, algorithm,
                     pencil, form, machine);
}

std::optional<std::uint32_t> pe_bytes_of(const Run& run, Machine machine, bool whole) {
  for (const Setting& one : run.settings) set(machine, one);
  if (whole) raise_memory(machine);
  try {
    return bytes_of(run, options_of(run, machine));
  } catch (const Error& error) {
    if (error.category() != ErrorCategory::machine_profile) throw;
    return {};
  }
}

double work_of(const Run& run) {
  // Chosen after the times of two cores of an AMD EPYC.
  constexpr double kPencil = 4000, kTranspose = 50;
  const auto numbers = static_cast<double>(run.shape.size());
  if (run.kind == Run::Kind::pencil) return kPencil * numbers;
  if (run.kind == Run::Kind::word) return kPencil;
  if (run.kind == Run::Kind::block) return kPencil * std::pow(run.block.b, 4) / 100;
  if (run.kind == Run::Kind::transpose) return kTranspose * numbers * numbers * numbers;
  const auto sets = [&](std::string_view constant) {
    return std::ranges::any_of(
        run.settings, [&](const Setting& setting) { return setting.constant == constant; });
  };
  const auto times = [&](double in_fp16, double in_fp32) {
    const double one = numbers * (std::max(run.mesh.x, run.mesh.y) + 64);
    return (run.precision == FftPrecision::fp16 ? in_fp16 : in_fp32) * one;
  };
  if (run.algorithm == FftAlgorithm::s3dft)
    return 50 * numbers * static_cast<double>(run.shape.n0 + run.shape.n1 + run.shape.n2) / 3;
  if (run.kind == Run::Kind::trips) return 2 * kTrips * times(14, 8);
  if (sets("crowd_wavelets")) return times(14, 24);  // not by line
  if (sets("link_busy_cycles")) return times(4, 6);  // lines that are not alike
  return times(2, 1);
}

Outcome measure(const Run& run, const Machine& as_it_is, int threads,
                const OnFftProgress& progress) {
  Machine machine = as_it_is;
  for (const Setting& one : run.settings) set(machine, one);
  for (const MachineConstant& constant : machine_constants()) {
    if (constant.name == run.raised) ++(machine.*constant.member);
    if (run.deep_queues && constant.name.ends_with("_depth"))
      machine.*constant.member = constant.high;
  }
  if (run.kind == Run::Kind::pencil) return measure_pencil(run, machine);
  if (run.kind == Run::Kind::transpose) return measure_transpose(run, machine, threads);
  if (run.kind == Run::Kind::block) return {.cycles = cycles_of_block(run.block, machine)};
  if (run.kind == Run::Kind::word) return {.cycles = cycles_of_word(machine)};
  FftOptions options = options_of(run, machine);
  if (run.more_memory) raise_memory(options.machine);
  const std::uint32_t bytes = bytes_of(run, options);
  if (run.more_memory)
    options.machine.pe_memory_bytes = std::max(machine.pe_memory_bytes, static_cast<int>(bytes));
  options.threads = threads;
  const FftPlan plan(run.shape, run.precision, std::move(options));
  if (run.kind == Run::Kind::trips) return measure_trips(plan, progress);
  FftRun done;
  try {
    done = plan.run({plan.input_shape(run.direction), {}}, run.direction, progress);
  } catch (const DeadlockError&) {  // on some machines the published form sets a filter too late
    if (run.form != FftTranspose::published) throw;
  }
  std::vector<std::uint64_t> phases;
  for (const RunPhase& phase : done.report.phases) phases.push_back(phase.cycles);
  return {.cycles = done.report.cycles,
          .compute = done.compute_cycles,
          .communication = done.communication_cycles,
          .phases = std::move(phases),
          .wavelets = done.report.counters.wavelets,
          .hops = done.report.counters.hops,
          .busiest_link = done.report.busiest_link.value_or(0),
          .pe_bytes = bytes,
          .seconds = done.report.wall_seconds};
}

}  // namespace weft::evaluation
