#pragma once

#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "fft/line_run.hpp"
#include "fft/wsfft/program.hpp"
#include "weft/fft.hpp"
#include "weft/machine.hpp"

namespace weft::fft {

/// The cycles of parts of transforms on a machine, each run once.
class Measurements {
 public:
  Measurements(const Machine& machine, FftPrecision precision, FftNorm norm)
      : machine_(machine), precision_(precision), norm_(norm) {}

  /// A superstep in one PE, without data: all its pencils, and what stands between them and the
  /// exchanges (products by roots of unity, separations of real pencils and the like).
  double superstep(const wsfft::Division& division, FftDirection direction, FftPencil pencil,
                   int superstep);

  /// All supersteps.
  double supersteps(const wsfft::Division& division, FftDirection direction, FftPencil pencil);

  /// The exchange after the superstep number `superstep`. Throws as cycles_on_a_line.
  double exchange(const wsfft::Division& division, FftDirection direction, FftTranspose form,
                  int superstep);

  /// All supersteps, and in exchanges the streams alone: a transform takes no fewer cycles.
  double least(const wsfft::Division& division, FftDirection direction, FftPencil pencil,
               FftTranspose form);

 private:
  LineExchange line_of(const wsfft::Division& division, FftDirection direction,
                       int superstep) const;

  using SuperstepKey = std::tuple<FftPencil, FftDirection, int, std::array<int, 3>, int, int, int,
                                  std::array<bool, 5>>;
  Machine machine_;
  FftPrecision precision_;
  FftNorm norm_;
  std::map<SuperstepKey, double> known_supersteps_{};
  std::map<std::pair<FftTranspose, LineExchange>, double> known_lines_{};
};

}  // namespace weft::fft
