// FP16 multiply-add rounds once: against the exact sum, on 100,000 triples that are mostly hard.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "support/half.hpp"
#include "support/mesh.hpp"

namespace weft::test::fp16_multiply_add_test {
namespace {

using Word = std::uint32_t;
using Words = std::vector<Word>;

constexpr Dsr kD{0}, kA{1}, kB{2};

class Patterns {
 public:
  explicit Patterns(unsigned seed) : random_(seed) {}
  Word below(Word n) { return static_cast<Word>(random_()) % n; }

 private:
  std::mt19937 random_;
};

/// Puts the k-th half of an image.
void put(Words& image, std::size_t k, Word x) { image[k / 2] |= x << 16 * (k % 2); }

struct Triple {
  Word d, a, b;
};

/// The number that is `exponent` above the smallest binade, with a fraction of ten bits.
Word half_of(Word sign, Word exponent, Word fraction) {
  return sign << 15U | exponent << 10U | fraction;
}

/// Multiply-adds that lie at ties of FP16, just beside them, or cancel; and any others.
Triple hard_triple(Patterns& patterns, Word n) {
  const Word sign = patterns.below(2), other = patterns.below(2);
  switch (n % 6) {
    case 0: {  // a b is half a unit of d, times 1, 1 + 2^-10 or 1 - 2^-11
      const Word exponent = 12 + patterns.below(18);
      const Word factor[] = {half_of(0, 15, 0), half_of(0, 15, 1), half_of(0, 14, 1023)};
      const Word unit = half_of(other, exponent - 11, 0);
      return {half_of(sign, exponent, patterns.below(1024)), unit, factor[patterns.below(3)]};
    }
    case 1: {  // cancellation: d is near -a b
      const Word a = half_of(sign, 8 + patterns.below(10), patterns.below(1024));
      const Word b = half_of(other, 8 + patterns.below(10), patterns.below(1024));
      const Word product = half(value(a) * value(b));
      return {(product ^ 0x8000U) + patterns.below(3) - 1, a, b};
    }
    case 2: {  // d + a b is subnormal or nearly
      const Word a = half_of(sign, patterns.below(12), patterns.below(1024));
      return {half_of(other, patterns.below(3), patterns.below(1024)), a,
              half_of(0, 4 + patterns.below(8), patterns.below(1024))};
    }
    case 3: {  // near the largest number: 16 more is infinity
      const Word b = half_of(0, 15 + patterns.below(2), patterns.below(4));
      return {half_of(sign, 30, 1020 + patterns.below(4)), half_of(other, 18, patterns.below(8)),
              b};
    }
    case 4: {  // d decides a tie of a b, from far below
      const Word a = half_of(sign, 15, 1 + patterns.below(1023));
      return {half_of(other, patterns.below(3), patterns.below(4)), a,
              half_of(0, 15 + patterns.below(3), patterns.below(1024))};
    }
    default:
      return {patterns.below(0x10000), patterns.below(0x10000), patterns.below(0x10000)};
  }
}

TEST(Fp16, MultiplyAddRoundsOnce) {
  // The sum of d and a b has at most 64 significant bits: in long double it is exact.
  static_assert(std::numeric_limits<long double>::digits >= 64);
  constexpr int kPes = 64, kEach = 1600;
  constexpr std::int32_t kBytes = 2 * kEach;
  ProgramBuilder b("fma");
  b.reserve("triples", 3 * kBytes);
  b.start(b.local_task(0));
  for (const Dsr dsr : {kD, kA, kB}) {
    b.dbase(dsr, kBytes * dsr.index);
    b.dlen(dsr, kEach);
    b.dstride(dsr, 1);
  }
  b.vfmach(kD, kA, kB);
  b.end();
  const Rect all{0, 0, kPes / 4, 4};
  Layout layout(kPes / 4, 4);
  layout.place(all, b.build());
  Fabric fabric(layout, Machine{}, test_options());
  Patterns patterns(33);
  std::vector<std::vector<Triple>> triples(kPes);
  constexpr std::size_t kImageWords = 3 * kBytes / 4;
  Words words(kPes * kImageWords);
  for (std::size_t x = 0; x < kPes; ++x) {
    Words image(kImageWords);
    for (Word n = 0; n < kEach; ++n) {
      const Triple t = hard_triple(patterns, n);
      triples[x].push_back(t);
      put(image, n, t.d & 0xffffU);
      put(image, kEach + n, t.a);
      put(image, 2 * kEach + n, t.b);
    }
    std::ranges::copy(image, words.begin() + static_cast<std::ptrdiff_t>(x * kImageWords));
  }
  fabric.write(all, 0, words);
  fabric.run_until_idle(100000);
  fabric.read(all, 0, words);
  int rounded_twice = 0;
  for (std::size_t x = 0; x < kPes; ++x)
    for (Word n = 0; n < kEach; ++n) {
      const Triple t = triples[x][n];
      const Word got = words[x * kImageWords + n / 2] >> 16 * (n % 2) & 0xffffU;
      const long double product = value(t.a) * value(t.b);
      ASSERT_EQ(got, half(value(t.d) + product)) << std::hex << t.d << " + " << t.a << " * " << t.b;
      rounded_twice += got != half(value(t.d) + value(half(product)));
    }
  EXPECT_GT(rounded_twice, 5000) << "the triples are hard";
}

}  // namespace
}  // namespace weft::test::fp16_multiply_add_test
