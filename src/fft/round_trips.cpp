#include "fft/wsfft/round_trips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "fft/emulation.hpp"
#include "fft/planning.hpp"
#include "fft/wsfft/placement.hpp"
#include "weft/error.hpp"

namespace weft::inline v0 {
namespace {

using wsfft::Division;

void check_trips(const FftPlan& plan, const Volume& input, int times, const Volume& symbol) {
  const Shape3& shape = plan.shape();
  if (shape.n0 != shape.n1 || shape.n1 != shape.n2 || plan.options().batch != 1)
    throw Error(ErrorCategory::usage,
                fmt::format("no round trips for {} of shape {},{},{}",
                            plan.options().batch == 1 ? "an array" : "a batch", shape.n0, shape.n1,
                            shape.n2),
                "one program goes there and back for a single cube only",
                "take one, or call forward and inverse in turn");
  if (times < 1)
    throw Error(ErrorCategory::usage, fmt::format("{} round trips cannot be", times),
                "there is at least one", "give 1 or more");
  if (times > plan.options().machine.pe_memory_bytes / 4)
    throw Error(ErrorCategory::machine_profile, fmt::format("{} round trips do not fit", times),
                fmt::format("each takes 4 bytes of a PE, pe_memory_bytes is {}",
                            plan.options().machine.pe_memory_bytes),
                "take fewer at a time");
  if (!plan.options().data) return;
  const auto fits = [&](const Volume& v) {
    return v.shape == shape && v.data.size() == shape.size();
  };
  if (!fits(input) || (!symbol.data.empty() && !fits(symbol)))
    throw Error(ErrorCategory::usage,
                fits(input) ? "this symbol cannot be multiplied with"
                            : "this input cannot be "
                              "transformed",
                fmt::format("the plan is for {},{},{}", shape.n0, shape.n1, shape.n2),
                "give an array of the plan's shape");
}

/// The clock at the end of each trip, in the PE that ended last.
std::vector<std::uint64_t> ends_of(const Fabric& fabric, const wsfft::RoundTripsProgram& program,
                                   const Division& division, int times) {
  const Rect all{0, 0, division.px, division.py};
  const auto count = static_cast<std::size_t>(times);
  std::vector<std::uint32_t> stamps(static_cast<std::size_t>(all.width) *
                                    static_cast<std::size_t>(all.height) * count);
  fabric.read(all, program.stamps.address, stamps);
  const std::uint32_t* last = stamps.data();
  for (std::size_t pe = 0; pe < stamps.size(); pe += count)
    if (stamps[pe + count - 1] > last[count - 1]) last = stamps.data() + pe;
  return {last, last + count};
}

}  // namespace

FftTrips FftPlan::round_trips(const Volume& input, int times, const Volume& symbol) const {
  check_trips(*this, input, times, symbol);
  const Division division = fft::division_of(shape_, options_.mesh, options_.batch);
  const wsfft::Numbers numbers{precision_};
  const double n = division.sides[0];
  wsfft::RoundTrips trips{division,
                          numbers,
                          {fft::superstep_scale(n, options_.norm, FftDirection::forward),
                           fft::superstep_scale(n, options_.norm, FftDirection::inverse)},
                          times,
                          !symbol.data.empty()};
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
            wsfft::twiddle_table(numbers, division.sides[0], direction), options_.threads);
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
  result.cycles = ends_of(fabric, program, division, times);
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
