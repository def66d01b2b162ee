#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "weft/fft.hpp"
#include "weft/program.hpp"

namespace weft::wsfft {

/// Registers that the pencil's subroutine takes and keeps. It may change all others, and all
/// descriptors.
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

/// A complex number as `words()` 32-bit patterns, rounded to the precision; and back.
void encode(Numbers numbers, std::complex<float> value, std::uint32_t* words);
std::complex<float> decode(Numbers numbers, const std::uint32_t* words);

/// The transform of one pencil of n complex numbers: natural order in and out, and then a product
/// with `scale` unless that is 1.
struct PencilTransform {
  Numbers numbers;
  int n;
  FftDirection direction;
  float scale;
};

/// A table of roots of unity in a PE's memory, for pencils of n numbers; shorter ones take some of
/// them. Where memory is short it has the `least` roots: of two that are conjugates one, if the
/// algorithm can do with it.
struct PencilRoots {
  std::uint32_t address;
  int n;
  bool least = false;
};

/// An algorithm for one pencil: one row of the table.
struct PencilAlgorithm {
  FftPencil pencil;
  bool (*takes)(int n);      ///< lengths, whether or not a PE holds them
  std::string_view lengths;  ///< the same in words
  /// Writes the subroutine's body.
  void (*emit)(ProgramBuilder& p, const PencilCall& call, const PencilTransform& transform,
               const PencilRoots& roots);
  /// Pairs of parts in the table of roots; a pair takes as much room as a complex number.
  int (*root_pairs)(int n, bool least);
  /// The table of roots, encoded: root_pairs(n, least) pairs.
  std::vector<std::uint32_t> (*roots)(Numbers numbers, int n, FftDirection direction, bool least);
  int most;                        ///< the longest pencil that a program has shapes for
  int longest_fp16, longest_fp32;  ///< the longest one that 48 KB hold, with as much room

  int longest(FftPrecision precision) const {
    return precision == FftPrecision::fp16 ? longest_fp16 : longest_fp32;
  }
  std::uint32_t root_bytes(Numbers numbers, int n, bool least = false) const {
    return static_cast<std::uint32_t>(root_pairs(n, least) * numbers.bytes());
  }
};

/// All algorithms, in the order of the enumeration.
std::span<const PencilAlgorithm> pencil_algorithms();
const PencilAlgorithm& algorithm_of(FftPencil pencil);

/// The subroutine that transforms one pencil, from `entry` to its return.
void emit_pencil(ProgramBuilder& p, Label entry, const PencilCall& call, FftPencil pencil,
                 const PencilTransform& transform, const PencilRoots& roots);

}  // namespace weft::wsfft
