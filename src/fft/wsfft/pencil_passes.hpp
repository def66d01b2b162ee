#pragma once

#include <cstdint>
#include <vector>

#include "fft/wsfft/pencil.hpp"
#include "fft/wsfft/vector_writer.hpp"

/// The passes of self-sorting transforms (Stockham). Before a pass there are K rows of J numbers,
/// K J = n, in C order. Row k has, in column j, frequency k of the transform of the K numbers
/// x[j], x[j + J], x[j + 2 J], ... A pass of radix r makes r K rows of J / r numbers. So the last
/// one leaves the transform in natural order, and nothing is ever moved for its own sake. The
/// frequency of row k is taken as k' = k for k < K / 2, and k' = k - K above. Then no angle is
/// large, and the rows of the result come out in another order, for which descriptors pay nothing.
/// Sum number s of a row has the frequency k' + s K: so rows below K / 2 go to block s of K rows,
/// and those above to block s - 1, or to the last one for s = 0. A product with exp(I t) is three
/// fused multiply-adds in place, with the vectors p = -tan(t / 2) and q = sin t: re += p im, im +=
/// q re, re += p im (lifting; Daubechies and Sweldens, 1998). The inverse transform is the forward
/// one with real and imaginary parts exchanged, so it has the same table. And a product with
/// exp(-I t) is one with exp(I t), with real and imaginary parts exchanged: so half a table will
/// do, in one more rotation for each pass.
namespace weft::wsfft {

/// Pairs (p, q) of the roots of unity exp(-2 pi I m k' / n) for k < rows, with k' = k below rows /
/// 2 and k - rows above; for each k the `powers` m in turn. The least of them are those of k' = 1
/// to rows / 2.
std::vector<std::uint32_t> lifting_pairs(Numbers numbers, int n, int rows,
                                         const std::vector<int>& powers, bool least);

/// A table of lifting_pairs in memory.
struct RootTable {
  PencilRoots where;
  int rows;  ///< of one with all roots
  int powers;
};

/// Numbers in memory as rows, in C order. Distances are in elements (parts of numbers).
struct Matrix {
  Reg base;
  int row, column;  ///< from a row, a column, to the next
  int first, part;  ///< of the real part of the first number, and from there to its imaginary part
  int bytes;        ///< of an element

  /// From the real (part = 0) or imaginary (1) part of a number on.
  View at(int part_, int row_, int column_, std::initializer_list<Extent> extents) const {
    return {base, bytes * (first + part_ * part + row_ * row + column_ * column), extents};
  }
};

/// Where a pencil is on its way. Between passes all real parts stand before all imaginary ones: so
/// strides are small where rows are short, and vectors do not meet in a bank of the memory.
struct PencilPass {
  VectorWriter& v;
  PencilCall call;
  PencilTransform t;
  int K = 1;  ///< rows
  bool in_aux = false, planar = false;

  int J() const { return t.n / K; }  ///< columns
  Matrix from() const { return matrix(in_aux ? call.aux : call.pencil, K, planar); }
  /// Of a pass of radix r.
  Matrix to(int r) const { return matrix(in_aux ? call.pencil : call.aux, K * r, K * r < t.n); }
  void done(int r) {
    K *= r;
    in_aux = !in_aux;
    planar = true;
  }

 private:
  Matrix matrix(Reg base, int rows, bool apart) const;
};

/// Rows before a pass, and their roots.
struct RootRows {
  int first, count;  ///< of K rows
  int address;       ///< of the roots of the first one
  int step;          ///< from its roots to the next one's, in pairs
  bool conjugate;    ///< the table has the conjugate roots
};
/// Those of all rows but the first.
std::vector<RootRows> root_rows(const RootTable& table, Numbers numbers, int K);

/// Multiplies numbers by roots: `part_of(k)` are their real or imaginary parts, `pair_of(bytes)`
/// the elements that stand so many bytes behind the first ones of pairs.
template <class PartOf, class PairOf>
void emit_rotation(VectorWriter& v, Numbers numbers, bool conjugate, PartOf part_of,
                   PairOf pair_of) {
  const View re = part_of(conjugate ? 1 : 0), im = part_of(conjugate ? 0 : 1);
  const View p = pair_of(0), q = pair_of(numbers.bytes() / 2);
  v.multiply_add(re, im, p);
  v.multiply_add(im, re, q);
  v.multiply_add(re, im, p);
}

/// What a pass of radix r begins with: column block s of row k is turned by exp(-2 pi I s k' / (r
/// K)), for s from 1 on. `power`: the place of the first of these r - 1 roots in a row of the
/// table. K = 1 needs none.
void emit_turns(PencilPass& pass, const RootTable& table, int r, int power = 0);

/// `power`: the place in a row of the table of the roots exp(-2 pi I k' / (2 K)). K = 1 and 2 need
/// none. K is a power of two.
void emit_radix2_pass(PencilPass& pass, const RootTable& table, int power);

/// `table` as emit_turns has it. K is a power of two.
void emit_radix4_pass(PencilPass& pass, const RootTable& table);

/// The same for any K. An odd K takes two instructions for one: half of its rows are not a whole
/// number.
void emit_radix3_pass(PencilPass& pass, const RootTable& table);
void emit_radix5_pass(PencilPass& pass, const RootTable& table);

/// After the last pass: the scale, and numbers that ended in the other place come back.
void emit_end(PencilPass& pass);

}  // namespace weft::wsfft
