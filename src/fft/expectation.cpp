#include "fft/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <tuple>
#include <vector>

#include "fft/emulation.hpp"
#include "fft/own_forms.hpp"
#include "fft/wsfft/pencil.hpp"
#include "weft/error.hpp"
#include "weft/fabric.hpp"

namespace weft::fft {
namespace {

/// The cycles of an exchange among p PEs, with messages of m numbers: a m p^2 + b p.
struct ExchangeCycles {
  double a, b;
};

/// Chosen: transforms of fewer numbers are small.
constexpr std::int64_t kLeastLarge = std::int64_t{64} * 64 * 64;

ExchangeCycles exchange_fit(FftPrecision precision) {
  return {precision == FftPrecision::fp16 ? 0.5 : 1, 72};
}

/// Chosen: a small transform takes some 10^4 cycles. A machine on which it takes this many is no
/// reason to keep the large one waiting.
constexpr std::uint64_t kMostCycles = 1 << 20;

double transpose_cycles(std::size_t n, FftPrecision precision, const Machine& machine) {
  FftOptions options;
  options.machine = machine;
  options.engine = Engine::host;  // another run may have the device
  options.data = false;
  const auto give_up_late = [](const FftProgress& now) {
    if (now.cycle > kMostCycles)
      throw Error(ErrorCategory::machine_profile, "no estimate for this machine",
                  fmt::format("a small transform takes more than {} cycles on it", kMostCycles),
                  "run without data to count the cycles");
  };
  const Shape3 shape{n, n, n};
  const FftRun run = FftPlan(shape, precision, std::move(options))
                         .run({shape, {}}, FftDirection::forward, give_up_late);
  return static_cast<double>(run.communication_cycles) / 2;
}

/// From transforms of 8^3 and 16^3. Their streams are so short that they hide behind turns in part:
/// longer ones take no less than the published a, as a link passes at most one wavelet in a cycle,
/// and less where all links rest. (Dies and crowds that only a larger mesh has are not foreseen.)
ExchangeCycles small_exchanges(FftPrecision precision, const Machine& machine) {
  const double at_8 = transpose_cycles(8, precision, machine),
               at_16 = transpose_cycles(16, precision, machine);
  const bool all_rest = machine.link_busy_cycles > 0 && machine.die_width == 0 &&
                        machine.die_height == 0 && machine.crowd_wavelets == 0;
  const double slower = all_rest ? 1 + 1.0 / machine.link_busy_cycles : 1;
  const double a = std::max((at_16 - 2 * at_8) / 128, exchange_fit(precision).a * slower);
  return {a, at_16 / 16 - 16 * a};
}

/// By axis, PEs and numbers of a message.
using LineCycles = std::map<std::tuple<wsfft::Axis, int, int>, double>;

wsfft::Transform transform_of(const wsfft::Division& division, FftPrecision precision,
                              FftDirection direction, FftPencil pencil) {
  return {division,
          {precision},
          direction,
          superstep_scales(division, FftNorm::backward, direction),
          wsfft::Form::published,
          pencil};
}

/// The cycles of a superstep in one PE, without data: all its pencils, and what stands between them
/// and the exchanges (products by roots of unity, separations of real pencils and the like).
double superstep_cycles(const wsfft::Transform& t, int superstep, const Machine& machine) {
  const wsfft::TransformProgram program = wsfft::build_superstep(t, superstep);
  const Rect pe{0, 0, 1, 1};
  Layout layout(1, 1);
  layout.place(pe, program.program);
  FabricOptions options;
  options.data = false;
  options.engine = Engine::host;  // another run may have the device
  Fabric fabric(layout, machine, options);
  fabric.run_until_idle(kCycleLimit);
  std::vector<std::uint32_t> stamps(wsfft::kStamps);
  fabric.read(pe, program.stamps.address, stamps);
  const auto end = 2 * static_cast<std::size_t>(superstep);
  return stamps[end] - (superstep > 0 ? stamps[end - 1] : 0);
}

}  // namespace

double published_pencil(double n, FftPrecision precision) {
  const double levels = std::log2(n);
  return precision == FftPrecision::fp16 ? 3 * n * levels + 34 * n + 34 * levels
                                         : 6.5 * n * levels + 35 * n + 36 * levels;
}

double published_exchange(double p, double numbers, FftPrecision precision) {
  const auto [a, b] = exchange_fit(precision);
  return a * numbers * p * p + b * p;
}

Expectation::Expectation(const wsfft::Division& division, FftPrecision precision,
                         FftDirection direction, const Machine& machine, FftPencil pencil,
                         Model model, FftTranspose transpose)
    : phases_(wsfft::phases(division, direction)) {
  const bool measured = model == Model::measured;
  const bool exchanges = division.px * division.py > 1;  // a machine may have none that works
  const OwnForm* own = measured && exchanges ? own_form(transpose) : nullptr;
  const auto [a, b] = measured && exchanges && own == nullptr ? small_exchanges(precision, machine)
                                                              : exchange_fit(precision);
  LineCycles lines;
  const wsfft::Transform transform = transform_of(division, precision, direction, pencil);
  const int longest = wsfft::algorithm_of(pencil).longest(precision);
  const std::vector<wsfft::Axis> order = wsfft::exchanges_of(division, direction);
  const std::vector<wsfft::Arrangement> arrangements = wsfft::arrangements_of(division, direction);
  for (std::size_t phase = 0; phase < phases_.size(); ++phase) {
    double cycles = 0;
    if (phases_[phase].communication) {
      const wsfft::Axis axis = order[phase / 2];
      const int p = division.along(axis);
      const int numbers = wsfft::blocks_of(division, arrangements[phase / 2], axis).numbers();
      if (own != nullptr && p > 1) {
        double& line = lines[{axis, p, numbers}];
        if (line == 0) line = own->cycles(axis, p, numbers, precision, machine);
        cycles = line;
      } else {
        cycles = a * numbers * p * p + b * p;
      }
    } else {
      const auto passes = wsfft::passes_of(division, arrangements[phase / 2], direction);
      const auto is_known = [&](const wsfft::Pencils& pass) { return pass.n <= longest; };
      if (measured && std::ranges::all_of(passes, is_known))
        cycles = superstep_cycles(transform, static_cast<int>(phase / 2), machine);
      else
        for (const wsfft::Pencils& pass : passes)
          if (pass.n > 1) cycles += published_pencil(pass.n, precision) * pass.count;
    }
    phases_[phase].cycles = static_cast<std::uint64_t>(std::max(cycles, 1.0));
  }
}

std::uint64_t Expectation::cycles() const {
  std::uint64_t sum = 0;
  for (const RunPhase& phase : phases_) sum += phase.cycles;
  return sum;
}

std::uint64_t compute_cycles(const wsfft::Division& division, FftPrecision precision,
                             FftDirection direction, const Machine& machine, FftPencil pencil) {
  const wsfft::Transform transform = transform_of(division, precision, direction, pencil);
  const std::size_t supersteps = wsfft::arrangements_of(division, direction).size();
  double sum = 0;
  for (std::size_t superstep = 0; superstep < supersteps; ++superstep)
    sum += superstep_cycles(transform, static_cast<int>(superstep), machine);
  return static_cast<std::uint64_t>(sum);
}

Model model_for(const wsfft::Division& division, FftPencil pencil, FftTranspose transpose) {
  const bool is_published = pencil == FftPencil::radix2 && own_form(transpose) == nullptr;
  return division.size() >= kLeastLarge || !is_published ? Model::measured : Model::published;
}

FftExpectation Expectation::at(std::uint64_t cycle) const {
  FftExpectation expectation;
  std::uint64_t end = 0;
  for (const RunPhase& phase : phases_) {
    if (cycle >= end) expectation.phase = phase.name;
    end += phase.cycles;
  }
  expectation.cycles = std::max(end, cycle);
  expectation.fraction = static_cast<double>(cycle) / static_cast<double>(expectation.cycles);
  return expectation;
}

std::optional<FftExpectation> ExpectationOnDemand::at(std::uint64_t cycle) {
  std::call_once(asked_, [this] {
    try {
      made_.emplace(make_());
    } catch (const std::exception&) {
      // A failure here only costs information: the caller goes on without.
    }
  });
  if (!made_) return {};
  return made_->at(cycle);
}

}  // namespace weft::fft
