#include <cmath>
#include <numbers>

#include "fft/wsfft/pencil_passes.hpp"

namespace weft::wsfft {
namespace {

/// Rows of a pass that are alike in where their sums go: those below K / 2, those above, or both.
struct RowsOfPass {
  const PencilPass& pass;
  int r;             ///< radix
  int first, count;  ///< of rows
  bool both;         ///< `count` rows from `first` on, and as many after them
  Matrix from, to;

  int columns() const { return pass.J() / r; }

  /// Columns of block `block`, all parts: in two blocks, if `step` is not 0.
  View source(int block, int step = 0) const { return source(0, block, step); }
  /// The same with the parts the other way round.
  View crosswise_source(int block) const { return source(1, block, 0); }

  /// Of sum s all parts, and of sum s + step, if that is not 0.
  View sum(int s, int step = 0) const {
    return to.at(0, row_of(s), 0,
                 {{2, to.part},
                  {step == 0 ? 1 : 2, step * pass.K * to.row},
                  {both ? 2 : 1, apart(s) * to.row},
                  {count * columns(), to.column}});
  }
  /// The real parts of sum s and the imaginary ones of sum `other`.
  View crosswise_sum(int s, int other) const {
    return to.at(0, row_of(s), 0,
                 {{2, to.part + (other - s) * pass.K * to.row},
                  {both ? 2 : 1, apart(s) * to.row},
                  {count * columns(), to.column}});
  }

 private:
  View source(int part, int block, int step) const {
    return from.at(part, first, block * columns(),
                   {{2, part == 0 ? from.part : -from.part},
                    {step == 0 ? 1 : 2, step * columns() * from.column},
                    {both ? 2 * count : count, from.row},
                    {columns(), from.column}});
  }
  /// The first row of sum s.
  int row_of(int s) const { return first + (first == 0 ? s : (s + r - 1) % r) * pass.K; }
  /// From its lower half to its upper one.
  int apart(int s) const { return s == 0 ? (r - 1) * pass.K + count : count - pass.K; }
};

/// f(rows) for all rows of a pass: once, where K is 1 or even.
template <class F>
void for_rows(const PencilPass& pass, int r, F f) {
  const int K = pass.K, lower = (K + 1) / 2;
  const auto rows = [&](int first, int count, bool both) {
    f(RowsOfPass{pass, r, first, count, both, pass.from(), pass.to(r)});
  };
  rows(0, lower, K % 2 == 0);
  if (K % 2 == 1 && K > 1) rows(lower, K - lower, false);
}

/// sin and cos of so many turns.
float sine(double turns) { return static_cast<float>(std::sin(2 * std::numbers::pi * turns)); }
float cosine(double turns) { return static_cast<float>(std::cos(2 * std::numbers::pi * turns)); }

/// Sums s and `other` are c - I d and c + I d: number c of block `c`, d of block `d`.
void emit_conjugates(VectorWriter& v, const RowsOfPass& rows, int s, int other, int c, int d) {
  v.add(rows.crosswise_sum(s, other), rows.source(c), rows.crosswise_source(d));
  v.subtract(rows.crosswise_sum(other, s), rows.source(c), rows.crosswise_source(d));
}

}  // namespace

void emit_radix3_pass(PencilPass& pass, const RootTable& table) {
  emit_turns(pass, table, 3);
  VectorWriter& v = pass.v;
  for_rows(pass, 3, [&](const RowsOfPass& rows) {
    // t = x1 + x2 waits where sum 1 will be.
    const View x0 = rows.source(0), x1 = rows.source(1), x2 = rows.source(2), t = rows.sum(1);
    v.add(t, x1, x2);
    v.subtract(x2, x1, x2);
    v.add(rows.sum(0), x0, t);
    v.multiply_add(x0, t, cosine(1.0 / 3));
    v.scale(x2, sine(1.0 / 3));
    emit_conjugates(v, rows, 1, 2, 0, 2);
  });
  pass.done(3);
}

void emit_radix5_pass(PencilPass& pass, const RootTable& table) {
  emit_turns(pass, table, 5);
  VectorWriter& v = pass.v;
  const float cos1 = cosine(1.0 / 5), cos2 = cosine(2.0 / 5), sin1 = sine(1.0 / 5),
              sin2 = sine(2.0 / 5);
  for_rows(pass, 5, [&](const RowsOfPass& rows) {
    // t1 = x1 + x4 and t2 = x2 + x3 wait where sums 1 and 2 will be; x1 - x4 and x2 - x3 are x4 and
    // x3 from here on.
    const View x0 = rows.source(0), x1 = rows.source(1), x2 = rows.source(2), x3 = rows.source(3),
               x4 = rows.source(4), t1 = rows.sum(1), t2 = rows.sum(2);
    v.add(rows.sum(1, 1), rows.source(1, 1), rows.source(4, -1));
    v.subtract(rows.source(4, -1), rows.source(1, 1), rows.source(4, -1));
    v.add(rows.sum(0), x0, t1);
    v.add(rows.sum(0), rows.sum(0), t2);
    v.copy(x1, x0);
    v.multiply_add(x0, t1, cos1);
    v.multiply_add(x0, t2, cos2);
    v.multiply_add(x1, t1, cos2);
    v.multiply_add(x1, t2, cos1);
    v.multiply(x2, x4, sin2);
    v.multiply_add(x2, x3, -sin1);
    v.scale(x4, sin1);
    v.multiply_add(x4, x3, sin2);
    emit_conjugates(v, rows, 1, 4, 0, 4);
    emit_conjugates(v, rows, 2, 3, 1, 2);
  });
  pass.done(5);
}

}  // namespace weft::wsfft
