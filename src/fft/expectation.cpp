#include "fft/expectation.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace weft::fft {
namespace {

struct Cycles {
  double pencil, transpose;
};

/// The published model; transforms of less than this side are over before anyone reads more of it.
constexpr std::size_t kLeastLarge = 64;

Cycles published(double n, Precision precision) {
  const double levels = std::log2(n);
  if (precision == Precision::fp16)
    return {3 * n * levels + 34 * n + 34 * levels, n * n / 2 + 72 * n};
  return {6.5 * n * levels + 35 * n + 36 * levels, n * n + 72 * n};
}

double transpose_cycles(std::size_t n, Precision precision, const Machine& machine) {
  const FftPlan plan({n, n, n}, precision, {.machine = machine});
  const FftRun run = plan.forward({{n, n, n}, std::vector<std::complex<float>>(n * n * n)});
  return static_cast<double>(run.cycles.communication) / 2;
}

/// A transpose takes a n^2 + b n cycles: a is found from transforms of 8^3 and 16^3, and so is b.
Cycles extrapolated(std::size_t n, Precision precision, Direction direction,
                    const Machine& machine) {
  std::vector<std::complex<float>> pencil(n);
  const std::uint64_t alone = run_pencil(pencil, precision, direction, machine);
  const double at_8 = transpose_cycles(8, precision, machine),
               at_16 = transpose_cycles(16, precision, machine);
  const double a = (at_16 - 2 * at_8) / 128, b = at_8 / 8 - 8 * a;
  const auto side = static_cast<double>(n);
  return {static_cast<double>(alone), a * side * side + b * side};
}

}  // namespace

Expectation::Expectation(std::size_t n, Precision precision, Direction direction,
                         const Machine& machine)
    : pes_(n * n), phases_(wsfft::phases(direction)) {
  const Cycles cycles = n < kLeastLarge ? published(static_cast<double>(n), precision)
                                        : extrapolated(n, precision, direction, machine);
  for (FftPhase& phase : phases_) {
    const double share = phase.communication ? cycles.transpose : cycles.pencil;
    phase.cycles = static_cast<std::uint64_t>(std::max(share, 1.0));
  }
}

FftProgress Expectation::at(std::uint64_t cycle) const {
  FftProgress progress;
  std::uint64_t end = 0;
  for (const FftPhase& phase : phases_) {
    if (cycle >= end) progress.phase = phase.name;
    end += phase.cycles;
  }
  progress.cycle = cycle;
  progress.expected_cycles = std::max(end, cycle);
  progress.fraction = static_cast<double>(cycle) / static_cast<double>(progress.expected_cycles);
  progress.pe_cycles = cycle * pes_;
  return progress;
}

}  // namespace weft::fft
