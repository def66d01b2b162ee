#pragma once

#include <cstdint>
#include <vector>

#include "fft/wsfft/program.hpp"
#include "weft/fabric.hpp"
#include "weft/fft.hpp"
#include "weft/machine.hpp"

namespace weft::test {

/// A transform of a random volume, as words in the PEs' memories.
struct TransformCase {
  int n;
  FftPrecision precision;
  FftDirection direction;
};

/// Every PE of an n x n fabric the same words.
void write_everywhere(Fabric& fabric, int n, const MemorySpan& where,
                      const std::vector<std::uint32_t>& words);

wsfft::Transform transform_of(const TransformCase& c, wsfft::Form form);

/// The words of all PEs' pencils, PE by PE, row by row: before the transform, and after it on the
/// default machine, which FFTW's results are compared with elsewhere.
std::vector<std::uint32_t> words_before(const TransformCase& c);
std::vector<std::uint32_t> words_after(const TransformCase& c);

/// The default machine with about half of its timings and depths drawn anew, each from its whole
/// range; a transform has the filters and the memory that it needs.
Machine random_machine(std::uint64_t seed);

}  // namespace weft::test
