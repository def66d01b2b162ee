#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>

#include "weft/fft.hpp"

namespace weft::test {

/// A cube whose exchanges take so many cycles.
struct Exchanged {
  int p, m;  ///< PEs of a line; pencils of a PE along each axis
  FftPrecision precision;
  std::uint64_t row, column;  ///< cycles
};

inline void PrintTo(const Exchanged& e, std::ostream* out) { *out << e.p << " PEs, m = " << e.m; }

inline FftRun run(const Exchanged& e, FftTranspose transpose) {
  const auto n = static_cast<std::size_t>(e.p * e.m);
  FftOptions options{.mesh = {e.p, e.p}, .transpose = transpose, .data = false};
  return FftPlan({n, n, n}, e.precision, options).forward({});
}

}  // namespace weft::test
