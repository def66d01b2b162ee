#pragma once

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
  Reg zero{15};   ///< holds 0
};

/// Bytes of one complex number in FP32.
inline constexpr std::uint32_t kComplexBytes = 8;

/// The subroutine that transforms one pencil of n = 2^L numbers (Orenes-Vera et al., section 4):
/// radix 2, L stages over an even and an odd half, natural order in and out. With `scaled` it also
/// multiplies by 1 / n. `twiddles` is the address of twiddle_table(n, direction).
void emit_pencil(ProgramBuilder& p, Label entry, const PencilCall& call, int n, bool scaled,
                 std::uint32_t twiddles);

/// exp(-+2 pi I k / n) for k < n / 2, as FP32 (re, im) patterns.
std::vector<std::uint32_t> twiddle_table(int n, Direction direction);

}  // namespace weft::wsfft
