// Sums, dot products and largest elements of PE programs.
#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "run.hpp"

namespace weft::test::into_one_test {
namespace {

constexpr Rect kPe{0, 0, 1, 1};

template <class T>
using Vec = std::vector<T>;

Vec<Half> halves(const Vec<float>& values) { return {values.begin(), values.end()}; }

TEST(Arithmetic, AllElementsGoIntoOne) {
  const Design d = one_pe([](PeProgram& pe) {
    const PeVector a = pe.values<float>("a", {1, -2, 3, 10}),
                   b = pe.values<float>("b", {2, 2, 5, 1});
    const PeVector out = pe.values<float>("out", {9, 9, 9, 9, 9});
    pe.dot(out.at(0), a, b);
    pe.sum(out.at(1), a);
    pe.max_of(out.at(2), a.slice(0, 3));
    const PeVector h = pe.values<Half>("h", halves({0.5, 1.5}));
    pe.dot(out.at(3), h, h);
    pe.sum(out.at(4), h);
    const PeVector n = pe.values<std::int16_t>("n", {3, -4, 5});
    pe.sum(pe.array<std::int16_t>("total", 1), n);
    pe.max_of(pe.array<Half>("most", 1), pe.values<Half>("m", halves({-3, -2, -9})));
    pe.sum(pe.array<std::int32_t>("one", 1), pe.values<std::int32_t>("k", {70'000}));
  });
  const Fabric f = run(d);
  EXPECT_EQ(f.read<float>(kPe, "out"), (Vec<float>{23, 12, 3, 2.5, 2}));
  EXPECT_EQ(f.read<std::int16_t>(kPe, "total").front(), 4);
  EXPECT_EQ(static_cast<float>(f.read<Half>(kPe, "most").front()), -2);
  EXPECT_EQ(f.read<std::int32_t>(kPe, "one").front(), 70'000);
}

TEST(Arithmetic, AStreamGoesIntoOneElement) {
  Design d(2, 1);
  const Color color = d.color("c");
  d.route(d.all(), color, {.rx = Port::ramp, .tx = Port::ramp});
  d.program(d.all(), "sums", [&](PeProgram& pe) {
    const PeVector a = pe.values<float>("a", {1, -2, 3, 10}), total = pe.array<float>("total", 2);
    pe.send(color, a).async();
    pe.sum(total.at(0), pe.from(color, 4));
    pe.send(color, a).async();
    pe.max_of(total.at(1), pe.from(color, 4));
  });
  EXPECT_EQ(run(d).read<float>(kPe, "total"), (Vec<float>{12, 10}));
}

/// An element a cycle where FP32 is multiplied, two where it is added from one vector: the sum
/// reads two.
TEST(Arithmetic, OneElementCostsWhatAVectorDoes) {
  const auto cycles = [](const std::function<void(PeProgram&, PeVector, PeVector)>& body) {
    const Design d = one_pe([&](PeProgram& pe) {
      const PeVector out = pe.array<float>("out", 1), a = pe.array<float>("a", 64);
      const PeScalar start = pe.scalar<std::uint32_t>("start");
      pe.tsc(start);
      body(pe, out, a);
      pe.elapsed(start, start);
      pe.store(pe.array<std::uint32_t>("cycles", 1), start);
    });
    Fabric f = d.fabric({}, test_options());
    f.run_until_idle(kFarLimit);
    return f.read<std::uint32_t>(kPe, "cycles").front() - 1;
  };
  const Machine m;
  const auto start = 2U + static_cast<unsigned>(m.vector_start_cycles);  // li, sw
  EXPECT_EQ(cycles([](PeProgram& pe, auto d, auto a) { pe.dot(d, a, a); }), start + 64);
  EXPECT_EQ(cycles([](PeProgram& pe, auto d, auto a) { pe.sum(d, a); }), start + 64);
  EXPECT_EQ(cycles([](PeProgram& pe, auto d, auto a) { pe.max_of(d, a); }), start + 64);
}

TEST(Arithmetic, OneElementIsOne) {
  expect_error(
      ErrorCategory::program,
      [] {
        PeProgram pe("p");
        pe.sum(pe.array<float>("d", 2), pe.array<float>("a", 2));
      },
      "program p: d is not one element in memory");
  expect_error(
      ErrorCategory::program,
      [] {
        PeProgram pe("p");
        pe.sum(pe.array<float>("d", 1), pe.from({3}));
      },
      "program p: a stream has no length");
}

}  // namespace
}  // namespace weft::test::into_one_test
