#include <gtest/gtest.h>

#include <functional>

#include "expect_error.hpp"
#include "pattern_case.hpp"
#include "program/shared_memory.hpp"

/// Vectors that share memory, in all patterns: refused, or right in place.
namespace weft::test::overlap_test {
namespace {

using Pick = std::function<PeVector(PeProgram&)>;

PeVector at(std::uint32_t address, const std::vector<int>& extents,
            ElementType type = ElementType::f32) {
  return PeVector::in_memory("v", type, address, extents);
}

TEST(MayShareMemory, ByTheBytesOfTheElements) {
  const PeVector u = at(0, {12}), h = at(0, {24}, ElementType::f16), m = at(0, {4, 3});
  EXPECT_TRUE(may_share_memory(u, u));
  EXPECT_TRUE(may_share_memory(u.slice(0, 5), u.slice(4, 5)));
  EXPECT_FALSE(may_share_memory(u.slice(0, 4), u.slice(4, 4)));
  EXPECT_TRUE(may_share_memory(u.slice(11, 6, -1), u.slice(6, 2)));
  EXPECT_FALSE(may_share_memory(u.slice(11, 6, -1), u.slice(0, 6)));
  EXPECT_FALSE(may_share_memory(u.slice(0, 6, 2), u.slice(1, 6, 2)));
  EXPECT_TRUE(may_share_memory(u.slice(0, 4, 3), u.slice(1, 6, 2)));  // at 3 and 9
  EXPECT_FALSE(may_share_memory(m.column(0), m.column(2)));
  EXPECT_TRUE(may_share_memory(m.column(1), m.row(3)));
  EXPECT_FALSE(may_share_memory(m.block(0, 0, 4, 2), m.column(2)));
  EXPECT_FALSE(may_share_memory(h.slice(0, 12, 2), h.slice(1, 12, 2)));
  EXPECT_TRUE(may_share_memory(h.slice(1, 12, 2), u));
  EXPECT_TRUE(may_share_memory(u.at(2).repeated(5), u.slice(1, 2)));
  EXPECT_FALSE(may_share_memory(u.at(2).repeated(5), u.slice(3, 2)));
}

TEST(MayShareMemory, OfDifferentArrays) {
  const PeVector u = PeVector::in_memory("u", ElementType::f32, 0, {4});
  EXPECT_TRUE(may_share_memory(u, PeVector::in_memory("v", ElementType::f32, 12, {4})));
  EXPECT_FALSE(may_share_memory(u, PeVector::in_memory("v", ElementType::f32, 16, {4})));
  EXPECT_FALSE(may_share_memory(u, PeVector::stream(PeVector::Kind::input, {1}, 4)));
}

TEST(MayShareMemory, OfViewsThatRegistersMove) {
  const PeVector u = at(0, {8}), other = PeVector::in_memory("w", ElementType::f32, 64, {8});
  const PeScalar a{Reg{1}, ElementType::i32}, b{Reg{2}, ElementType::i32};
  EXPECT_TRUE(may_share_memory(u.slice(0, 2).moved_by_bytes(a), u.slice(2, 2)));
  EXPECT_TRUE(may_share_memory(u.slice(0, 2).moved_by_bytes(a), u.slice(2, 2).moved_by_bytes(b)));
  EXPECT_FALSE(may_share_memory(u.slice(0, 2).moved_by_bytes(a), u.slice(2, 2).moved_by_bytes(a)));
  EXPECT_FALSE(may_share_memory(u.slice(0, 2).moved_by_bytes(a), other.moved_by_bytes(b)));
}

/// In a program of each PE of a line of `length`, `use` is given a vector of 24 elements.
void expect_shared(const char* pattern, int length,
                   const std::function<std::function<void(PeProgram&, PeVector)>(Design&)>& make) {
  Design d(length, 1);
  const auto use = make(d);
  expect_error(
      ErrorCategory::program,
      [&] { d.program(d.all(), "p", [&](PeProgram& pe) { use(pe, pe.array<float>("a", 24)); }); },
      std::string(pattern) + ": a and a share memory");
}

TEST(Patterns, RefuseVectorsThatShareMemory) {
  for (const int length : {1, 4})
    expect_shared("shift", length, [](Design& d) {
      return [p = NeighborShift(d, d.all(), Port::east)](auto& pe, auto a) { p.shift(pe, a, a); };
    });
  expect_shared("shift", 4, [](Design& d) {
    return [p = NeighborShift(d, d.all(), Port::west)](auto& pe, auto a) {
      pe.wait(p.start(pe, a.slice(0, 8), a.slice(7, 8)));
    };
  });
  expect_shared("ring", 4, [](Design& d) {
    return [p = RingShift(d, d.all(), Along::rows)](auto& pe, auto a) {
      p.shift(pe, a.slice(0, 8, 3), a.slice(1, 8, 2));
    };
  });
  expect_shared("ring transpose", 4, [](Design& d) {
    return [p = RingTranspose(d, d.all(), Along::rows)](auto& pe, auto a) {
      p.transpose(pe, a.slice(0, 8), a.slice(4, 8));
    };
  });
  expect_shared("all-to-all", 4, [](Design& d) {
    return [p = AllToAll(d, d.all(), Along::rows)](auto& pe, auto a) { p.exchange(pe, a, a); };
  });
  expect_shared("all-to-all", 4, [](Design& d) {
    return [p = AllToAll(d, d.all(), Along::rows)](auto& pe, auto a) {
      p.exchange(pe, a.slice(0, 8), a.slice(4, 8));
    };
  });
  expect_shared("scatter", 4, [](Design& d) {
    return [p = Scatter(d, d.all(), Along::rows, 4)](auto& pe, auto a) {
      p.scatter(pe, a.slice(0, 16), a.slice(1, 4));
    };
  });
  expect_shared("gather", 4, [](Design& d) {
    return [p = Gather(d, d.all(), Along::rows)](auto& pe, auto a) {
      p.gather(pe, a.slice(4, 4), a.slice(0, 16));
    };
  });
}

TEST(Patterns, RefuseViewsThatNameAnElementTwice) {
  const auto refused = [](const char* pattern, const auto& use) {
    Design d(3, 3);
    expect_error(
        ErrorCategory::program,
        [&] {
          d.program(d.all(), "p", [&](PeProgram& pe) { use(d, pe, pe.array<float>("a", 4)); });
        },
        std::string(pattern) + ": a names its elements more than once");
  };
  refused("halo", [](Design& d, PeProgram& pe, const PeVector& a) {
    HaloExchange(d, d.all()).exchange(pe, a.tiled(4));
  });
  refused("broadcast", [](Design& d, PeProgram& pe, const PeVector& a) {
    Broadcast(d, d.all(), 0, 0).broadcast(pe, a.repeated(2));
  });
  refused("reduce", [](Design& d, PeProgram& pe, const PeVector& a) {
    AllReduce(d, d.all(), Along::rows).reduce(pe, a.repeated(2), ReduceOperation::sum);
  });
  refused("shift", [](Design& d, PeProgram& pe, const PeVector& a) {
    NeighborShift(d, d.all(), Port::east).shift(pe, pe.array<float>("b", 8), a.tiled(2));
  });
}

/// Rounds of arithmetic that only some PEs do, so that they come late.
void come_late(PeProgram& pe, const std::function<bool(int, int)>& who) {
  const PeVector x = pe.array<float>("x", 200);
  if (pe.where(who)) pe.repeat(20, [&] { pe.add(x, x, 1); });
}

const std::function<bool(int, int)> kLate[] = {[](int x, int) { return x == 0; },
                                               [](int x, int) { return x == 2; },
                                               [](int x, int) { return x == 3; }};

TEST(Patterns, ScatterAndGatherInPlace) {
  for (const auto& late : kLate) {
    Design d(4, 1);
    const Scatter scatter(d, d.all(), Along::rows, 3);
    const Gather gather(d, d.all(), Along::rows);
    d.program(d.all(), "in place", [&](PeProgram& pe) {
      const PeVector all = own_numbers(pe, "all", 12), part = all.slice(0, 3);
      come_late(pe, late);
      scatter.scatter(pe, all, part);
      pe.add(part, part, part);
      gather.gather(pe, part, all);
    });
    const Fabric f = run(d);
    expect_elements(f, {0, 0, 1, 1}, "all", 12, [](int, int, int i) { return 2 * own(0, 0, i); });
    expect_elements(f, {1, 0, 3, 1}, "all", 3,
                    [](int x, int, int i) { return 2 * own(0, 0, 3 * x + i); });
  }
}

// Each PE's part is where it belongs in the whole; only the first one's whole is used.
TEST(Patterns, GatherOfPartsOfTheWhole) {
  for (const auto& late : kLate) {
    Design d(4, 1);
    const Gather gather(d, d.all(), Along::rows);
    d.program(d.all(), "in place", [&](PeProgram& pe) {
      const PeVector all = own_numbers(pe, "all", 8);
      come_late(pe, late);
      gather.gather(pe, all.slice(2 * pe.pick([](int x, int) { return x; }), 2), all);
    });
    expect_elements(run(d), {0, 0, 1, 1}, "all", 8,
                    [](int, int, int i) { return own(i / 2, 0, i); });
  }
}

TEST(Patterns, ShiftBetweenPartsOfOneArray) {
  for (const auto& late : kLate) {
    Design d(4, 1);
    const NeighborShift shift(d, d.all(), Port::east);
    d.program(d.all(), "parts", [&](PeProgram& pe) {
      const PeVector a = own_numbers(pe, "a", 8);
      come_late(pe, late);
      shift.shift(pe, a.slice(0, 4, 2), a.slice(1, 4, 2));
    });
    expect_elements(run(d), {1, 0, 3, 1}, "a", 8, [](int x, int, int i) {
      return i % 2 == 0 ? own(x, 0, i) : own(x - 1, 0, i - 1);
    });
  }
}

}  // namespace
}  // namespace weft::test::overlap_test
