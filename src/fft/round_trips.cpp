#include "fft/wsfft/round_trips.hpp"

#include <fmt/format.h>

#include "fft/emulation.hpp"
#include "fft/fitting.hpp"
#include "fft/planning.hpp"
#include "fft/wsfft/placement.hpp"
#include "weft/error.hpp"

namespace weft::inline v0 {
namespace {

using wsfft::Division;

void check_trips(const FftPlan& plan, const Volume& input, int times, const Volume& symbol) {
  const Shape3& shape = plan.shape();
  if (shape.n0 != shape.n1 || shape.n1 != shape.n2 || plan.options().batch != 1 ||
      plan.options().kind != FftKind::complex)
    throw Error(ErrorCategory::usage,
                fmt::format("no round trips for {} of shape {},{},{}",
                            plan.options().batch == 1 ? "an array" : "a batch", shape.n0, shape.n1,
                            shape.n2),
                "one program goes there and back for a single cube of complex numbers only",
                "take one, or call forward and inverse in turn");
  if (times < 1)
    throw Error(ErrorCategory::usage, fmt::format("invalid count: {} round trips", times),
                "there is at least one", "give 1 or more");
  if (times > plan.options().machine.pe_memory_bytes / 4)
    throw Error(ErrorCategory::machine_profile, fmt::format("{} round trips do not fit", times),
                fmt::format("each takes 4 bytes of a PE, pe_memory_bytes is {}",
                            plan.options().machine.pe_memory_bytes),
                "take fewer at a time");
  if (!plan.options().data) return;
  fft::check_input(input, shape);
  if (!symbol.data.empty()) fft::check_input(symbol, shape);
}

}  // namespace

FftTrips FftPlan::round_trips(const Volume& input, int times, const Volume& symbol) const {
  check_trips(*this, input, times, symbol);
  const Division division = fft::division_of(shape_, precision_, options_);
  const wsfft::Numbers numbers{precision_};
  const double n = division.sides[0];
  wsfft::RoundTrips trips{division,
                          numbers,
                          {fft::superstep_scale(n, options_.norm, FftDirection::forward),
                           fft::superstep_scale(n, options_.norm, FftDirection::inverse)},
                          times,
                          !symbol.data.empty(),
                          wsfft::Form::published_in_turn,
                          options_.pencil};
  wsfft::RoundTripsProgram program;
  const auto prepare = [&](wsfft::Form form) -> fft::Prepared {
    trips.form =
        form == wsfft::Form::published ? wsfft::Form::published_in_turn : wsfft::Form::interlocked;
    program = wsfft::build_round_trips(trips);
    fft::check_bytes(program.program.memory_bytes, division, options_.machine);
    const auto write = [&](Fabric& fabric) {
      for (const auto& [where, words] : wsfft::finish_words(program.finish, trips.form))
        fft::write_everywhere(fabric, division, where.address, words, options_.threads);
      if (!options_.data) return;
      for (const FftDirection direction : {FftDirection::forward, FftDirection::inverse})
        fft::write_everywhere(
            fabric, division, program.twiddles[direction == FftDirection::forward ? 0 : 1].address,
            wsfft::algorithm_of(options_.pencil).roots(numbers, division.sides[0], direction),
            options_.threads);
      const auto arrangements = wsfft::arrangements_of(division, FftDirection::forward);
      wsfft::scatter(fabric, input.data, division, numbers, arrangements.front(),
                     program.numbers.address, options_.threads);
      if (trips.product)
        wsfft::scatter(fabric, symbol.data, division, numbers, arrangements.back(),
                       program.symbol.address, options_.threads);
    };
    return {wsfft::lay_out(program, trips), write};
  };
  const auto& tell = options_.progress;
  const CycleProgress progress = tell ? CycleProgress([&](std::uint64_t cycle) {
    tell({cycle, cycle * static_cast<std::uint64_t>(division.px) *
                     static_cast<std::uint64_t>(division.py)});
  })
                                      : CycleProgress();
  const auto [fabric, form] = fft::emulate(options_, (*too_late_)[2], progress, prepare);

  FftTrips result;
  result.transpose = form;
  result.report = fabric.report();
  const auto ends =
      fft::stamps_of_last(fabric, program.stamps, division, static_cast<std::size_t>(times));
  result.cycles.assign(ends.begin(), ends.end());
  result.report.cycles = result.cycles.back();
  for (std::size_t k = result.cycles.size() - 1; k > 0; --k)
    result.cycles[k] -= result.cycles[k - 1];
  result.report.time_us =
      static_cast<double>(result.report.cycles) * 1e3 / options_.machine.clock_khz;
  result.output.shape = shape_;
  if (!options_.data) return result;
  result.output.data.resize(shape_.size());
  wsfft::gather(fabric, result.output.data, division, numbers, wsfft::kSpace,
                program.numbers.address, options_.threads);
  return result;
}

}  // namespace weft::inline v0
