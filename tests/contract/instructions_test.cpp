// Every instruction that computes, against plain C++, on operands from a seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "isa/info.hpp"
#include "support/half.hpp"
#include "support/mesh.hpp"

namespace weft::test::instructions_test {
namespace {

using Word = std::uint32_t;
using Words = std::vector<Word>;

float f(Word w) { return std::bit_cast<float>(w); }
Word w(float x) { return std::bit_cast<Word>(x); }
std::int32_t i(Word x) { return static_cast<std::int32_t>(x); }

/// Toward 0; the nearest integer of the type beyond its range, and 0 of a NaN.
template <class T>
Word whole(double x) {
  if (std::isnan(x)) return 0;
  const double least{std::numeric_limits<T>::min()}, most{std::numeric_limits<T>::max()};
  return static_cast<Word>(static_cast<T>(std::trunc(std::clamp(x, least, most))));
}

constexpr Reg kD{1}, kA{2}, kB{3}, kZero{15};

struct Operands {
  Word d, a, b;
};

/// Edge cases first, then anything; floats are finite and of ordinary size.
std::vector<Operands> operands(bool floats, int count = 40) {
  std::vector<Operands> all;
  const Words edges = floats ? Words{w(0.0F), w(-0.0F), w(1.0F), w(-1.5F), w(1e-42F), w(3e38F)}
                             : Words{0, 1, 31, 32, 0x7fffffff, 0x80000000, 0xffffffff};
  for (const Word a : edges)
    for (const Word b : edges) all.push_back({a, a, b});
  std::mt19937 random(20240);
  std::uniform_real_distribution<float> real(-100.0F, 100.0F);
  const auto draw = [&] { return floats ? w(real(random)) : static_cast<Word>(random()); };
  for (int n = 0; n < count; ++n) all.push_back({draw(), draw(), draw()});
  return all;
}

/// One PE per triple: each runs the instruction on its own operands, as lanes of strips do.
Words results(const std::vector<Operands>& in,
              const std::function<void(ProgramBuilder&)>& instruction) {
  ProgramBuilder b("arithmetic");
  b.reserve("words", 16);
  b.start(b.local_task(0));
  b.lw(kD, kZero, 0);
  b.lw(kA, kZero, 4);
  b.lw(kB, kZero, 8);
  instruction(b);
  b.sw(kD, kZero, 12);
  b.end();
  const int width = static_cast<int>(std::min(in.size(), std::size_t{20}));
  const int height = (static_cast<int>(in.size()) + width - 1) / width;
  const Rect all{0, 0, width, height};
  Layout layout(width, height);
  layout.place(all, b.build());
  Fabric fabric(layout, test_machine(), test_options());
  Words words;
  for (const Operands& o : in) words.insert(words.end(), {o.d, o.a, o.b, 0});
  words.resize(static_cast<std::size_t>(width * height) * 4);
  fabric.write(all, 0, words);
  fabric.run_until_idle(10000);
  fabric.read(all, 0, words);
  Words result;
  for (std::size_t n = 0; n < in.size(); ++n) result.push_back(words[4 * n + 3]);
  return result;
}

struct Case {
  const char* name;
  bool floats;
  std::function<void(ProgramBuilder&)> instruction;
  std::function<Word(Word, Word, Word)> expected;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"mov", false, [](auto& b) { b.mov(kD, kA); }, [](Word, Word a, Word) { return a; }},
      {"li", false, [](auto& b) { b.li(kD, -5); }, [](Word, Word, Word) { return 0xfffffffbU; }},
      {"add", false, [](auto& b) { b.add(kD, kA, kB); },
       [](Word, Word a, Word b) { return a + b; }},
      {"sub", false, [](auto& b) { b.sub(kD, kA, kB); },
       [](Word, Word a, Word b) { return a - b; }},
      {"mul", false, [](auto& b) { b.mul(kD, kA, kB); },
       [](Word, Word a, Word b) { return static_cast<Word>(std::uint64_t{a} * b); }},
      {"band", false, [](auto& b) { b.band(kD, kA, kB); },
       [](Word, Word a, Word b) { return a & b; }},
      {"bor", false, [](auto& b) { b.bor(kD, kA, kB); },
       [](Word, Word a, Word b) { return a | b; }},
      {"bxor", false, [](auto& b) { b.bxor(kD, kA, kB); },
       [](Word, Word a, Word b) { return a ^ b; }},
      {"shl", false, [](auto& b) { b.shl(kD, kA, kB); },
       [](Word, Word a, Word b) { return a << (b % 32); }},
      {"shr", false, [](auto& b) { b.shr(kD, kA, kB); },
       [](Word, Word a, Word b) { return a >> (b % 32); }},
      {"sar", false, [](auto& b) { b.sar(kD, kA, kB); },
       [](Word, Word a, Word b) { return static_cast<Word>(std::int64_t{i(a)} >> (b % 32)); }},
      {"addi", false, [](auto& b) { b.addi(kD, kA, -7); },
       [](Word, Word a, Word) { return a - 7; }},
      {"muli", false, [](auto& b) { b.muli(kD, kA, -3); },
       [](Word, Word a, Word) { return static_cast<Word>(std::int64_t{i(a)} * -3); }},
      {"shli", false, [](auto& b) { b.shli(kD, kA, 5); },
       [](Word, Word a, Word) { return a << 5U; }},
      {"shri", false, [](auto& b) { b.shri(kD, kA, 5); },
       [](Word, Word a, Word) { return a >> 5U; }},
      {"fadds", true, [](auto& b) { b.fadds(kD, kA, kB); },
       [](Word, Word a, Word b) { return w(f(a) + f(b)); }},
      {"fsubs", true, [](auto& b) { b.fsubs(kD, kA, kB); },
       [](Word, Word a, Word b) { return w(f(a) - f(b)); }},
      {"fmuls", true, [](auto& b) { b.fmuls(kD, kA, kB); },
       [](Word, Word a, Word b) { return w(f(a) * f(b)); }},
      {"fmacs", true, [](auto& b) { b.fmacs(kD, kA, kB); },
       [](Word d, Word a, Word b) { return w(std::fmaf(f(a), f(b), f(d))); }},
      {"faddh", false, [](auto& b) { b.faddh(kD, kA, kB); },
       [](Word, Word a, Word b) { return half(value(a) + value(b)); }},
      {"fsubh", false, [](auto& b) { b.fsubh(kD, kA, kB); },
       [](Word, Word a, Word b) { return half(value(a) - value(b)); }},
      {"fmulh", false, [](auto& b) { b.fmulh(kD, kA, kB); },
       [](Word, Word a, Word b) { return half(value(a) * value(b)); }},
      {"fmach", false, [](auto& b) { b.fmach(kD, kA, kB); },
       [](Word d, Word a, Word b) { return half(value(d) + value(a) * value(b)); }},
      {"fnegh", false, [](auto& b) { b.fnegh(kD, kA); },
       [](Word, Word a, Word) { return (a ^ 0x8000U) & 0xffffU; }},
      {"fh2s", false, [](auto& b) { b.fh2s(kD, kA); },
       [](Word, Word a, Word) {
         return std::isnan(value(a)) ? 0x7fc00000U : w(static_cast<float>(value(a)));
       }},
      {"fs2h", true, [](auto& b) { b.fs2h(kD, kA); },
       [](Word, Word a, Word) { return half(static_cast<long double>(f(a))); }},
      {"fnegs", true, [](auto& b) { b.fnegs(kD, kA); },
       [](Word, Word a, Word) { return w(-f(a)); }},
      {"fabss", true, [](auto& b) { b.fabss(kD, kA); },
       [](Word, Word a, Word) { return w(std::fabs(f(a))); }},
      {"fmaxs", true, [](auto& b) { b.fmaxs(kD, kA, kB); },
       [](Word, Word a, Word b) {
         return std::isnan(f(a)) || std::isnan(f(b)) ? 0x7fc00000U : f(a) < f(b) ? b : a;
       }},
      {"fabsh", false, [](auto& b) { b.fabsh(kD, kA); },
       [](Word, Word a, Word) { return a & 0x7fffU; }},
      {"fmaxh", false, [](auto& b) { b.fmaxh(kD, kA, kB); },
       [](Word, Word a, Word b) {
         if (std::isnan(value(a)) || std::isnan(value(b))) return 0x7e00U;
         return (value(a) < value(b) ? b : a) & 0xffffU;
       }},
      {"sari", false, [](auto& b) { b.sari(kD, kA, 5); },
       [](Word, Word a, Word) { return static_cast<Word>(i(a) >> 5); }},
      {"bandi", false, [](auto& b) { b.bandi(kD, kA, 0x7ff0); },
       [](Word, Word a, Word) { return a & 0x7ff0U; }},
      {"bori", false, [](auto& b) { b.bori(kD, kA, -16); },
       [](Word, Word a, Word) { return a | 0xfffffff0U; }},
      {"bxori", false, [](auto& b) { b.bxori(kD, kA, -1); }, [](Word, Word a, Word) { return ~a; }},
      {"fmins", true, [](auto& b) { b.fmins(kD, kA, kB); },
       [](Word, Word a, Word b) {
         return std::isnan(f(a)) || std::isnan(f(b)) ? 0x7fc00000U : f(b) < f(a) ? b : a;
       }},
      {"fminh", false, [](auto& b) { b.fminh(kD, kA, kB); },
       [](Word, Word a, Word b) {
         if (std::isnan(value(a)) || std::isnan(value(b))) return 0x7e00U;
         return (value(b) < value(a) ? b : a) & 0xffffU;
       }},
      {"flts", false, [](auto& b) { b.flts(kD, kA, kB); },
       [](Word, Word a, Word b) { return Word{f(a) < f(b)}; }},
      {"fles", false, [](auto& b) { b.fles(kD, kA, kB); },
       [](Word, Word a, Word b) { return Word{f(a) <= f(b)}; }},
      {"feqs", false, [](auto& b) { b.feqs(kD, kA, kB); },
       [](Word, Word a, Word b) { return Word{f(a) == f(b)}; }},
      {"flth", false, [](auto& b) { b.flth(kD, kA, kB); },
       [](Word, Word a, Word b) { return Word{value(a) < value(b)}; }},
      {"fleh", false, [](auto& b) { b.fleh(kD, kA, kB); },
       [](Word, Word a, Word b) { return Word{value(a) <= value(b)}; }},
      {"feqh", false, [](auto& b) { b.feqh(kD, kA, kB); },
       [](Word, Word a, Word b) { return Word{value(a) == value(b)}; }},
      {"fi2s", false, [](auto& b) { b.fi2s(kD, kA); },
       [](Word, Word a, Word) { return w(static_cast<float>(i(a))); }},
      {"fu2s", false, [](auto& b) { b.fu2s(kD, kA); },
       [](Word, Word a, Word) { return w(static_cast<float>(a)); }},
      {"fs2i", true, [](auto& b) { b.fs2i(kD, kA); },
       [](Word, Word a, Word) { return whole<std::int32_t>(f(a)); }},
      {"fs2i", false, [](auto& b) { b.fs2i(kD, kA); },
       [](Word, Word a, Word) { return whole<std::int32_t>(f(a)); }},
      {"fs2u", true, [](auto& b) { b.fs2u(kD, kA); },
       [](Word, Word a, Word) { return whole<Word>(f(a)); }},
      {"fs2u", false, [](auto& b) { b.fs2u(kD, kA); },
       [](Word, Word a, Word) { return whole<Word>(f(a)); }},
  };
  return all;
}

