// Arithmetic of PE programs on registers and vectors: every method, by type.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "expect_error.hpp"
#include "run.hpp"

namespace weft::test::arithmetic_test {
namespace {

constexpr Rect kPe{0, 0, 1, 1};
constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");

template <class T>
using Vec = std::vector<T>;

Vec<Half> halves(const Vec<float>& values) { return {values.begin(), values.end()}; }

Vec<float> floats(const Fabric& f, const std::string& symbol) {
  const Vec<Half> read = f.read<Half>(kPe, symbol);
  return {read.begin(), read.end()};
}

TEST(Arithmetic, LargerSmallerAndAbsoluteOfFloats) {
  const Vec<float> got = left<float>(6, [](PeProgram& pe, Vec<PeScalar>& r) {
    pe.set(r[0], -2.5);
    pe.set(r[1], 1.5);
    pe.max(r[2], r[0], r[1]);
    pe.min(r[3], r[0], r[1]);
    pe.absolute(r[4], r[0]);
    pe.negate(r[5], r[1]);
    pe.sub(r[1], r[1], 0.5);
  });
  EXPECT_EQ(got, (Vec<float>{-2.5, 1.0, 1.5, -2.5, 2.5, -1.5}));
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector out = pe.array<Half>("out", 4);
    const PeScalar a = pe.scalar<Half>("a"), b = pe.scalar<Half>("b");
    const auto put = [&](int n) { pe.store(out.at(n), b); };
    pe.set(a, -3);
    pe.set(b, 2);
    pe.min(b, b, a);
    put(0);
    pe.absolute(b, b);
    put(1);
    pe.negate(b, b);
    put(2);
    pe.max(b, b, pe.constant(0.5, ElementType::f16));
    put(3);
  });
  EXPECT_EQ(floats(run(d), "out"), (Vec<float>{-3, 3, -3, 0.5}));
}

template <class T>
void expect_extremes(T a, T b) {
  const Vec<T> got = left<T>(9, [&](PeProgram& pe, Vec<PeScalar>& r) {
    const PeVector in = pe.values<T>("in", {a, b});
    pe.load(r[0], in.at(0));  // of 16 bits, with zeros above
    pe.load(r[1], in.at(1));
    pe.max(r[2], r[0], r[1]);
    pe.max(r[3], r[1], r[0]);
    pe.min(r[4], r[0], r[1]);
    pe.min(r[5], r[1], r[0]);
    pe.set(r[6], r[0]);
    pe.max(r[6], r[6], r[1]);  // the destination is the first source
    pe.set(r[7], r[1]);
    pe.min(r[7], r[0], r[7]);  // or the second
    pe.negate(r[8], r[1]);
    if (std::is_signed_v<T>) pe.absolute(r[1], r[1]);
  });
  const T most = std::max(a, b), least = std::min(a, b);
  const auto minus_b = static_cast<T>(0 - b);
  EXPECT_EQ(got, (Vec<T>{a, std::is_signed_v<T> && b < 0 ? minus_b : b, most, most, least, least,
                         most, least, minus_b}));
}

