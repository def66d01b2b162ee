#pragma once

#include <cstdint>

#include "fft/wsfft/pencil.hpp"
#include "isa/alu.hpp"
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
  void multiply(Dsr d, Dsr a, Reg r) const {
    numbers.halves() ? p.vfmulhr(d, a, r) : p.vfmulsr(d, a, r);
  }
  void load(Reg r, float factor) const {
    p.li(r,
         static_cast<std::int32_t>(numbers.halves() ? isa::to_half(factor) : isa::as_word(factor)));
  }
  /// All elements times a factor, which `r` then holds.
  void scale(Dsr d, Reg r, float factor) const {
    load(r, factor);
    multiply(d, d, r);
  }
  /// d = d + a b
  void multiply_add(Dsr d, Dsr a, Dsr b) const {
    numbers.halves() ? p.vfmach(d, a, b) : p.vfmacs(d, a, b);
  }
  void multiply_add(Dsr d, Dsr a, Reg r) const {
    numbers.halves() ? p.vfmachr(d, a, r) : p.vfmacsr(d, a, r);
  }
};

/// Registers for a complex factor w.
struct Factor {
  Reg re, im, minus_im;
};

/// Loads a factor from memory, whose imaginary part is so many bytes behind the real one.
inline void load_factor(ProgramBuilder& p, Numbers numbers, const Factor& w, Reg at,
                        std::int32_t base, int imaginary) {
  if (numbers.halves()) {
    p.lh(w.re, at, base);
    p.lh(w.im, at, base + imaginary);
  } else {
    p.lw(w.re, at, base);
    p.lw(w.im, at, base + imaginary);
  }
  p.bxori(w.minus_im, w.im, numbers.halves() ? 0x8000 : std::int32_t{-0x7fffffff - 1});
}

}  // namespace weft::wsfft
