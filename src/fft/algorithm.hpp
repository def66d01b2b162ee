#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fft/division/way.hpp"
#include "fft/emulation.hpp"
#include "fft/expectation.hpp"
#include "fft/fitting.hpp"
#include "fft/parts.hpp"
#include "fft/traffic.hpp"
#include "fft/wsfft/division.hpp"
#include "weft/fabric.hpp"
#include "weft/fft.hpp"

namespace weft::fft {

/// What an algorithm chooses for a plan.
struct Choice {
  wsfft::Division division;
  PeMemory memory;  ///< that a PE takes, in the direction that takes most
  /// How the array lies on the PEs, in words.
  std::function<std::string(FftDirection)> describe;
  std::optional<PeBytes> bytes{};  ///< of wsFFT: what its programs take
};

/// A transform of the arrays of one round.
struct Job {
  wsfft::Division division;
  FftPrecision precision;
  FftDirection direction;
  FftOptions options;
};

/// A program with its routes, and all that the host does with it.
struct Written {
  Layout layout;
  std::function<void(Fabric&)> write_constants;
  /// Arrays into the PEs' numbers, and back, in natural order.
  std::function<void(Fabric&, const GivenArrays&)> scatter;
  std::function<void(const Fabric&, const TakenArrays&)> gather;
  MemorySpan stamps;             ///< the clock at the end of each phase, low 32 bits
  std::vector<RunPhase> phases;  ///< without cycles
  Traffic traffic;
  std::function<void()> try_form{};  ///< Prepared::try_form
  std::uint32_t root_bytes = 0;      ///< of a PE: tables of roots of unity, or of coefficients
};

/// An algorithm for transforms, as plans take it.
struct Algorithm {
  FftAlgorithm algorithm;
  /// Why it has no arrays of a shape.
  std::optional<WrongShape> (*wrong_shape)(const Shape3& shape, FftKind kind);
  /// Divides the arrays of a plan, and puts its choice in the place of `fastest` options. Throws as
  /// the constructor of FftPlan.
  Choice (*choose)(const Shape3& shape, FftPrecision precision, FftOptions& options);
  /// The forms of the program that a run tries in turn; `too_late`: a run has found that the first
  /// one does not end on this machine.
  std::vector<Attempt> (*attempts)(const FftOptions& options, bool too_late);
  Written (*write)(const Job& job, const Attempt& attempt);
  Expectation (*expect)(const Job& job, Model model);
  Model (*model_for)(const Job& job);  ///< that is worth its time while a run goes on
  double (*error_bound)(const Shape3& shape, FftPrecision precision, FftPencil pencil);
};

extern const Algorithm kWsfft, kS3dft;

const Algorithm& algorithm_of(FftAlgorithm algorithm);

}  // namespace weft::fft
