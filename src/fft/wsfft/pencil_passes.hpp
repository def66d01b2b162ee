#pragma once

#include <cstdint>
#include <vector>

#include "fft/wsfft/pencil.hpp"
#include "fft/wsfft/vector_writer.hpp"

/// The passes of self-sorting transforms (Stockham). Before a pass there are K rows of J numbers,
/// K J = n, in C order. Row k has, in column j, frequency k of the transform of the K numbers
/// x[j], x[j + J], x[j + 2 J], ... A pass of radix r makes r K rows of J / r numbers. So the last one
/// leaves the transform in natural order, and nothing is ever moved for its own sake.
/// The frequency of row k is taken as k' = k for k < K / 2, and k' = k - K above. Then no angle is
/// large, and the rows of the result come out in another order, for which descriptors pay nothing.
/// A product with exp(I t) is three fused multiply-adds in place, with the vectors p = -tan(t / 2)
/// and q = sin t: re += p im, im += q re, re += p im (lifting; Daubechies and Sweldens, 1998).
/// The inverse transform is the forward one with real and imaginary parts exchanged.
namespace weft::wsfft {

/// Pairs (p, q) of the roots of unity exp(-2 pi I m k' / n) for k < rows, with k' = k below rows / 2
/// and k - rows above; for each k the `powers` m in turn.
std::vector<std::uint32_t> lifting_pairs(Numbers numbers, int n, int rows,
                                         const std::vector<int>& powers);

/// A table of lifting_pairs in memory.
struct RootTable {
  int address;
  int rows;
  int powers;
};

/// Where a pencil is on its way.
struct PencilPass {
  VectorWriter& v;
  PencilCall call;
  PencilTransform t;
  int K = 1;  ///< rows
  bool in_aux = false;

  int J() const { return t.n / K; }
  Reg from() const { return in_aux ? call.aux : call.pencil; }
  Reg to() const { return in_aux ? call.pencil : call.aux; }
  int part() const { return t.numbers.bytes() / 2; }
  /// The parts' places in a number, in bytes, exchanged for the inverse.
  int re() const { return t.direction == FftDirection::forward ? 0 : part(); }
  int im() const { return part() - re(); }
  /// After a pass of radix r.
  void done(int r) {
    K *= r;
    in_aux = !in_aux;
  }
};

/// (re, im) += a rotation, with vectors p and q.
void emit_rotation(VectorWriter& v, const View& re, const View& im, const View& p, const View& q);

/// `power`: the place in a row of the table of the roots exp(-2 pi I k' / (2 K)). K = 1 and 2 need
/// none.
void emit_radix2_pass(PencilPass& pass, const RootTable& table, int power);

/// `table`: powers 1, 2 and 3. K = 1 needs none.
void emit_radix4_pass(PencilPass& pass, const RootTable& table);

/// After the last pass, with the numbers in the pencil.
void emit_scale(PencilPass& pass);

}  // namespace weft::wsfft
