#include "fft/wsfft/round_trips.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <optional>
#include <utility>

#include "fft/emulation.hpp"
#include "fft/findings.hpp"
#include "fft/fitting.hpp"
#include "fft/parts.hpp"
#include "fft/planning.hpp"
#include "fft/traffic.hpp"
#include "fft/wsfft/placement.hpp"
#include "weft/error.hpp"

namespace weft::inline v0 {
namespace {

using wsfft::Division;

void check_trips(const FftPlan& plan, const Volume& input, int times, const Volume& symbol) {
  const Shape3& shape = plan.shape();
  if (shape.n0 != shape.n1 || shape.n1 != shape.n2 || shape.n3 != 1 || plan.options().batch != 1 ||
      plan.options().kind != FftKind::complex)
    throw Error(
        ErrorCategory::usage,
        fmt::format("no round trips for {} of shape {}",
                    plan.options().batch == 1 ? "an array" : "a batch", fft::shape_text(shape)),
        "one program goes there and back for a single cube of three axes of complex numbers only",
        "take one, or call forward and inverse in turn");
  if (times < 1)
    throw Error(ErrorCategory::usage, fmt::format("invalid count: {} round trips", times),
                "there is at least one", "give 1 or more");
  if (times > plan.options().machine.pe_memory_bytes / 4)
    throw Error(ErrorCategory::machine_profile,
                fmt::format("{} round trips exceed a PE's memory", times),
                fmt::format("each takes 4 bytes of a PE, pe_memory_bytes is {}",
                            plan.options().machine.pe_memory_bytes),
                "take fewer at a time");
  if (!plan.options().data) return;
  fft::check_input(input, shape);
  if (!symbol.data.empty()) fft::check_input(symbol, shape);
}

/// All that the host writes before the first cycle.
void write_all(Fabric& fabric, const wsfft::RoundTripsProgram& program,
               const wsfft::RoundTrips& trips, const FftOptions& options, const Volume& input,
               const Volume& symbol) {
  const Division& division = trips.division;
  for (const auto& [where, words] : wsfft::finish_words(program.finish, trips.form))
    fft::write_everywhere(fabric, division, where.address, words, options.threads);
  if (!options.data) return;
  for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse})
    fft::write_everywhere(
        fabric, division, program.twiddles[direction == FftDirection::forward ? 0 : 1].address,
        wsfft::algorithm_of(trips.pencil)
            .roots(trips.numbers, division.sides[0], direction, division.least_roots),
        options.threads);
  const auto arrangements = wsfft::arrangements_of(division, FftDirection::forward);
  const Rect all{0, 0, division.width(), division.height()};
  wsfft::scatter(fabric, {input.data, all, options.threads}, division, trips.numbers,
                 arrangements.front(), program.numbers.address);
  if (trips.product)
    wsfft::scatter(fabric, {symbol.data, all, options.threads}, division, trips.numbers,
                   arrangements.back(), program.symbol.address);
}

FftTrips read_all(const Fabric& fabric, const wsfft::RoundTripsProgram& program,
                  const wsfft::RoundTrips& trips, const FftPlan& plan) {
  const FftOptions& options = plan.options();
  FftTrips result;
  result.report = fabric.report();
  const auto ends = fft::stamps_of_last(fabric, program.stamps, trips.division,
                                        static_cast<std::size_t>(trips.times));
  result.cycles.assign(ends.begin(), ends.end());
  result.report.cycles = result.cycles.back();
  for (std::size_t k = result.cycles.size() - 1; k > 0; --k)
    result.cycles[k] -= result.cycles[k - 1];
  result.report.time_us =
      static_cast<double>(result.report.cycles) * 1e3 / options.machine.clock_khz;
  const int transforms = 2 * trips.times;
  fft::note_traffic(
      result.report,
      fft::traffic_of(
          {trips.division, trips.numbers, FftDirection::forward, {}, trips.form, trips.pencil},
          transforms));
  const auto n = static_cast<double>(trips.division.size());
  result.report.peak_share =
      fft::peak_share(transforms * 5 * n * std::log2(n), trips.division, plan.precision(),
                      options.machine, result.report.cycles);
  result.output.shape = plan.shape();
  if (!options.data) return result;
  result.output.data.resize(plan.shape().size());
  const Rect all{0, 0, trips.division.width(), trips.division.height()};
  wsfft::gather(fabric, {result.output.data, all, fft::threads_for_whole(options)}, trips.division,
                trips.numbers, wsfft::kSpace, program.numbers.address);
  return result;
}

CycleProgress progress_of(const OnFftProgress& report_progress, const Division& division) {
  if (!report_progress) return {};
  const std::uint64_t pes =
      static_cast<std::uint64_t>(division.px) * static_cast<std::uint64_t>(division.py);
  return [&report_progress, pes](std::uint64_t cycle) { report_progress({cycle, cycle * pes}); };
}

}  // namespace

FftTrips FftPlan::round_trips(const Volume& input, int times, const Volume& symbol,
                              const OnFftProgress& progress) const {
  fft::check_wsfft(*this, "round trips");
  if (found_->choice.division.in_place)
    throw Error(ErrorCategory::usage, "no round trips by butterflies",
                "they leave an axis in another order than they take it",
                "take transposes, or call forward and inverse in turn");
  if (options_.parts)
    throw Error(ErrorCategory::usage, "no round trips by parts",
                "each process gives and gets all of the array", "leave out the parts");
  check_trips(*this, input, times, symbol);
  const Division& division = found_->choice.division;
  const double n = division.sides[0];
  wsfft::RoundTrips trips{division,
                          wsfft::Numbers{precision_},
                          {fft::superstep_scale(n, options_.norm, FftDirection::forward),
                           fft::superstep_scale(n, options_.norm, FftDirection::inverse)},
                          times,
                          !symbol.data.empty(),
                          wsfft::Form::published_in_turn,
                          options_.pencil};
  std::atomic<bool>& too_late = found_->too_late[2];
  const CycleProgress cycle_progress = progress_of(progress, division);
  FftTrips result;
  for (const fft::Attempt& attempt : fft::attempts(options_.transpose, too_late)) {
    trips.form =
        attempt.form == wsfft::Form::published ? wsfft::Form::published_in_turn : attempt.form;
    wsfft::RoundTripsProgram program = wsfft::build_round_trips(trips);
    if (!trips.division.least_roots &&
        program.program.memory_bytes >
            static_cast<std::uint32_t>(options_.machine.pe_memory_bytes)) {
      trips.division.least_roots = true;  // a trip takes more than the transform of the plan
      program = wsfft::build_round_trips(trips);
    }
    fft::check_bytes(program.program.memory_bytes, division, options_.machine);
    const fft::Prepared prepared{wsfft::lay_out(program, trips), [&](Fabric& fabric) {
                                   write_all(fabric, program, trips, options_, input, symbol);
                                 }};
    std::optional<Fabric> fabric = fft::emulate(prepared, attempt, options_, cycle_progress);
    if (!fabric) {
      too_late = true;
      continue;
    }
    result = read_all(*fabric, program, trips, *this);
    result.report.profile = fft::take_profile(*std::move(fabric), options_);
    result.transpose = attempt.transpose;
    break;
  }
  return result;
}

}  // namespace weft::inline v0