TEST(Instructions, ScalarResultsAreThoseOfTheHost) {
  for (const Case& c : cases()) {
    const std::vector<Operands> in = operands(c.floats);
    const Words got = results(in, c.instruction);
    for (std::size_t n = 0; n < in.size(); ++n) {
      const Word expected = c.expected(in[n].d, in[n].a, in[n].b);
      if (std::isnan(f(expected)) && c.floats) {
        EXPECT_TRUE(std::isnan(f(got[n]))) << c.name;
      } else {
        EXPECT_EQ(got[n], expected)
            << c.name << " of " << in[n].d << ", " << in[n].a << ", " << in[n].b;
      }
    }
  }
}

TEST(Instructions, EveryScalarThatComputesIsTested) {
  std::vector<std::string_view> missing;
  for (int op = 0; op < isa::kInstructions; ++op) {
    const isa::InstructionInfo& row = isa::info(static_cast<Op>(op));
    const bool computes = isa::info(row.format).group == isa::Group::scalar;
    const bool tested =
        std::ranges::any_of(cases(), [&](const Case& c) { return row.name == c.name; });
    if (computes && !tested) missing.push_back(row.name);
  }
  EXPECT_TRUE(missing.empty()) << missing.front();
}

TEST(Instructions, FmacRoundsOnce) {
  const float x = 1.0F + 0x1p-12F;
  const Words got =
      results({{w(-1.0F), w(x), w(x)}}, [](ProgramBuilder& b) { b.fmacs(kD, kA, kB); });
  EXPECT_EQ(f(got[0]), static_cast<float>(static_cast<double>(x) * x - 1.0));
  EXPECT_NE(f(got[0]), static_cast<float>(x * x) - 1.0F);
}

