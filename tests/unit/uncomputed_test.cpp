// What a run without data does not compute, as the program's code shows it.
#include "fabric/uncomputed.hpp"

#include <gtest/gtest.h>

#include "weft/design.hpp"

namespace weft::test::uncomputed_test {
namespace {

using Names = std::set<std::string>;

/// Of the only program of a design of one PE.
Names uncomputed(const std::function<void(PeProgram&)>& program) {
  Design design(1, 1);
  design.program(design.all(), "program", program);
  return fabric::uncomputed_symbols(*design.layout().placements().front().program);
}

TEST(Uncomputed, VectorInstructionsComputeNothing) {
  EXPECT_EQ(uncomputed([](PeProgram& pe) {
              const PeVector a = pe.array<float>("a", 8), b = pe.array<float>("b", 8);
              const PeVector filled = pe.array<Half>("filled", 8);
              pe.add(b.slice(4, 2), a.slice(0, 2), 1.0);
              pe.fill(filled, 1.0);
            }),
            (Names{"b", "filled"}));
}

TEST(Uncomputed, ScalarInstructionsComputeWhatFollowsFromThem) {
  EXPECT_EQ(uncomputed([](PeProgram& pe) {
              const PeVector a = pe.values<std::int32_t>("a", {1, 2});
              const PeVector b = pe.array<std::int32_t>("b", 2), c = pe.array<std::int32_t>("c", 2);
              const PeScalar s = pe.scalar<std::int32_t>("s");
              pe.load(s, a.at(1));
              pe.mul(s, s, 3);
              pe.store(b.at(0), s);
              pe.copy(c, b);
            }),
            Names{"c"});
}

TEST(Uncomputed, WhatFollowsFromUncomputedMemoryIsUncomputed) {
  EXPECT_EQ(uncomputed([](PeProgram& pe) {
              const PeVector a = pe.array<std::int32_t>("a", 2), b = pe.array<std::int32_t>("b", 2);
              const PeVector c = pe.array<std::int32_t>("c", 2), d = pe.array<std::int32_t>("d", 2);
              const PeScalar s = pe.scalar<std::int32_t>("s"), t = pe.scalar<std::int32_t>("t"),
                             u = pe.scalar<std::int32_t>("u");
              pe.load(t, b.at(0));  // before b is written: an order is not assumed
              pe.store(c.at(0), t);
              pe.load(s, a.at(0));
              pe.add(s, s, 1);
              pe.store(b.at(0), s);
              pe.fill(a, 1);
              pe.set(u, 1);
              pe.store(d.at(0), u);
            }),
            (Names{"a", "b", "c"}));
}

TEST(Uncomputed, PayloadsAreUncomputed) {
  EXPECT_EQ(uncomputed([](PeProgram& pe) {
              const PeVector sum = pe.array<std::int32_t>("sum", 1);
              const PeVector count = pe.array<std::int32_t>("count", 1);
              const PeScalar s = pe.scalar<std::int32_t>("s"), n = pe.scalar<std::int32_t>("n");
              pe.set(s, 0);
              pe.set(n, 0);
              pe.on_data(Color{3}, ElementType::i32, [&](PeScalar payload) {
                pe.add(s, s, payload);
                pe.store(sum.at(0), s);
                pe.add(n, n, 1);
                pe.store(count.at(0), n);
              });
            }),
            Names{"sum"});
}

TEST(Uncomputed, MovedViewsStayInTheirSymbols) {
  EXPECT_EQ(uncomputed([](PeProgram& pe) {
              const PeVector a = pe.array<float>("a", 8), b = pe.array<float>("b", 8);
              const PeVector stamps = pe.array<std::int32_t>("stamps", 8);
              const PeScalar i = pe.scalar<std::int32_t>("i"), now = pe.scalar<std::int32_t>("now");
              pe.range(i, 0, 32, 4, [&] {
                pe.mul(b.at(0).moved_by_bytes(i), a.at(0).moved_by_bytes(i), 2.0);
                pe.tsc(now);
                pe.store(stamps.at(0).moved_by_bytes(i), now);
              });
            }),
            Names{"b"});
}

TEST(Uncomputed, AnUnknownPointerMayLeadAnywhere) {
  ProgramBuilder b("pointer");
  b.reserve<float>("a", 4);
  b.reserve<float>("b", 4);
  b.start(b.local_task(0));
  b.lw(Reg{1}, Reg{2}, 16);
  b.dbaser(Dsr{1}, Reg{1});
  b.vmov32r(Dsr{1}, Reg{3});
  b.end();
  EXPECT_EQ(fabric::uncomputed_symbols(b.build()), (Names{"a", "b"}));
}

TEST(Uncomputed, FifosKeepNothing) {
  ProgramBuilder b("fifo");
  const FifoId fifo = b.fifo("kept", 4);
  b.reserve<float>("other", 4);
  b.start(b.local_task(0));
  b.dfifo(Dsr{1}, fifo);
  b.vmov32r(Dsr{1}, Reg{3});
  b.end();
  EXPECT_EQ(fabric::uncomputed_symbols(b.build()), Names{"kept"});
}

}  // namespace
}  // namespace weft::test::uncomputed_test
