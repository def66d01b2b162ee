// Split radix (Duhamel and Hollmann, 1984), self-sorting. A pass adds and subtracts as radix 2
// does, but multiplies by roots in a third of the columns only. The column j of a pass belongs to
// numbers whose index is j modulo J. It is a whole transform, or the odd half of one: the latter if
// the binary digits of j, log2 J of them, begin with an odd number of ones. An odd half has two
// children, its numbers of index 1 and 3 modulo 4. They are multiplied by w^k and w^3k and added
// and subtracted; the factors -I that come up are left to the whole transform that takes the odd
// half. So it has, with k' as in pencil_passes.hpp, four quarters of rows: right, lacking -I in the
// middle two, and lacking -1 in the last.

#include "fft/wsfft/pencil_algorithms.hpp"
#include "fft/wsfft/pencil_passes.hpp"

namespace weft::wsfft {
namespace {

/// Neighbouring columns of the result of a pass, all whole transforms or all odd halves.
struct Family {
  int first, count;
  bool odd_half;
};

std::vector<Family> families_of(int columns) {
  std::vector<Family> all;
  int first = 0;
  bool odd_half = false;
  for (int count = columns / 2; count >= 1; count /= 2) {
    all.push_back({first, count, odd_half});
    first += count;
    odd_half = !odd_half;
  }
  all.push_back({first, 1, odd_half});
  return all;
}

/// A pass of radix 2, over families of columns: K rows of J numbers become 2 K of J / 2.
struct SplitPass {
  VectorWriter& v;
  Matrix from, to;
  RootTable table;
  Numbers numbers;
  Reg zero;
  int K, J;

  /// The columns of a family (or of their `second` ones, J / 2 further on) in some rows, and in as
  /// many `upper` rows further on, if that is not 0.
  View source(const Family& f, bool second, int row, int rows, int upper) const {
    return from.at(0, row, f.first + (second ? J / 2 : 0),
                   {{2, from.part},
                    {upper == 0 ? 1 : 2, upper * from.row},
                    {rows, from.row},
                    {f.count, from.column}});
  }
  View result(const Family& f, int row, int rows, int upper) const {
    return to.at(
        0, row, f.first,
        {{2, to.part}, {upper == 0 ? 1 : 2, upper * to.row}, {rows, to.row}, {f.count, to.column}});
  }
  void emit_whole(const Family& f) const;
  void emit_odd_half(const Family& f) const;
};

void SplitPass::emit_whole(const Family& f) const {
  // Rows without -I, in the first and the last quarter, and those with it.
  const int plain = K < 4 ? 1 : K / 4, upper = K < 4 ? 0 : 3 * K / 4, turned = K / 2;
  const View even = source(f, false, 0, plain, upper), odd = source(f, true, 0, plain, upper);
  v.add(result(f, 0, plain, upper == 0 ? 0 : upper + K), even, odd);
  v.subtract(result(f, K, plain, upper == 0 ? 0 : -K / 4), even, odd);
  if (K == 1) return;
  const View b = from.at(1, plain, f.first + J / 2,
                         {{2, -from.part}, {turned, from.row}, {f.count, from.column}});
  const auto crosswise = [&](int row, int other) {
    return to.at(0, row, f.first,
                 {{2, to.part + (other - row) * to.row}, {turned, to.row}, {f.count, to.column}});
  };
  v.add(crosswise(plain, plain + K), source(f, false, plain, turned, 0), b);
  v.subtract(crosswise(plain + K, plain), source(f, false, plain, turned, 0), b);
}

void SplitPass::emit_odd_half(const Family& f) const {
  if (K > 1)
    for (const RootRows& roots : root_rows(table, numbers, K))
      emit_rotation(
          v, numbers, roots.conjugate,
          [&](int part) {
            return from.at(
                part, roots.first, f.first,
                {{roots.count, from.row}, {2, J / 2 * from.column}, {f.count, from.column}});
          },
          [&](int bytes) {
            return View(zero, roots.address + bytes,
                        {{roots.count, 2 * roots.step}, {2, 2}, {f.count, 0}});
          });
  const int rows = K == 1 ? 1 : K / 2, upper = K == 1 ? 0 : K / 2;
  const View one = source(f, false, 0, rows, upper), three = source(f, true, 0, rows, upper);
  v.add(result(f, 0, rows, upper == 0 ? 0 : upper + K), one, three);
  v.subtract(result(f, K, rows, -upper), one, three);
}

/// K = 1 in place, through half of the room: all columns are alike.
void emit_first_in_place(PencilPass& pass) {
  const int bytes = pass.t.n / 2 * pass.t.numbers.bytes();
  const auto half = [&](Reg base, int offset) { return View(base, offset, {{pass.t.n, 1}}); };
  const auto halves = [&](Reg base) { return View(base, 0, {{bytes / 2, 1}}); };
  const Reg pencil = pass.call.pencil, aux = pass.call.aux;
  pass.v.add(half(aux, 0), half(pencil, 0), half(pencil, bytes));
  pass.v.subtract(half(pencil, bytes), half(pencil, 0), half(pencil, bytes));
  pass.v.copy16(halves(pencil), halves(aux));
  pass.K = 2;
}

}  // namespace

void emit_split_radix(ProgramBuilder& p, const PencilCall& call, const PencilTransform& t,
                      const PencilRoots& roots) {
  VectorWriter v(p, t.numbers, call.zero);
  PencilPass pass{v, call, t};
  const RootTable table{roots, roots.n / 4, 2};
  int levels = 0;
  while (1 << levels < t.n) ++levels;
  if (levels % 2 == 1)
    emit_first_in_place(pass);
  else
    emit_radix2_pass(pass, {}, 0);
  while (pass.K < t.n) {
    const SplitPass split{v,         pass.from(), pass.to(2), table,
                          t.numbers, call.zero,   pass.K,     pass.J()};
    for (const Family& f : families_of(pass.J() / 2))
      f.odd_half ? split.emit_odd_half(f) : split.emit_whole(f);
    pass.done(2);
  }
  emit_end(pass);
}

std::vector<std::uint32_t> split_radix_roots(Numbers numbers, int n, FftDirection /*direction*/,
                                             bool least) {
  return lifting_pairs(numbers, n, n / 4, {1, 3}, least);
}

}  // namespace weft::wsfft
