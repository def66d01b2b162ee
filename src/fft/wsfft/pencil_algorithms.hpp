#pragma once

#include <cstdint>
#include <vector>

#include "fft/wsfft/pencil.hpp"

/// The algorithms of the table in pencil.cpp, a source for each.
namespace weft::wsfft {

/// Radix 2 over an even and an odd half, as published.
void emit_radix2(ProgramBuilder& p, const PencilCall& call, const PencilTransform& t,
                 const PencilRoots& roots);
/// exp(-+2 pi I k / n) for k < n / 2.
std::vector<std::uint32_t> radix2_roots(Numbers numbers, int n, FftDirection direction, bool least);

/// Whether self-sorting passes can transform so many numbers: 2^a 3^b 5^c, from 2 on.
bool is_smooth(int n);
int smooth_below(int n);  ///< the next one, from n - 1 down; n > 2
int smooth_above(int n);

/// Stockham's radix 2, and passes of 3 and 5.
void emit_stockham(ProgramBuilder& p, const PencilCall& call, const PencilTransform& t,
                   const PencilRoots& roots);
int stockham_pairs(int n, bool least);
std::vector<std::uint32_t> stockham_roots(Numbers numbers, int n, FftDirection direction,
                                          bool least);

/// Stockham's radix 4, and passes of 3 and 5.
void emit_radix4(ProgramBuilder& p, const PencilCall& call, const PencilTransform& t,
                 const PencilRoots& roots);
int radix4_pairs(int n, bool least);
std::vector<std::uint32_t> radix4_roots(Numbers numbers, int n, FftDirection direction, bool least);

/// Split radix, in Stockham's order.
void emit_split_radix(ProgramBuilder& p, const PencilCall& call, const PencilTransform& t,
                      const PencilRoots& roots);
std::vector<std::uint32_t> split_radix_roots(Numbers numbers, int n, FftDirection direction,
                                             bool least);

}  // namespace weft::wsfft
