#include "fft/wsfft/pencil_passes.hpp"

#include <cmath>
#include <complex>
#include <numbers>

namespace weft::wsfft {
namespace {

/// A row and column of the matrix of a pass, in bytes from its start. `width`: numbers of a row.
int place(const PencilPass& pass, int row, int column, int width) {
  return (row * width + column) * pass.t.numbers.bytes();
}

/// K = 2: row 0 has the root 1, row 1 has I.
void emit_second_radix2_pass(PencilPass& pass) {
  const int half = pass.J() / 2;
  const auto from = [&](int row, int column, int part, Extent extent) {
    return View(pass.from(), place(pass, row, column, pass.J()) + part, {extent});
  };
  const auto to = [&](int row, int part, Extent extent) {
    return View(pass.to(), place(pass, row, 0, half) + part, {extent});
  };
  const Extent both{2 * half, 1}, one{half, 2};
  VectorWriter& v = pass.v;
  v.add(to(0, 0, both), from(0, 0, 0, both), from(0, half, 0, both));
  v.subtract(to(2, 0, both), from(0, 0, 0, both), from(0, half, 0, both));
  const int re = pass.re(), im = pass.im();
  v.add(to(1, re, one), from(1, 0, re, one), from(1, half, im, one));
  v.subtract(to(3, re, one), from(1, 0, re, one), from(1, half, im, one));
  v.subtract(to(1, im, one), from(1, 0, im, one), from(1, half, re, one));
  v.add(to(3, im, one), from(1, 0, im, one), from(1, half, re, one));
}

}  // namespace

std::vector<std::uint32_t> lifting_pairs(Numbers numbers, int n, int rows,
                                         const std::vector<int>& powers) {
  const auto words = static_cast<std::size_t>(numbers.words());
  std::vector<std::uint32_t> table(static_cast<std::size_t>(rows) * powers.size() * words);
  std::uint32_t* next = table.data();
  for (int k = 0; k < rows; ++k)
    for (const int m : powers) {
      const int signed_k = k < (rows + 1) / 2 ? k : k - rows;
      const double angle = -2 * std::numbers::pi * m * signed_k / n;
      encode(numbers,
             {static_cast<float>(-std::tan(angle / 2)), static_cast<float>(std::sin(angle))}, next);
      next += words;
    }
  return table;
}

void emit_rotation(VectorWriter& v, const View& re, const View& im, const View& p, const View& q) {
  v.multiply_add(re, im, p);
  v.multiply_add(im, re, q);
  v.multiply_add(re, im, p);
}

void emit_radix2_pass(PencilPass& pass, const RootTable& table, int power) {
  if (pass.K == 2) {
    emit_second_radix2_pass(pass);
    return pass.done(2);
  }
  const int K = pass.K, J = pass.J(), half = J / 2;
  VectorWriter& v = pass.v;
  if (K > 1) {
    const auto odd = [&](int part) {
      return View(pass.from(), place(pass, 1, half, J) + part, {{K - 1, 2 * J}, {half, 2}});
    };
    const int step = table.rows / K * table.powers;
    const auto root = [&](int part) {
      return View(pass.call.zero, table.address + (step + power) * pass.t.numbers.bytes() + part,
                  {{K - 1, 2 * step}, {half, 0}});
    };
    emit_rotation(v, odd(pass.re()), odd(pass.im()), root(0), root(pass.part()));
  }
  const auto from = [&](int column) {
    return View(pass.from(), place(pass, 0, column, J), {{K, 2 * J}, {J, 1}});
  };
  // Rows from K / 2 on have the sum where the others have the difference.
  const auto to = [&](int row, int upper) {
    const int base = place(pass, row, 0, half);
    if (K == 1) return View(pass.to(), base, {{J, 1}});
    return View(pass.to(), base, {{2, upper * J}, {K / 2 * J, 1}});
  };
  v.add(to(0, K / 2 + K), from(0), from(half));
  v.subtract(to(K, -K / 2), from(0), from(half));
  pass.done(2);
}

void emit_radix4_pass(PencilPass& pass, const RootTable& table) {
  const int K = pass.K, J = pass.J(), quarter = J / 4;
  VectorWriter& v = pass.v;
  const int re = pass.re(), im = pass.im();
  if (K > 1) {
    const auto turned = [&](int part) {
      return View(pass.from(), place(pass, 1, quarter, J) + part,
                  {{K - 1, 2 * J}, {3 * quarter, 2}});
    };
    const int step = table.rows / K * table.powers;
    const auto root = [&](int part) {
      return View(pass.call.zero, table.address + step * pass.t.numbers.bytes() + part,
                  {{K - 1, 2 * step}, {3, 2}, {quarter, 0}});
    };
    emit_rotation(v, turned(re), turned(im), root(0), root(pass.part()));
  }
  const auto from = [&](int q) {
    return View(pass.from(), place(pass, 0, q * quarter, J), {{K, 2 * J}, {2 * quarter, 1}});
  };
  const auto part_of = [&](int q, int part) {
    return View(pass.from(), place(pass, 0, q * quarter, J) + part, {{K, 2 * J}, {quarter, 2}});
  };
  // The sum number `sum` is row block `sum`, but the one before that from row K / 2 on.
  const int words = 2 * quarter;
  const auto upper = [&](int sum) { return (K / 2 + ((sum + 3) % 4 - sum) * K) * words; };
  const auto to = [&](int sum) {
    const int base = place(pass, sum * K, 0, quarter);
    if (K == 1) return View(pass.to(), base, {{words, 1}});
    return View(pass.to(), base, {{2, upper(sum)}, {K / 2 * words, 1}});
  };
  const auto part_to = [&](int sum, int part) {
    const int base = place(pass, sum * K, 0, quarter) + part;
    if (K == 1) return View(pass.to(), base, {{quarter, 2}});
    return View(pass.to(), base, {{2, upper(sum)}, {K / 2 * quarter, 2}});
  };
  v.add(to(0), from(0), from(2));
  v.subtract(from(2), from(0), from(2));
  v.add(from(0), from(1), from(3));
  v.subtract(from(3), from(1), from(3));
  v.subtract(to(2), to(0), from(0));
  v.add(to(0), to(0), from(0));
  v.add(part_to(1, re), part_of(2, re), part_of(3, im));
  v.subtract(part_to(3, re), part_of(2, re), part_of(3, im));
  v.subtract(part_to(1, im), part_of(2, im), part_of(3, re));
  v.add(part_to(3, im), part_of(2, im), part_of(3, re));
  pass.done(4);
}

void emit_scale(PencilPass& pass) {
  if (pass.t.scale == 1.0F) return;
  pass.v.scale(View(pass.from(), 0, {{2 * pass.t.n, 1}}), pass.t.scale);
}

}  // namespace weft::wsfft
