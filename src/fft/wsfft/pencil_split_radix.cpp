// Split radix (Duhamel and Hollmann, 1984), self-sorting. A pass adds and subtracts as radix 2 does,
// but multiplies by roots in a third of the columns only.
// The column j of a pass belongs to numbers whose index is j modulo J. It is a whole transform, or
// the odd half of one: the latter if the binary digits of j, log2 J of them, begin with an odd number
// of ones. An odd half has two children, its numbers of index 1 and 3 modulo 4. They are multiplied
// by w^k and w^3k and added and subtracted; the factors -I that come up are left to the whole
// transform that takes the odd half. So it has, with k' as in pencil_passes.hpp, four quarters of
// rows: right, lacking -I in the middle two, and lacking -1 in the last.

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

/// A pass of radix 2, over families of columns.
struct SplitPass {
  PencilPass& pass;
  RootTable table;
  int K, J;

  int place(int row, int column, int width, int part) const {
    return (row * width + column) * pass.t.numbers.bytes() + part;
  }
  /// Both parts of the columns of a family in some rows, and in as many `upper` rows further on.
  View from(const Family& f, bool second, int row, int rows, int upper) const {
    return {pass.from(),
            place(row, f.first + (second ? J / 2 : 0), J, 0),
            {{upper == 0 ? 1 : 2, upper * 2 * J}, {rows, 2 * J}, {2 * f.count, 1}}};
  }
  View to(const Family& f, int row, int rows, int upper) const {
    return {pass.to(),
            place(row, f.first, J / 2, 0),
            {{upper == 0 ? 1 : 2, upper * J}, {rows, J}, {2 * f.count, 1}}};
  }
  View part_from(const Family& f, bool second, int row, int rows, int part) const {
    return {pass.from(),
            place(row, f.first + (second ? J / 2 : 0), J, part),
            {{rows, 2 * J}, {f.count, 2}}};
  }
  View part_to(const Family& f, int row, int rows, int part) const {
    return {pass.to(), place(row, f.first, J / 2, part), {{rows, J}, {f.count, 2}}};
  }

  void emit_whole(const Family& f) const;
  void emit_odd_half(const Family& f) const;
};

void SplitPass::emit_whole(const Family& f) const {
  VectorWriter& v = pass.v;
  // Rows without -I, in the first and the last quarter, and those with it.
  const int plain = K < 4 ? 1 : K / 4, upper = K < 4 ? 0 : 3 * K / 4;
  const View even = from(f, false, 0, plain, upper), odd = from(f, true, 0, plain, upper);
  v.add(to(f, 0, plain, upper == 0 ? 0 : upper + K), even, odd);
  v.subtract(to(f, K, plain, upper == 0 ? 0 : -K / 4), even, odd);
  if (K == 1) return;
  const int turned = K / 2, re = pass.re(), im = pass.im();
  const auto a = [&](int part) { return part_from(f, false, plain, turned, part); };
  const auto b = [&](int part) { return part_from(f, true, plain, turned, part); };
  const auto sum = [&](int part) { return part_to(f, plain, turned, part); };
  const auto difference = [&](int part) { return part_to(f, plain + K, turned, part); };
  v.add(sum(re), a(re), b(im));
  v.subtract(difference(re), a(re), b(im));
  v.subtract(sum(im), a(im), b(re));
  v.add(difference(im), a(im), b(re));
}

void SplitPass::emit_odd_half(const Family& f) const {
  VectorWriter& v = pass.v;
  if (K > 1) {
    const auto child = [&](int part) {
      return View(pass.from(), place(1, f.first, J, part), {{K - 1, 2 * J}, {2, J}, {f.count, 2}});
    };
    const int step = table.rows / K * table.powers;
    const auto root = [&](int part) {
      return View(pass.call.zero, table.address + step * pass.t.numbers.bytes() + part,
                  {{K - 1, 2 * step}, {2, 2}, {f.count, 0}});
    };
    emit_rotation(v, child(pass.re()), child(pass.im()), root(0), root(pass.part()));
  }
  const int rows = K == 1 ? 1 : K / 2, upper = K == 1 ? 0 : K / 2;
  const View one = from(f, false, 0, rows, upper), three = from(f, true, 0, rows, upper);
  v.add(to(f, 0, rows, upper == 0 ? 0 : upper + K), one, three);
  v.subtract(to(f, K, rows, -upper), one, three);
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
                      std::uint32_t roots) {
  VectorWriter v(p, t.numbers, call.zero);
  PencilPass pass{v, call, t};
  const RootTable table{static_cast<int>(roots), t.n / 4, 2};
  int levels = 0;
  while (1 << levels < t.n) ++levels;
  if (levels % 2 == 1)
    emit_first_in_place(pass);
  else
    emit_radix2_pass(pass, {}, 0);
  while (pass.K < t.n) {
    const SplitPass split{pass, table, pass.K, pass.J()};
    for (const Family& f : families_of(pass.J() / 2))
      f.odd_half ? split.emit_odd_half(f) : split.emit_whole(f);
    pass.done(2);
  }
  emit_scale(pass);
}

std::vector<std::uint32_t> split_radix_roots(Numbers numbers, int n, FftDirection /*direction*/) {
  return lifting_pairs(numbers, n, n / 4, {1, 3});
}

}  // namespace weft::wsfft
