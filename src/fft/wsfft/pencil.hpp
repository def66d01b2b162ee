#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "weft/fft.hpp"
#include "weft/program.hpp"

namespace weft::wsfft {

/// Registers that the pencil's subroutine takes, and those it keeps.
struct PencilCall {
  Reg pencil{1};  ///< byte address of n complex numbers, (re, im) pairs; transformed in place
  Reg aux{2};     ///< byte address of as much room
  Reg link{3};
  Reg zero{15};  ///< holds 0
};

/// How a complex number lies in a PE's memory: FP32 takes two words, FP16 one word with the real
/// part in its low half.
struct Numbers {
  FftPrecision precision;

  bool halves() const { return precision == FftPrecision::fp16; }
  int words() const { return halves() ? 1 : 2; }  ///< also wavelets
  int bytes() const { return 4 * words(); }
  int log2_bytes() const { return halves() ? 2 : 3; }
};

/// In 48 KB, with as much room and the roots of unity.
constexpr int longest_pencil(FftPrecision precision) {
  return precision == FftPrecision::fp16 ? 4096 : 2048;
}

/// A complex number as `words()` 32-bit patterns, rounded to the precision; and back.
void encode(Numbers numbers, std::complex<float> value, std::uint32_t* words);
std::complex<float> decode(Numbers numbers, const std::uint32_t* words);

/// The subroutine that transforms one pencil of n = 2^L numbers (Orenes-Vera et al., section 4):
/// radix 2, L stages over an even and an odd half, natural order in and out. With `scale` other
/// than 1 it then multiplies by it. `twiddles` is the address of twiddle_table(numbers, n,
/// direction).
void emit_pencil(ProgramBuilder& p, Label entry, const PencilCall& call, Numbers numbers, int n,
                 float scale, std::uint32_t twiddles);

/// exp(-+2 pi I k / n) for k < n / 2, encoded.
std::vector<std::uint32_t> twiddle_table(Numbers numbers, int n, FftDirection direction);

}  // namespace weft::wsfft