TEST(Instructions, BranchesCompareAsTheySay) {
  struct Branch {
    const char* name;
    std::function<void(ProgramBuilder&, Label)> instruction;
    std::function<bool(Word, Word)> taken;
  };
  const std::vector<Branch> branches = {
      {"beq", [](ProgramBuilder& b, Label to) { b.beq(kA, kB, to); },
       [](Word a, Word b) { return a == b; }},
      {"bne", [](ProgramBuilder& b, Label to) { b.bne(kA, kB, to); },
       [](Word a, Word b) { return a != b; }},
      {"blt", [](ProgramBuilder& b, Label to) { b.blt(kA, kB, to); },
       [](Word a, Word b) { return i(a) < i(b); }},
      {"bge", [](ProgramBuilder& b, Label to) { b.bge(kA, kB, to); },
       [](Word a, Word b) { return i(a) >= i(b); }},
      {"bltu", [](ProgramBuilder& b, Label to) { b.bltu(kA, kB, to); },
       [](Word a, Word b) { return a < b; }},
      {"bgeu", [](ProgramBuilder& b, Label to) { b.bgeu(kA, kB, to); },
       [](Word a, Word b) { return a >= b; }}};
  const std::vector<Operands> in = operands(false);
  for (const Branch& branch : branches) {
    const Words got = results(in, [&](ProgramBuilder& b) {
      const Label over = b.label();
      b.li(kD, 1);
      branch.instruction(b, over);
      b.li(kD, 0);
      b.place(over);
    });
    for (std::size_t n = 0; n < in.size(); ++n)
      EXPECT_EQ(got[n] == 1, branch.taken(in[n].a, in[n].b))
          << branch.name << " " << in[n].a << ", " << in[n].b;
  }
}

