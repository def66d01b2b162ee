// Stockham's radix 2 and radix 4, with passes of radix 3 and 5 after them. An even number of passes
// ends where it began.

#include <algorithm>
#include <array>

#include "fft/wsfft/pencil_algorithms.hpp"
#include "fft/wsfft/pencil_passes.hpp"

namespace weft::wsfft {
namespace {

/// n = 2^twos 3^threes 5^fives; `two`, `three` and `five` are these powers.
struct Factors {
  int twos = 0, threes = 0, fives = 0;
  int two = 1, three = 1, five = 1;
  int rest;  ///< 1 if n has no other factors

  explicit Factors(int n) : rest(n) {
    const auto divide = [&](int prime, int& count, int& power) {
      for (; rest % prime == 0; rest /= prime, power *= prime) ++count;
    };
    divide(2, twos, two);
    divide(3, threes, three);
    divide(5, fives, five);
  }
};

/// A table of roots: its place in the whole one, in pairs, and which.
struct Table {
  int rows = 0;
  std::vector<int> powers{};
  int turn = 1;  ///< the roots are powers of exp(-2 pi I / turn)
  int first = 0;

  int pairs(bool least) const {
    return (least ? rows / 2 : rows) * static_cast<int>(powers.size());
  }
  RootTable at(PencilRoots roots, Numbers numbers) const {
    roots.address += static_cast<std::uint32_t>(first * numbers.bytes());
    return {roots, rows, static_cast<int>(powers.size())};
  }
};

/// Passes of radix 4, of a transform that prefers as few or as many as it may: so that the number
/// of all passes is even, if that can be.
int fours_of(const Factors& f, int radix) {
  const auto even = [&](int fours) {
    return fours >= 0 && 2 * fours <= f.twos && (f.twos - fours + f.threes + f.fives) % 2 == 0;
  };
  const int preferred = radix == 2 ? 0 : f.twos / 2, other = preferred + (radix == 2 ? 1 : -1);
  return even(preferred) || !even(other) ? preferred : other;
}

/// Whether the table for radix 4 serves passes of radix 2 too: its second powers are their roots.
bool has_squares(const Factors& f, int radix) { return radix == 4 && fours_of(f, radix) > 0; }

/// For the last pass of each radix, which has the most rows: of 2 or 4, of 3, of 5. Of n numbers;
/// pencils of fewer take some of the roots, if both are powers of two.
std::array<Table, 3> tables_of(int n, int radix, bool least) {
  const Factors f(n);
  std::array<Table, 3> tables{};
  tables[0] =
      has_squares(f, radix) ? Table{f.two / 4, {1, 2, 3}, f.two} : Table{f.two / 2, {1}, f.two};
  if (f.threes > 0) tables[1] = {f.two * f.three / 3, {1, 2}, f.two * f.three};
  if (f.fives > 0) tables[2] = {n / 5, {1, 2, 3, 4}, n};
  for (std::size_t k = 1; k < tables.size(); ++k)
    tables[k].first = tables[k - 1].first + tables[k - 1].pairs(least);
  return tables;
}

int pairs_of(int n, int radix, bool least) {
  const Table last = tables_of(n, radix, least).back();
  return std::max(last.first + last.pairs(least), 1);  // no span of memory is empty
}

std::vector<std::uint32_t> roots_of(Numbers numbers, int n, int radix, bool least) {
  std::vector<std::uint32_t> all;
  for (const Table& table : tables_of(n, radix, least)) {
    const std::vector<std::uint32_t> one =
        lifting_pairs(numbers, table.turn, table.rows, table.powers, least);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

void emit_passes(ProgramBuilder& p, const PencilCall& call, const PencilTransform& t,
                 const PencilRoots& roots, int radix) {
  VectorWriter v(p, t.numbers, call.zero);
  PencilPass pass{v, call, t};
  const Factors f(t.n);
  const std::array<Table, 3> tables = tables_of(roots.n, radix, roots.least);
  const auto table = [&](std::size_t k) { return tables[k].at(roots, t.numbers); };
  const int fours = fours_of(f, radix), twos = f.twos - 2 * fours;
  const int power = has_squares(Factors(roots.n), radix) ? 1 : 0;
  const auto emit_fours = [&](int count) {
    for (int k = 0; k < count; ++k) emit_radix4_pass(pass, table(0));
  };
  // The first pass, and the second of radix 2, have no roots but 1 and I.
  if (radix == 2) emit_fours(fours);
  for (int k = 0; k < twos; ++k) emit_radix2_pass(pass, table(0), power);
  if (radix == 4) emit_fours(fours);
  for (int k = 0; k < f.threes; ++k) emit_radix3_pass(pass, table(1));
  for (int k = 0; k < f.fives; ++k) emit_radix5_pass(pass, table(2));
  emit_end(pass);
}

}  // namespace

bool is_smooth(int n) { return n > 1 && Factors(n).rest == 1; }

int smooth_below(int n) {
  do --n;
  while (!is_smooth(n));
  return n;
}

int smooth_above(int n) {
  do ++n;
  while (!is_smooth(n));
  return n;
}

void emit_stockham(ProgramBuilder& p, const PencilCall& call, const PencilTransform& t,
                   const PencilRoots& roots) {
  emit_passes(p, call, t, roots, 2);
}

int stockham_pairs(int n, bool least) { return pairs_of(n, 2, least); }

std::vector<std::uint32_t> stockham_roots(Numbers numbers, int n, FftDirection /*direction*/,
                                          bool least) {
  return roots_of(numbers, n, 2, least);
}

void emit_radix4(ProgramBuilder& p, const PencilCall& call, const PencilTransform& t,
                 const PencilRoots& roots) {
  emit_passes(p, call, t, roots, 4);
}

int radix4_pairs(int n, bool least) { return pairs_of(n, 4, least); }

std::vector<std::uint32_t> radix4_roots(Numbers numbers, int n, FftDirection /*direction*/,
                                        bool least) {
  return roots_of(numbers, n, 4, least);
}

}  // namespace weft::wsfft
