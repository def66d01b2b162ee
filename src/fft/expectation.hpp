#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "fft/measurements.hpp"
#include "fft/wsfft/division.hpp"
#include "weft/fft.hpp"

namespace weft::fft {

/// Where an expectation comes from.
enum class Model {
  published,  ///< the paper's formulas, for its machine
  measured,   ///< supersteps and exchanges, run on the same machine
};

/// The paper's formulas for its machine: the cycles of a pencil, and of an exchange among p PEs
/// with messages of so many numbers.
double published_pencil(double n, FftPrecision precision);
double published_exchange(double p, double numbers, FftPrecision precision);

/// About how long a transform takes. Only what is reported of its progress, or before a run, comes
/// from here.
class Expectation {
 public:
  /// By the paper's formulas.
  static Expectation published(const wsfft::Division& division, FftPrecision precision,
                               FftDirection direction);
  /// By runs of a transform's parts. Throws what these throw.
  static Expectation measured(const wsfft::Division& division, FftDirection direction,
                              FftPencil pencil, FftTranspose form, Measurements& parts);

  explicit Expectation(std::vector<RunPhase> phases) : phases_(std::move(phases)) {}

  const std::vector<RunPhase>& phases() const { return phases_; }
  std::uint64_t cycles() const;

  /// How far a run has come when the clock shows `cycle`.
  FftExpectation at(std::uint64_t cycle) const;

 private:
  std::vector<RunPhase> phases_;
};

/// The model that is worth its time: small transforms are over before anyone reads more than the
/// published one, if that is for their pencils.
Model model_for(const wsfft::Division& division, FftPencil pencil,
                FftTranspose transpose = FftTranspose::automatic);

/// An expectation that is made when it is first asked for, and only then. Any thread may ask.
class ExpectationOnDemand {
 public:
  explicit ExpectationOnDemand(std::function<Expectation()> make) : make_(std::move(make)) {}

  /// Nothing if it could not be made; then it is not tried again.
  std::optional<FftExpectation> at(std::uint64_t cycle);

 private:
  std::function<Expectation()> make_;
  std::once_flag asked_;
  std::optional<Expectation> made_;
};

}  // namespace weft::fft
