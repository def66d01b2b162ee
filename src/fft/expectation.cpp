#include "fft/expectation.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <vector>

#include "fft/own_forms.hpp"

namespace weft::fft {
namespace {

/// Chosen: transforms of fewer numbers are small.
constexpr std::int64_t kLeastLarge = std::int64_t{64} * 64 * 64;

/// By the paper's formulas.
double published_superstep(const wsfft::Division& division, const wsfft::Arrangement& arrangement,
                           FftPrecision precision, FftDirection direction) {
  double cycles = 0;
  for (const wsfft::Pencils& pass : wsfft::passes_of(division, arrangement, direction))
    if (pass.n > 1) cycles += published_pencil(pass.n, precision) * pass.count;
  return cycles;
}

/// The phases of a transform, with the cycles that `superstep` and `exchange` give by number.
template <class Superstep, class Exchange>
std::vector<RunPhase> phases_with(const wsfft::Division& division, FftDirection direction,
                                  Superstep superstep, Exchange exchange) {
  std::vector<RunPhase> phases = wsfft::phases(division, direction);
  for (std::size_t k = 0; k < phases.size(); ++k) {
    const double cycles = phases[k].communication ? exchange(k / 2) : superstep(k / 2);
    phases[k].cycles = static_cast<std::uint64_t>(std::max(cycles, 1.0));
  }
  return phases;
}

}  // namespace

double published_pencil(double n, FftPrecision precision) {
  const double levels = std::log2(n);
  return precision == FftPrecision::fp16 ? 3 * n * levels + 34 * n + 34 * levels
                                         : 6.5 * n * levels + 35 * n + 36 * levels;
}

double published_exchange(double p, double numbers, FftPrecision precision) {
  return (precision == FftPrecision::fp16 ? 0.5 : 1) * numbers * p * p + 72 * p;
}

Expectation Expectation::published(const wsfft::Division& division, FftPrecision precision,
                                   FftDirection direction) {
  const std::vector<wsfft::Axis> order = wsfft::exchanges_of(division, direction);
  const std::vector<wsfft::Arrangement> arrangements = wsfft::arrangements_of(division, direction);
  const auto exchange = [&](std::size_t k) {
    const int numbers = wsfft::blocks_of(division, arrangements[k], order[k]).numbers();
    return published_exchange(division.along(order[k]), numbers, precision);
  };
  const auto superstep = [&](std::size_t k) {
    return published_superstep(division, arrangements[k], precision, direction);
  };
  return Expectation(phases_with(division, direction, superstep, exchange));
}

Expectation Expectation::measured(const wsfft::Division& division, FftDirection direction,
                                  FftPencil pencil, FftTranspose form, Measurements& parts) {
  return Expectation(phases_with(
      division, direction,
      [&](std::size_t k) {
        return parts.superstep(division, direction, pencil, static_cast<int>(k));
      },
      [&](std::size_t k) {
        return parts.exchange(division, direction, form, static_cast<int>(k));
      }));
}

std::uint64_t Expectation::cycles() const {
  std::uint64_t sum = 0;
  for (const RunPhase& phase : phases_) sum += phase.cycles;
  return sum;
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
