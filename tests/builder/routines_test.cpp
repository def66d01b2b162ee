// Division, square root and remainder, against the host's own arithmetic, bit for bit: one pair of
// operands in each PE.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "effort.hpp"
#include "expect_error.hpp"
#include "half.hpp"
#include "run.hpp"

namespace weft::test::routines_test {
namespace {

using Word = std::uint32_t;
using Words = std::vector<Word>;
using Pair = std::array<Word, 2>;

float f(Word w) { return std::bit_cast<float>(w); }
/// The bits of a result: every NaN is the same.
Word bits(float x) { return std::isnan(x) ? 0x7fc00000U : std::bit_cast<Word>(x); }

/// Writes d = f(a, b) in registers of a type.
using Body = std::function<void(PeProgram&, PeScalar d, PeScalar a, PeScalar b)>;

/// The result of each pair, of operands of 32 bits or (in the low half) of 16.
template <class T>
Words results(const std::vector<Pair>& pairs, const Body& body) {
  using Bits = std::conditional_t<sizeof(T) == 4, Word, std::uint16_t>;
  constexpr int kWidth = 250;
  const int height = (static_cast<int>(pairs.size()) + kWidth - 1) / kWidth;
  Design design(kWidth, height);
  design.program(design.all(), "arithmetic", [&](PeProgram& pe) {
    const PeVector in = pe.array<T>("in", 2), out = pe.array<T>("out", 1);
    const PeScalar a = pe.scalar<T>("a"), b = pe.scalar<T>("b"), d = pe.scalar<T>("d");
    pe.load(a, in.at(0));
    pe.load(b, in.at(1));
    body(pe, d, a, b);
    pe.store(out, d);
  });
  Fabric fabric = design.fabric({}, test_options());
  std::vector<T> in;
  for (const Pair& p : pairs)
    for (const Word w : p) in.push_back(std::bit_cast<T>(static_cast<Bits>(w)));
  in.resize(static_cast<std::size_t>(kWidth * height) * 2);
  fabric.write<T>(design.all(), "in", in);
  fabric.run_until_idle(kFarLimit);
  Words words;
  for (const T x : fabric.read<T>(design.all(), "out")) words.push_back(std::bit_cast<Bits>(x));
  words.resize(pairs.size());
  return words;
}

template <class T>
void expect_results(const std::vector<Pair>& pairs, const Body& body,
                    const std::function<Word(Word, Word)>& expected) {
  const Words got = results<T>(pairs, body);
  int shown = 0;
  for (std::size_t n = 0; n < pairs.size() && shown < 10; ++n) {
    const Word wanted = expected(pairs[n][0], pairs[n][1]);
    if (got[n] == wanted) continue;
    ++shown;
    ADD_FAILURE() << std::hex << pairs[n][0] << ", " << pairs[n][1] << ": " << got[n] << ", not "
                  << wanted;
  }
}

constexpr Word kSpecial[] = {
    0,          1,          2,          3,          0x00400000, 0x007ffffe, 0x007fffff, 0x00800000,
    0x00800001, 0x00ffffff, 0x01000000, 0x0c000000, 0x33800000, 0x34000001, 0x3effffff, 0x3f000000,
    0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fffffff, 0x40000000, 0x40400000, 0x4b7fffff, 0x4b800000,
    0x7e800000, 0x7effffff, 0x7f000000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff};

/// All pairs of special numbers of both signs, then numbers of any exponent, of exponents near each
/// other, and whose quotient is near the smallest numbers.
std::vector<Pair> float_pairs(int count) {
  std::vector<Pair> pairs;
  for (const Word a : kSpecial)
    for (const Word b : kSpecial)
      for (const Word signs : {0U, 1U, 2U, 3U})
        pairs.push_back({a | (signs & 1U) << 31U, b | signs >> 1U << 31U});
  std::mt19937 random(5);
  const auto any = [&] { return static_cast<Word>(random()); };
  const auto with_exponent = [&](Word e) { return (any() & 0x807fffffU) | e << 23U; };
  for (int n = 0; n < count; ++n) {
    const Word e = 1 + any() % 100;
    switch (n % 4) {
      case 0:
        pairs.push_back({any(), any()});
        break;
      case 1:
        pairs.push_back({with_exponent(120 + any() % 16), with_exponent(120 + any() % 16)});
        break;
      case 2:  // subnormal, or nearly
        pairs.push_back({with_exponent(e), with_exponent(e + 120 + any() % 32)});
        break;
      default:
        pairs.push_back({any() & 0x80ffffffU, with_exponent(any() % 3 == 0 ? 0 : 90 + e / 2)});
    }
  }
  return pairs;
}

TEST(Routines, DivisionIsCorrectlyRounded) {
  expect_results<float>(
      float_pairs(by_effort(2'000, 20'000, 100'000)),
      [](PeProgram& pe, PeScalar d, PeScalar a, PeScalar b) { pe.divide(d, a, b); },
      [](Word a, Word b) { return bits(f(a) / f(b)); });
}

TEST(Routines, TheReciprocalIsCorrectlyRounded) {
  expect_results<float>(
      float_pairs(by_effort(500, 4'000, 20'000)),
      [](PeProgram& pe, PeScalar d, PeScalar a, PeScalar) { pe.reciprocal(d, a); },
      [](Word a, Word) { return bits(1.0F / f(a)); });
}

TEST(Routines, TheSquareRootIsCorrectlyRounded) {
  expect_results<float>(
      float_pairs(by_effort(2'000, 20'000, 100'000)),
      [](PeProgram& pe, PeScalar d, PeScalar a, PeScalar) { pe.square_root(d, a); },
      [](Word a, Word) { return bits(std::sqrt(f(a))); });
}

/// Every number has its root tried.
TEST(Routines, HalvesAreCorrectlyRounded) {
  std::vector<Pair> all, some;
  for (Word a = 0; a < 0x10000; a += by_effort(37U, 5U, 1U)) all.push_back({a, 0});
  std::mt19937 random(6);
  for (int n = by_effort(2'000, 10'000, 50'000); n > 0; --n)
    some.push_back({static_cast<Word>(random() & 0xffffU), static_cast<Word>(random() & 0xffffU)});
  expect_results<Half>(
      all, [](PeProgram& pe, PeScalar d, PeScalar a, PeScalar) { pe.square_root(d, a); },
      [](Word a, Word) { return half(std::sqrt(value(a))); });
  expect_results<Half>(
      some, [](PeProgram& pe, PeScalar d, PeScalar a, PeScalar b) { pe.divide(d, a, b); },
      [](Word a, Word b) { return half(value(a) / value(b)); });
}

std::vector<Pair> integer_pairs(int count) {
  std::vector<Pair> pairs;
  std::vector<Word> edges{0, 1, 2, 3, 10, 0x7fff, 0x8000, 0xffff, 0x10000, 0xffffff, 0x1000001};
  for (const Word w : {0x7fffffffU, 0x80000000U, 0x80000001U, 0xaaaaaaaaU}) edges.push_back(w);
  for (const Word w : {1U, 2U, 3U, 7U, 0x8000U, 0x10001U}) edges.push_back(0U - w);
  for (const Word a : edges)
    for (const Word b : edges) pairs.push_back({a, b});
  std::mt19937 random(7);
  for (int n = 0; n < count; ++n) {
    const Word a = static_cast<Word>(random()), b = static_cast<Word>(random()) >> random() % 32;
    // Near a multiple of the divisor, where a quotient is soonest wrong.
    pairs.push_back({n % 2 == 0 ? a : a / std::max(b, Word{1}) * b - Word{n % 4 == 1}, b});
    if (n % 3 == 0) pairs.back()[1] = 0U - b;
  }
  return pairs;
}

TEST(Routines, UnsignedIntegersAreDividedTowardZero) {
  const std::vector<Pair> pairs = integer_pairs(by_effort(1'000, 10'000, 50'000));
  expect_results<std::uint32_t>(
      pairs, [](PeProgram& pe, PeScalar d, PeScalar a, PeScalar b) { pe.divide(d, a, b); },
      [](Word a, Word b) { return b == 0 ? ~Word{0} : a / b; });
  expect_results<std::uint32_t>(
      pairs, [](PeProgram& pe, PeScalar d, PeScalar a, PeScalar b) { pe.remainder(d, a, b); },
      [](Word a, Word b) { return b == 0 ? a : a % b; });
}

TEST(Routines, SignedIntegersAreDividedTowardZero) {
  const std::vector<Pair> pairs = integer_pairs(by_effort(1'000, 10'000, 50'000));
  const auto wide = [](Word x) { return std::int64_t{static_cast<std::int32_t>(x)}; };
  expect_results<std::int32_t>(
      pairs, [](PeProgram& pe, PeScalar d, PeScalar a, PeScalar b) { pe.divide(d, a, b); },
      [&](Word a, Word b) { return static_cast<Word>(b == 0 ? -1 : wide(a) / wide(b)); });
  expect_results<std::int32_t>(
      pairs, [](PeProgram& pe, PeScalar d, PeScalar a, PeScalar b) { pe.remainder(d, a, b); },
      [&](Word a, Word b) { return static_cast<Word>(b == 0 ? wide(a) : wide(a) % wide(b)); });
}

TEST(Routines, IntegersOfSixteenBitsAreDividedTowardZero) {
  const std::vector<Pair> pairs = integer_pairs(by_effort(500, 2'000, 10'000));
  const auto wide = [](Word x) { return static_cast<int>(static_cast<std::int16_t>(x & 0xffffU)); };
  expect_results<std::int16_t>(
      pairs, [](PeProgram& pe, PeScalar d, PeScalar a, PeScalar b) { pe.divide(d, a, b); },
      [&](Word a, Word b) {
        return static_cast<Word>(wide(b) == 0 ? -1 : wide(a) / wide(b)) & 0xffffU;
      });
  expect_results<std::uint16_t>(
      pairs, [](PeProgram& pe, PeScalar d, PeScalar a, PeScalar b) { pe.remainder(d, a, b); },
      [&](Word a, Word b) {
        a &= 0xffffU;
        b &= 0xffffU;
        return b == 0 ? a : a % b;
      });
}

/// Cycles of what the body writes, on the default machine.
template <class T>
int cycles_of(const Body& body, PeValue of_a = 7, PeValue of_b = 3) {
  Design design(1, 1);
  design.program(design.all(), "arithmetic", [&](PeProgram& pe) {
    const PeScalar a = pe.scalar<T>("a"), b = pe.scalar<T>("b"), d = pe.scalar<T>("d");
    const PeScalar start = pe.scalar<std::uint32_t>("start");
    const PeVector out = pe.array<std::uint32_t>("out", 1);
    pe.set(a, of_a);
    pe.set(b, of_b);
    pe.tsc(start);
    body(pe, d, a, b);
    pe.elapsed(start, start);
    pe.store(out, start);
  });
  Fabric fabric = design.fabric({}, test_options());
  fabric.run_until_idle(kFarLimit);
  return static_cast<int>(fabric.read<std::uint32_t>({0, 0, 1, 1}, "out").front()) - 1;  // a tsc
}

TEST(Routines, TheirCycles) {
  const Body divide = [](PeProgram& pe, PeScalar d, PeScalar a, PeScalar b) { pe.divide(d, a, b); };
  const Body remainder = [](PeProgram& pe, PeScalar d, PeScalar a, PeScalar b) {
    pe.remainder(d, a, b);
  };
  const Body root = [](PeProgram& pe, PeScalar d, PeScalar a, PeScalar) { pe.square_root(d, a); };
  EXPECT_EQ(cycles_of<float>([](PeProgram&, PeScalar, PeScalar, PeScalar) {}), 0);
  EXPECT_EQ(cycles_of<float>(divide), 69);
  EXPECT_EQ(cycles_of<float>(root), 58);
  EXPECT_EQ(cycles_of<float>(divide, 1e-40F, 3), 117);
  EXPECT_EQ(cycles_of<float>(divide, 1e-20F, 3e20F), 120);
  EXPECT_EQ(cycles_of<float>(divide, 1e-40F, 1e-42F), 101);
  EXPECT_EQ(cycles_of<float>(divide, 1e-40F, 1e20F), 117);
  EXPECT_EQ(cycles_of<float>(divide, 1, 0), 41);
  EXPECT_EQ(cycles_of<float>(root, 1e-40F), 71);
  EXPECT_EQ(cycles_of<float>(root, -1), 27);
  EXPECT_EQ(cycles_of<Half>(divide), 69);
  EXPECT_EQ(cycles_of<std::int32_t>(divide), 68);
  EXPECT_EQ(cycles_of<std::int32_t>(divide, -7, 3), 68);
  EXPECT_EQ(cycles_of<std::int16_t>(divide), 71);
  EXPECT_EQ(cycles_of<std::uint32_t>(divide), 55);
  EXPECT_EQ(cycles_of<std::uint32_t>(remainder), 55);
}

/// The registers that a routine takes for itself are those of the program again after it.
TEST(Routines, RegistersStay) {
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector out = pe.array<std::int32_t>("out", 8);
    std::vector<PeScalar> held;
    for (int n = 0; n < 8; ++n) held.push_back(pe.scalar<std::int32_t>(std::to_string(n)));
    for (int n = 0; n < 8; ++n) pe.set(held[static_cast<std::size_t>(n)], 100 * n + 100);
    const PeScalar x = pe.scalar<float>("x");
    pe.set(x, 2.0);
    pe.square_root(x, x);
    pe.divide(x, x, 3.0);
    pe.divide(held[7], held[7], held[1]);
    pe.remainder(held[6], held[6], 33);
    for (int n = 0; n < 8; ++n) pe.store(out.at(n), held[static_cast<std::size_t>(n)]);
  });
  EXPECT_EQ(run(d).read<std::int32_t>({0, 0, 1, 1}, "out"),
            (std::vector<std::int32_t>{100, 200, 300, 400, 500, 600, 700 % 33, 4}));
}

TEST(Routines, RefuseWhatTheyDoNotTake) {
  expect_error(
      ErrorCategory::program,
      [] {
        PeProgram pe("p");
        const PeScalar x = pe.scalar<float>("x");
        pe.remainder(x, x, x);
      },
      "program p: invalid operands of remainder: registers of type float (it takes integers)");
  expect_error(
      ErrorCategory::program,
      [] {
        PeProgram pe("p");
        const PeScalar n = pe.scalar<std::int32_t>("n");
        pe.square_root(n, n);
      },
      "program p: invalid operands of square_root: registers of type int32");
}

}  // namespace
}  // namespace weft::test::routines_test
