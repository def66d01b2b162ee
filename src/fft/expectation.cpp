#include "fft/expectation.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <vector>

namespace weft::fft {
namespace {

struct Cycles {
  double pencil, transpose;
};

/// The published model; transforms of less than this side are over before anyone reads more of it.
constexpr std::size_t kLeastLarge = 64;

Cycles published(double n, FftPrecision precision) {
  const double levels = std::log2(n);
  if (precision == FftPrecision::fp16)
    return {3 * n * levels + 34 * n + 34 * levels, n * n / 2 + 72 * n};
  return {6.5 * n * levels + 35 * n + 36 * levels, n * n + 72 * n};
}

/// Chosen: a small transform takes some 10^4 cycles. A machine on which it takes this many is no
/// reason to keep the large one waiting.
constexpr std::uint64_t kMostCycles = 1 << 20;

struct TakesTooLong : std::exception {};

double transpose_cycles(std::size_t n, FftPrecision precision, const Machine& machine) {
  FftOptions options;
  options.machine = machine;
  options.engine = Engine::host;  // another run may have the device
  options.data = false;
  options.progress = [](const FftProgress& now) {
    if (now.cycle > kMostCycles) throw TakesTooLong();
  };
  const Shape3 shape{n, n, n};
  const FftRun run = FftPlan(shape, precision, std::move(options)).forward({shape, {}});
  return static_cast<double>(run.communication_cycles) / 2;
}

/// A transpose takes a n^2 + b n cycles: a is found from transforms of 8^3 and 16^3, and so is b.
Cycles extrapolated(std::size_t n, FftPrecision precision, FftDirection direction,
                    const Machine& machine) {
  std::vector<std::complex<float>> pencil(n);
  const std::uint64_t alone = run_fft_pencil(pencil, precision, direction, machine);
  const double at_8 = transpose_cycles(8, precision, machine),
               at_16 = transpose_cycles(16, precision, machine);
  const double a = (at_16 - 2 * at_8) / 128, b = at_8 / 8 - 8 * a;
  const auto side = static_cast<double>(n);
  return {static_cast<double>(alone), a * side * side + b * side};
}

}  // namespace

Expectation::Expectation(std::size_t n, FftPrecision precision, FftDirection direction,
                         const Machine& machine)
    : phases_(wsfft::phases(direction)) {
  const Cycles cycles = n < kLeastLarge ? published(static_cast<double>(n), precision)
                                        : extrapolated(n, precision, direction, machine);
  for (RunPhase& phase : phases_) {
    const double share = phase.communication ? cycles.transpose : cycles.pencil;
    phase.cycles = static_cast<std::uint64_t>(std::max(share, 1.0));
  }
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
