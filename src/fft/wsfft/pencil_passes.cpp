#include "fft/wsfft/pencil_passes.hpp"

#include <cmath>
#include <complex>
#include <numbers>

namespace weft::wsfft {
namespace {

/// K = 2: row 0 has the root 1, row 1 has I.
void emit_second_radix2_pass(PencilPass& pass) {
  const int half = pass.J() / 2;
  const Matrix from = pass.from(), to = pass.to(2);
  VectorWriter& v = pass.v;
  const View a = from.at(0, 0, 0, {{2, from.part}, {half, from.column}}),
             b = from.at(0, 0, half, {{2, from.part}, {half, from.column}});
  v.add(to.at(0, 0, 0, {{2, to.part}, {half, to.column}}), a, b);
  v.subtract(to.at(0, 2, 0, {{2, to.part}, {half, to.column}}), a, b);
  // Rows 1 and 3 are c - I d and c + I d.
  const View c = from.at(0, 1, 0, {{2, from.part}, {half, from.column}}),
             d = from.at(1, 1, half, {{2, -from.part}, {half, from.column}});
  v.add(to.at(0, 1, 0, {{2, to.part + 2 * to.row}, {half, to.column}}), c, d);
  v.subtract(to.at(0, 3, 0, {{2, to.part - 2 * to.row}, {half, to.column}}), c, d);
}

}  // namespace

Matrix PencilPass::matrix(Reg base, int rows, bool apart) const {
  const int column = apart ? 1 : 2, part = apart ? t.n : 1;
  const bool forward = t.direction == FftDirection::forward;
  return {base,
          t.n / rows * column,
          column,
          forward ? 0 : part,
          forward ? part : -part,
          t.numbers.bytes() / 2};
}

std::vector<std::uint32_t> lifting_pairs(Numbers numbers, int n, int rows,
                                         const std::vector<int>& powers, bool least) {
  const auto words = static_cast<std::size_t>(numbers.words());
  const int first = least ? 1 : 0, count = least ? rows / 2 : rows;
  std::vector<std::uint32_t> table(static_cast<std::size_t>(count) * powers.size() * words);
  std::uint32_t* next = table.data();
  for (int k = first; k < first + count; ++k)
    for (const int m : powers) {
      const int signed_k = least || k < (rows + 1) / 2 ? k : k - rows;
      const double angle = -2 * std::numbers::pi * m * signed_k / n;
      encode(numbers,
             {static_cast<float>(-std::tan(angle / 2)), static_cast<float>(std::sin(angle))}, next);
      next += words;
    }
  return table;
}

std::vector<RootRows> root_rows(const RootTable& table, Numbers numbers, int K) {
  const auto at = [&](int pair) {
    return static_cast<int>(table.where.address) + pair * numbers.bytes();
  };
  const int step = table.rows / K * table.powers;  // from row to row
  if (!table.where.least) return {{1, K - 1, at(step), step, false}};
  const int above = K / 2, below = (K - 1) / 2;  // rows of frequencies k' < 0 and k' > 0
  std::vector<RootRows> all{{K - above, above, at(above * step - table.powers), -step, true}};
  if (below > 0) all.push_back({1, below, at(step - table.powers), step, false});
  return all;
}

void emit_turns(PencilPass& pass, const RootTable& table, int r, int power) {
  if (pass.K == 1) return;
  const Numbers numbers = pass.t.numbers;
  const int columns = pass.J() / r;
  const Matrix from = pass.from();
  for (const RootRows& rows : root_rows(table, numbers, pass.K))
    emit_rotation(
        pass.v, numbers, rows.conjugate,
        [&](int part) {
          return from.at(part, rows.first, columns,
                         {{rows.count, from.row}, {(r - 1) * columns, from.column}});
        },
        [&](int bytes) {
          return View(pass.call.zero, rows.address + power * numbers.bytes() + bytes,
                      {{rows.count, 2 * rows.step}, {r - 1, 2}, {columns, 0}});
        });
}

void emit_radix2_pass(PencilPass& pass, const RootTable& table, int power) {
  if (pass.K == 2) {
    emit_second_radix2_pass(pass);
    return pass.done(2);
  }
  const int K = pass.K, half = pass.J() / 2;
  const Matrix from = pass.from(), to = pass.to(2);
  VectorWriter& v = pass.v;
  emit_turns(pass, table, 2, power);
  const auto source = [&](int column) {
    return from.at(0, 0, column, {{2, from.part}, {K, from.row}, {half, from.column}});
  };
  // Rows from K / 2 on have the sum where the others have the difference.
  const auto block = [&](int first, int upper) {
    const int lower_rows = K == 1 ? 1 : K / 2;
    return to.at(0, first, 0,
                 {{2, to.part}, {K == 1 ? 1 : 2, upper * to.row}, {lower_rows * half, to.column}});
  };
  v.add(block(0, K / 2 + K), source(0), source(half));
  v.subtract(block(K, -K / 2), source(0), source(half));
  pass.done(2);
}

void emit_radix4_pass(PencilPass& pass, const RootTable& table) {
  const int K = pass.K, quarter = pass.J() / 4;
  const Matrix from = pass.from(), to = pass.to(4);
  VectorWriter& v = pass.v;
  emit_turns(pass, table, 4);
  // Of a sum the upper half of the rows stands K / 2 rows before the lower one, or 3 K + K / 2
  // after it for s = 0.
  const int halves = K == 1 ? 1 : 2, numbers = K / halves * quarter;
  const auto block = [&](int s) {
    const int upper = s == 0 ? 3 * K + K / 2 : -K / 2;
    return to.at(0, s * K, 0, {{2, to.part}, {halves, upper * to.row}, {numbers, to.column}});
  };
  // Columns 0 and 1 with 2 and 3, each a quarter. The sums wait where sums 2 and 1 will be.
  const auto two = [&](int column) {
    return from.at(
        0, 0, column * quarter,
        {{2, from.part}, {2, quarter * from.column}, {K, from.row}, {quarter, from.column}});
  };
  v.add(to.at(0, 2 * K, 0,
              {{2, to.part}, {2, -K * to.row}, {halves, -K / 2 * to.row}, {numbers, to.column}}),
        two(0), two(2));
  v.subtract(two(2), two(0), two(2));
  v.add(block(0), block(2), block(1));
  v.subtract(block(2), block(2), block(1));
  // Sums 1 and 3 are c - I d and c + I d.
  const View c = from.at(0, 0, 2 * quarter,
                         {{2, from.part}, {K, from.row}, {quarter, from.column}}),
             d = from.at(1, 0, 3 * quarter,
                         {{2, -from.part}, {K, from.row}, {quarter, from.column}});
  const auto crosswise = [&](int s, int other) {
    return to.at(
        0, s * K, 0,
        {{2, to.part + (other - s) * K * to.row}, {halves, -K / 2 * to.row}, {numbers, to.column}});
  };
  v.add(crosswise(1, 3), c, d);
  v.subtract(crosswise(3, 1), c, d);
  pass.done(4);
}

void emit_end(PencilPass& pass) {
  const int words = pass.t.n * pass.t.numbers.words(), parts = 2 * pass.t.n;
  const float scale = pass.t.scale;
  const Reg pencil = pass.call.pencil, aux = pass.call.aux;
  if (pass.in_aux && scale != 1.0F)
    pass.v.multiply(View(pencil, 0, {{parts, 1}}), View(aux, 0, {{parts, 1}}), scale);
  else if (pass.in_aux)
    pass.v.copy32(View(pencil, 0, {{words, 1}}), View(aux, 0, {{words, 1}}));
  else if (scale != 1.0F)
    pass.v.scale(View(pencil, 0, {{parts, 1}}), scale);
}

}  // namespace weft::wsfft
