#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "fft/wsfft/program.hpp"
#include "weft/fft.hpp"

namespace weft::fft {

/// About how long a transform takes. Only what is told of its progress comes from here.
class Expectation {
 public:
  /// Large transforms are told from two small ones on the same machine. Throws what these throw.
  Expectation(const wsfft::Division& division, FftPrecision precision, FftDirection direction,
              const Machine& machine);

  /// How far a run has come when the clock shows `cycle`.
  FftExpectation at(std::uint64_t cycle) const;

 private:
  std::vector<RunPhase> phases_;
};

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
