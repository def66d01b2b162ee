// Operations on vectors of integers of every type, beside the host's.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "run.hpp"

namespace weft::test::integer_vectors_test {
namespace {

constexpr Rect kPe{0, 0, 1, 1};

template <class T>
struct Row {
  const char* name;
  std::function<PeOperation(PeProgram&, const PeVector& d, const PeVector& a, const PeVector& b)>
      put;
  std::function<T(T a, T b)> expected;
};

template <class T>
std::vector<Row<T>> rows(T number, int bits) {
  using P = PeProgram&;
  using V = const PeVector&;
  using U = std::make_unsigned_t<T>;
  const auto register_of = [number](P pe) {
    const PeScalar s = pe.constant(number, element_of<T>);
    return s;
  };
  const auto as = [](auto x) { return static_cast<T>(x); };
  return {
      {"max", [](P p, V d, V a, V b) { return p.max(d, a, b); },
       [](T a, T b) { return std::max(a, b); }},
      {"max with a number", [=](P p, V d, V a, V) { return p.max(d, a, number); },
       [=](T a, T) { return std::max(a, number); }},
      {"min", [](P p, V d, V a, V b) { return p.min(d, a, b); },
       [](T a, T b) { return std::min(a, b); }},
      {"min with a register", [=](P p, V d, V a, V) { return p.min(d, a, register_of(p)); },
       [=](T a, T) { return std::min(a, number); }},
      {"band", [](P p, V d, V a, V b) { return p.band(d, a, b); },
       [=](T a, T b) { return as(a & b); }},
      {"band with a number", [=](P p, V d, V a, V) { return p.band(d, a, number); },
       [=](T a, T) { return as(a & number); }},
      {"bor", [](P p, V d, V a, V b) { return p.bor(d, a, b); },
       [=](T a, T b) { return as(a | b); }},
      {"bor with a register", [=](P p, V d, V a, V) { return p.bor(d, a, register_of(p)); },
       [=](T a, T) { return as(a | number); }},
      {"bxor", [](P p, V d, V a, V b) { return p.bxor(d, a, b); },
       [=](T a, T b) { return as(a ^ b); }},
      {"bxor with a number", [=](P p, V d, V a, V) { return p.bxor(d, a, number); },
       [=](T a, T) { return as(a ^ number); }},
      {"shl", [=](P p, V d, V a, V) { return p.shl(d, a, bits); },
       [=](T a, T) { return as(static_cast<U>(a) << bits); }},
      {"shr", [=](P p, V d, V a, V) { return p.shr(d, a, bits); },
       [=](T a, T) { return as(static_cast<U>(a) >> bits); }},
      {"sar", [=](P p, V d, V a, V) { return p.sar(d, a, bits); },
       [=](T a, T) { return as(static_cast<std::make_signed_t<T>>(a) >> bits); }},
      {"a number less a vector", [=](P p, V d, V a, V) { return p.sub(d, number, a); },
       [=](T a, T) { return as(static_cast<U>(number) - static_cast<U>(a)); }},
      {"negate", [](P p, V d, V a, V) { return p.negate(d, a); },
       [=](T a, T) { return as(U{0} - static_cast<U>(a)); }},
  };
}

template <class T>
void check() {
  using Limits = std::numeric_limits<T>;
  const std::vector<T> a{0, 1, Limits::max(), Limits::min(), 77, static_cast<T>(Limits::max() - 9)};
  const std::vector<T> b{3, 0, Limits::min(), 5, static_cast<T>(Limits::max() / 2), 77};
  for (const Row<T>& row : rows<T>(static_cast<T>(Limits::max() / 3), 3)) {
    const Design d = one_pe([&](PeProgram& pe) {
      const PeVector va = pe.values<T>("a", a), vb = pe.values<T>("b", b);
      row.put(pe, pe.array<T>("d", 6), va, vb);
      pe.max_of(pe.array<T>("most", 1), va);
    });
    const Fabric f = run(d);
    std::vector<T> expected(a.size());
    std::ranges::transform(a, b, expected.begin(), row.expected);
    EXPECT_EQ(f.read<T>(kPe, "d"), expected) << row.name;
    EXPECT_EQ(f.read<T>(kPe, "most"), std::vector<T>{Limits::max()});
  }
}

TEST(IntegerVectors, OfEveryType) {
  check<std::int32_t>();
  check<std::uint32_t>();
  check<std::int16_t>();
  check<std::uint16_t>();
}

TEST(IntegerVectors, LargestOfNegativeOnes) {
  const Design d = one_pe([](PeProgram& pe) {
    pe.max_of(pe.array<std::int32_t>("d", 1), pe.values<std::int32_t>("a", {-9, -4, -7}));
    pe.max_of(pe.array<std::int16_t>("e", 1), pe.values<std::int16_t>("b", {-9, -4, -7}));
  });
  const Fabric f = run(d);
  EXPECT_EQ(f.read<std::int32_t>(kPe, "d"), std::vector<std::int32_t>{-4});
  EXPECT_EQ(f.read<std::int16_t>(kPe, "e"), std::vector<std::int16_t>{-4});
}

TEST(IntegerVectors, ReduceToTheLargest) {
  Design d(5, 1);
  const AllReduce all(d, d.all(), Along::rows);
  d.program(d.all(), "largest", [&](PeProgram& pe) {
    const PeVector v = pe.array<std::int32_t>("v", 2);
    pe.at_start(v, [](int x, int) { return std::vector<PeValue>{x - 9, 7 - 2 * x}; });
    all.reduce(pe, v, ReduceOperation::max);
  });
  EXPECT_EQ(run(d).read<std::int32_t>({4, 0, 1, 1}, "v"), (std::vector<std::int32_t>{-5, 7}));
}

}  // namespace
}  // namespace weft::test::integer_vectors_test