TEST(Arithmetic, LargerSmallerAndAbsoluteOfIntegers) {
  expect_extremes<std::int32_t>(-7, 5);
  expect_extremes<std::int32_t>(5, -7);
  expect_extremes<std::uint32_t>(3'000'000'000U, 5);
  expect_extremes<std::int16_t>(5, -7);
  expect_extremes<std::int16_t>(-7, -9);
  expect_extremes<std::uint16_t>(5, 60'000);
}

TEST(Arithmetic, ConversionsGoTowardZero) {
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector i = pe.array<std::int32_t>("i", 6), u = pe.array<std::uint32_t>("u", 3);
    const PeVector s = pe.array<float>("s", 5), h = pe.array<Half>("h", 3);
    const PeVector n = pe.values<std::int16_t>("n", {-5, 0});
    const PeScalar f = pe.scalar<float>("f"), half = pe.scalar<Half>("half"),
                   word = pe.scalar<std::int32_t>("word"), bits = pe.scalar<std::uint32_t>("bits"),
                   small = pe.scalar<std::int16_t>("small");
    int at = 0;
    for (const float x : {-2.75F, 3e9F, -kInf, kNan}) {
      pe.set(f, x);
      pe.convert(word, f);
      pe.store(i.at(at), word);
      if (at > 0) {
        pe.convert(bits, f);
        pe.store(u.at(at - 1), bits);
      }
      ++at;
    }
    pe.load(small, n.at(0));
    pe.convert(word, small);
    pe.store(i.at(4), word);
    pe.convert(f, small);
    pe.store(s.at(0), f);
    pe.convert(half, small);
    pe.store(h.at(0), half);
    pe.set(word, -16'777'217);
    pe.convert(f, word);
    pe.store(s.at(1), f);
    pe.set(bits, 4'000'000'000U);
    pe.convert(f, bits);
    pe.store(s.at(2), f);
    pe.set(word, 2049);
    pe.convert(half, word);
    pe.store(h.at(1), half);
    pe.convert(f, half);
    pe.store(s.at(3), f);
    pe.set(half, -7.5);
    pe.convert(word, half);
    pe.store(i.at(5), word);
    pe.convert(small, half);
    pe.store(n.at(1), small);
    pe.set(f, 0.1);
    pe.convert(half, f);
    pe.store(h.at(2), half);
  });
  const Fabric f = run(d);
  EXPECT_EQ(f.read<std::int32_t>(kPe, "i"),
            (Vec<std::int32_t>{-2, INT32_MAX, INT32_MIN, 0, -5, -7}));
  EXPECT_EQ(f.read<std::uint32_t>(kPe, "u"), (Vec<std::uint32_t>{3'000'000'000U, 0, 0}));
  EXPECT_EQ(f.read<float>(kPe, "s"), (Vec<float>{-5, -16'777'216, 4e9F, 2048, 0}));
  EXPECT_EQ(floats(f, "h"), (Vec<float>{-5, 2048, static_cast<float>(Half(0.1F))}));
  EXPECT_EQ(f.read<std::int16_t>(kPe, "n"), (Vec<std::int16_t>{-5, -7}));
}

TEST(Arithmetic, FloatsAreComparedByTheirOrder) {
  for (const ElementType type : {ElementType::f32, ElementType::f16}) {
    const Vec<std::array<float, 2>> pairs = {{1, 2},  {2, 1},     {-1, -2},  {-0.0F, 0.0F},
                                             {1, 1},  {kNan, 1},  {1, kNan}, {kNan, kNan},
                                             {-1, 2}, {-kInf, 1}, {kInf, 1}};
    const int count = static_cast<int>(pairs.size());
    const Design d = one_pe([&](PeProgram& pe) {
      const PeVector out = pe.array<std::int32_t>("out", 8 * count);
      const PeScalar a = pe.scalar("a", type), b = pe.scalar("b", type),
                     one = pe.scalar<std::int32_t>("one");
      pe.set(one, 1);
      int n = 0;
      for (const auto& [x, y] : pairs) {
        pe.set(a, x);
        pe.set(b, y);
        for (const PeCondition& c : {a<b, a <= b, a> b, a >= b}) {
          pe.when(c, [&] { pe.store(out.at(n), one); });
          ++n;
        }
        for (const PeCondition& c : {a<1, a <= 1, a> 1, a >= 1}) {
          pe.when(
              c, [] {}, [&] { pe.store(out.at(n), one); });
          ++n;
        }
      }
    });
    Vec<std::int32_t> expected;
    for (const auto& [x, y] : pairs) {
      for (const bool holds : {x<y, x <= y, x> y, x >= y}) expected.push_back(holds ? 1 : 0);
      for (const bool holds : {x<1, x <= 1, x> 1, x >= 1}) expected.push_back(holds ? 0 : 1);
    }
    EXPECT_EQ(run(d).read<std::int32_t>(kPe, "out"), expected) << to_string(type);
  }
}

TEST(Arithmetic, ALoopGoesOnWhileAFloatIsInOrder) {
  const Vec<float> got = left<float>(1, [](PeProgram& pe, Vec<PeScalar>& r) {
    pe.set(r[0], 1);
    pe.repeat_while(r[0] < 100, [&] { pe.mul(r[0], r[0], 3); });
  });
  EXPECT_EQ(got.front(), 243);
}

TEST(Arithmetic, FloatVectorsWithANumber) {
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector a = pe.values<float>("a", {1, -2, 3});
    const PeScalar s = pe.scalar<float>("s");
    pe.set(s, 2);
    const auto out = [&](const char* name) { return pe.array<float>(name, 3); };
    pe.sub(out("minus"), a, s);
    pe.sub(out("minus1"), a, 1);
    pe.sub(out("from"), s, a);
    pe.sub(out("from1"), 1, a);
    pe.max(out("max"), a, s);
    pe.max(out("max1"), a, 1);
    pe.min(out("min"), a, s);
    pe.min(out("min1"), a, -1);
    pe.min(out("mins"), a, pe.values<float>("b", {0, 0, 4}));
    const PeVector h = pe.values<Half>("h", halves({1, -2, 3}));
    pe.sub(h, 4, h);
    pe.min(h, h, 3);
    pe.sub(h, h, pe.constant(0.5, ElementType::f16));
    pe.min(h, h, pe.values<Half>("i", halves({0, 9, 9})));
    pe.max(h, h, 0.25);
  });
  const Fabric f = run(d);
  const auto read = [&](const char* name) { return f.read<float>(kPe, name); };
  EXPECT_EQ(read("minus"), (Vec<float>{-1, -4, 1}));
  EXPECT_EQ(read("minus1"), (Vec<float>{0, -3, 2}));
  EXPECT_EQ(read("from"), (Vec<float>{1, 4, -1}));
  EXPECT_EQ(read("from1"), (Vec<float>{0, 3, -2}));
  EXPECT_EQ(read("max"), (Vec<float>{2, 2, 3}));
  EXPECT_EQ(read("max1"), (Vec<float>{1, 1, 3}));
  EXPECT_EQ(read("min"), (Vec<float>{1, -2, 2}));
  EXPECT_EQ(read("min1"), (Vec<float>{-1, -2, -1}));
  EXPECT_EQ(read("mins"), (Vec<float>{0, -2, 3}));
  EXPECT_EQ(floats(f, "h"), (Vec<float>{0.25, 2.5, 0.5}));
}

TEST(Arithmetic, IntegerVectorsWithANumber) {
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector w = pe.values<std::int32_t>("w", {1, -2, 3});
    const PeScalar five = pe.scalar<std::int32_t>("five");
    pe.set(five, 5);
    pe.add(w, w, 10);
    pe.sub(w, w, five);
    const PeVector n = pe.values<std::uint16_t>("n", {0x1234, 0x8001, 0x00ff});
    const PeScalar m = pe.scalar<std::uint16_t>("m");
    const auto out = [&](const char* name) { return pe.array<std::uint16_t>(name, 3); };
    pe.set(m, 0x0ff0);
    pe.add(out("add"), n, m);
    pe.sub(out("sub"), n, 2);
    pe.band(out("band"), n, m);
    pe.bor(out("bor"), n, m);
    pe.bxor(out("bxor"), n, m);
    pe.band(out("and"), n, pe.values<std::uint16_t>("mask", {0xff00, 0xff, 0xf}));
    pe.set(m, 4);
    pe.shl(out("shl"), n, m);
    pe.shr(out("shr"), n, m);
    pe.sar(out("sar"), n, m);
  });
  const Fabric f = run(d);
  const auto read = [&](const char* name) { return f.read<std::uint16_t>(kPe, name); };
  using U = Vec<std::uint16_t>;
  EXPECT_EQ(f.read<std::int32_t>(kPe, "w"), (Vec<std::int32_t>{6, 3, 8}));
  EXPECT_EQ(read("add"), (U{0x2224, 0x8ff1, 0x10ef}));
  EXPECT_EQ(read("sub"), (U{0x1232, 0x7fff, 0x00fd}));
  EXPECT_EQ(read("band"), (U{0x0230, 0, 0x00f0}));
  EXPECT_EQ(read("bor"), (U{0x1ff4, 0x8ff1, 0x0fff}));
  EXPECT_EQ(read("bxor"), (U{0x1dc4, 0x8ff1, 0x0f0f}));
  EXPECT_EQ(read("and"), (U{0x1200, 1, 0xf}));
  EXPECT_EQ(read("shl"), (U{0x2340, 0x0010, 0x0ff0}));
  EXPECT_EQ(read("shr"), (U{0x0123, 0x0800, 0x000f}));
  EXPECT_EQ(read("sar"), (U{0x0123, 0xf800, 0x000f}));
}

