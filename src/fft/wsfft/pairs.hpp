#pragma once

#include "fft/wsfft/division.hpp"
#include "fft/wsfft/pencil.hpp"
#include "weft/program.hpp"

/// Real pencils are transformed by twos, as the real and the imaginary part of a complex one.
namespace weft::wsfft {

/// The pairs of a PE: so many complex pencils of n numbers, one after the other. Apart they are
/// twice as many half spectra, `pitch` numbers from one to the next.
struct Pairs {
  int n, count, pitch;
};

Pairs pairs_of(const Division& division);

/// Takes the spectra Z of pairs apart, into the spectra of both, times two:
/// A[k] = Z[k] + conj Z[n - k], B[k] = (Z[k] - conj Z[n - k]) / i for 0 <= k <= n / 2.
void emit_separation(ProgramBuilder& p, Numbers numbers, const Pairs& pairs, const MemorySpan& from,
                     const MemorySpan& to);

/// Puts half spectra of real pencils together to spectra of pairs: Z = A + i B. The imaginary parts
/// of A and B at 0 and n / 2 are left out, as NumPy does.
void emit_join(ProgramBuilder& p, Numbers numbers, const Pairs& pairs, const MemorySpan& from,
               const MemorySpan& to);

}  // namespace weft::wsfft
