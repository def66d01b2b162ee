#pragma once

#include "fft/wsfft/pencil.hpp"
#include "weft/program.hpp"

namespace weft::wsfft {

/// Emits vector instructions on real or imaginary parts, in the numbers' precision.
struct PartVectors {
  ProgramBuilder& p;
  Numbers numbers;

  void move(Dsr d, Dsr a) const { numbers.halves() ? p.vmov16(d, a) : p.vmov32(d, a); }
  void add(Dsr d, Dsr a, Dsr b) const { numbers.halves() ? p.vfaddh(d, a, b) : p.vfadds(d, a, b); }
  void subtract(Dsr d, Dsr a, Dsr b) const {
    numbers.halves() ? p.vfsubh(d, a, b) : p.vfsubs(d, a, b);
  }
  void multiply(Dsr d, Dsr a, Dsr b) const {
    numbers.halves() ? p.vfmulh(d, a, b) : p.vfmuls(d, a, b);
  }
  /// d = d + a b
  void multiply_add(Dsr d, Dsr a, Dsr b) const {
    numbers.halves() ? p.vfmach(d, a, b) : p.vfmacs(d, a, b);
  }
};

}  // namespace weft::wsfft