TEST(Arithmetic, VectorsAreConverted) {
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector n = pe.values<std::int16_t>("n", {-3, 2049, 7});
    const PeVector s = pe.array<float>("s", 3), h = pe.array<Half>("h", 3);
    pe.copy(s, n);
    pe.copy(h, n);
    pe.copy(pe.array<std::int16_t>("from_s", 3), pe.values<float>("x", {-2.75, 4e4, kNan}));
    pe.copy(pe.array<std::int16_t>("from_h", 3), pe.values<Half>("y", halves({-2.75, 4e4, 9})));
  });
  const Fabric f = run(d);
  EXPECT_EQ(f.read<float>(kPe, "s"), (Vec<float>{-3, 2049, 7}));
  EXPECT_EQ(floats(f, "h"), (Vec<float>{-3, 2048, 7}));
  EXPECT_EQ(f.read<std::int16_t>(kPe, "from_s"), (Vec<std::int16_t>{-2, 32767, 0}));
  EXPECT_EQ(f.read<std::int16_t>(kPe, "from_h"), (Vec<std::int16_t>{-2, 32767, 9}));
}

TEST(Arithmetic, MultiplyAddWithAnotherDestination) {
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector a = pe.values<float>("a", {1, 2}), b = pe.values<float>("b", {3, 5});
    const PeVector c = pe.array<float>("c", 2), e = pe.array<float>("e", 2);
    pe.multiply_add(c, a, b, 2);
    pe.set(pe.scalar<float>("s"), 1);
    pe.multiply_add(e, a, b, pe.constant(-1, ElementType::f32));
    pe.multiply_add(a, a, b, 10);
  });
  const Fabric f = run(d);
  EXPECT_EQ(f.read<float>(kPe, "c"), (Vec<float>{7, 12}));
  EXPECT_EQ(f.read<float>(kPe, "e"), (Vec<float>{-2, -3}));
  EXPECT_EQ(f.read<float>(kPe, "a"), (Vec<float>{31, 52}));
}