TEST(Instructions, VectorsComputeElementByElement) {
  // Three arrays of seven floats at 0, 40 and 80; the first is the destination.
  struct Vector {
    const char* name;
    std::function<void(ProgramBuilder&, Dsr, Dsr, Dsr, Reg)> instruction;
    std::function<float(float, float, float, float)> expected;
  };
  const std::vector<Vector> vectors = {
      {"vfadds", [](auto& b, Dsr d, Dsr x, Dsr y, Reg) { b.vfadds(d, x, y); },
       [](float, float x, float y, float) { return x + y; }},
      {"vfsubs", [](auto& b, Dsr d, Dsr x, Dsr y, Reg) { b.vfsubs(d, x, y); },
       [](float, float x, float y, float) { return x - y; }},
      {"vfmuls", [](auto& b, Dsr d, Dsr x, Dsr y, Reg) { b.vfmuls(d, x, y); },
       [](float, float x, float y, float) { return x * y; }},
      {"vfmacs", [](auto& b, Dsr d, Dsr x, Dsr y, Reg) { b.vfmacs(d, x, y); },
       [](float d, float x, float y, float) { return std::fmaf(x, y, d); }},
      {"vfaddsr", [](auto& b, Dsr d, Dsr x, Dsr, Reg r) { b.vfaddsr(d, x, r); },
       [](float, float x, float, float r) { return x + r; }},
      {"vfmulsr", [](auto& b, Dsr d, Dsr x, Dsr, Reg r) { b.vfmulsr(d, x, r); },
       [](float, float x, float, float r) { return x * r; }},
      {"vfmacsr", [](auto& b, Dsr d, Dsr x, Dsr, Reg r) { b.vfmacsr(d, x, r); },
       [](float d, float x, float, float r) { return std::fmaf(x, r, d); }},
      {"vmov32", [](auto& b, Dsr d, Dsr x, Dsr, Reg) { b.vmov32(d, x); },
       [](float, float x, float, float) { return x; }},
      {"vmov32r", [](auto& b, Dsr d, Dsr, Dsr, Reg r) { b.vmov32r(d, r); },
       [](float, float, float, float r) { return r; }}};
  constexpr int n = 7;
  const float scalar = 0.3F;
  for (const Vector& vector : vectors) {
    ProgramBuilder b(vector.name);
    b.reserve("arrays", 120);
    b.start(b.local_task(0));
    for (const Dsr d : {Dsr{0}, Dsr{1}, Dsr{2}}) {
      b.dbase(d, 40 * d.index);
      b.dlen(d, n);
      b.dstride(d, 1);
    }
    b.li(kA, i(w(scalar)));
    vector.instruction(b, Dsr{0}, Dsr{1}, Dsr{2}, kA);
    b.end();
    Fabric fabric(alone(b.build()), test_machine(), test_options());
    std::mt19937 random(7);
    std::uniform_real_distribution<float> real(-2.0F, 2.0F);
    Words before(30);
    for (Word& word : before) word = w(real(random));
    fabric.write({0, 0, 1, 1}, 0, before);
    fabric.run_until_idle(10000);
    Words after(30);
    fabric.read({0, 0, 1, 1}, 0, after);
    Words expected = before;
    for (std::size_t k = 0; k < n; ++k)
      expected[k] = w(vector.expected(f(before[k]), f(before[10 + k]), f(before[20 + k]), scalar));
    EXPECT_EQ(after, expected) << vector.name;
  }
}

TEST(Instructions, CoordinatesNameThePe) {
  ProgramBuilder b("where");
  b.reserve("place", 8);
  b.start(b.local_task(0));
  b.xcoord(kA);
  b.ycoord(kB);
  b.sw(kA, kZero, 0);
  b.sw(kB, kZero, 4);
  b.end();
  Layout layout(40, 9);
  layout.place({0, 0, 40, 9}, b.build());
  Fabric fabric(layout, test_machine(), test_options());
  fabric.run_until_idle(1000);
  Words words(2 * 360);
  fabric.read({0, 0, 40, 9}, 0, words);
  for (Word n = 0; n < 360; ++n) {
    EXPECT_EQ(words[2 * n], n % 40);
    EXPECT_EQ(words[2 * n + 1], n / 40);
  }
}

}  // namespace
}  // namespace weft::test::instructions_test