TEST(Arithmetic, AWaveletCarriesTwoHalves) {
  Design d(1, 1);
  const Color color = d.color("c");
  d.route(d.all(), color, {.rx = Port::ramp, .tx = Port::ramp});
  d.program(d.all(), "pairs", [&](PeProgram& pe) {
    const PeVector a = pe.values<Half>("a", halves({1, 2, 3, 4, 5, 6}));
    const PeVector b = pe.array<Half>("b", 4);
    pe.send(color, a.slice(2, 4).pairs()).async();
    pe.receive(b.pairs(), color);
  });
  Fabric f = run(d);
  EXPECT_EQ(floats(f, "b"), (Vec<float>{3, 4, 5, 6}));
  EXPECT_EQ(f.report().counters.delivered, 2U);
}

TEST(Arithmetic, RefusesWhatIsNoOperand) {
  const auto refused = [](const std::function<void(PeProgram&)>& body, const std::string& message) {
    expect_error(
        ErrorCategory::program,
        [&] {
          PeProgram pe("p");
          body(pe);
        },
        message);
  };
  refused([](PeProgram& pe) { (void)pe.array<Half>("a", 3).pairs(); }, "a are not pairs");
  refused([](PeProgram& pe) { (void)pe.array<Half>("a", 4).slice(1, 2).pairs(); }, "not pairs");
  refused([](PeProgram& pe) { (void)pe.array<float>("a", 4).pairs(); }, "not pairs");
  refused(
      [](PeProgram& pe) {
        const PeVector a = pe.array<float>("a", 2);
        pe.multiply_add(pe.to({3}), a, a, 2);
      },
      "invalid operands of multiply_add: a stream");
  refused(
      [](PeProgram& pe) {
        const PeScalar a = pe.scalar<float>("a"), b = pe.scalar<Half>("b");
        pe.when(a < b, [] {});
      },
      "invalid comparison");
}

// A load of an int16 has its sign.
TEST(Arithmetic, LoadedInt16IsCompared) {
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector u = pe.values<std::int16_t>("u", {-3, 4, -32768, 32767});
    const PeVector out = pe.array<std::int32_t>("out", {4, 3});
    const PeScalar s = pe.scalar<std::int16_t>("s"), one = pe.scalar<std::int32_t>("one");
    pe.set(one, 1);
    for (int n = 0; n < 4; ++n) {
      const auto note = [&](int k) {
        return [&pe, &out, one, n, k] { pe.store(out.block(n, k, 1, 1).flat(), one); };
      };
      pe.load(s, u.at(n));
      pe.when(s < 0, note(0));
      pe.when(s == -3, note(1));
      pe.when(s >= 4, note(2));
    }
  });
  EXPECT_EQ(run(d).read<std::int32_t>(kPe, "out"),
            (Vec<std::int32_t>{1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1}));
}

}  // namespace
}  // namespace weft::test::arithmetic_test
