#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

#include "expect_error.hpp"
#include "pattern_case.hpp"

/// What patterns are given: vectors, rectangles, designs, and numbers of elements and PEs.
namespace weft::test::arguments_test {
namespace {

using Write = std::function<void(PeProgram&)>;

void expect_refused(Design& d, const Write& program, const std::string& message) {
  expect_error(
      ErrorCategory::program, [&] { d.program(d.all(), "p", program); }, message);
}

TEST(Patterns, TakeVectorsOfOneTypeAndSize) {
  Design d(4, 1);
  const NeighborShift shift(d, d.all(), Port::east);
  const RingShift ring(d, d.all(), Along::rows);
  const RingTranspose around(d, d.all(), Along::rows);
  const AllToAll all(d, d.all(), Along::rows);
  const Scatter scatter(d, d.all(), Along::rows, 2);
  const Gather gather(d, d.all(), Along::rows);
  const auto two = [](PeProgram& pe, ElementType a, int n, ElementType b, int m) {
    return std::pair{pe.array("a", a, {n}), pe.array("b", b, {m})};
  };
  using Type = ElementType;
  const auto each = [&](Type a, int n, Type b, int m, const std::string& message) {
    expect_refused(
        d,
        [&](PeProgram& pe) {
          const auto [out, in] = two(pe, a, n, b, m);
          shift.shift(pe, out, in);
        },
        "shift: " + message);
    expect_refused(
        d,
        [&](PeProgram& pe) {
          const auto [out, in] = two(pe, a, n, b, m);
          pe.wait(ring.start(pe, out, in));
        },
        "ring: " + message);
    expect_refused(
        d,
        [&](PeProgram& pe) {
          const auto [out, in] = two(pe, a, n, b, m);
          around.transpose(pe, out, in);
        },
        "ring transpose: " + message);
    expect_refused(
        d,
        [&](PeProgram& pe) {
          const auto [out, in] = two(pe, a, n, b, m);
          all.exchange(pe, out, in);
        },
        "all-to-all: " + message);
  };
  each(Type::f32, 4, Type::f32, 8, "a and b differ in length (one has 4 elements, the other 8)");
  each(Type::f32, 4, Type::i32, 4, "a (float) and b (int32) differ in type");
  each(Type::f16, 4, Type::f32, 4, "a (Half) and b (float) differ in type");
  each(Type::i32, 4, Type::u32, 4, "a (int32) and b (uint32) differ in type");
  expect_refused(
      d,
      [&](PeProgram& pe) {
        const auto [whole, part] = two(pe, Type::f32, 8, Type::i32, 2);
        scatter.scatter(pe, whole, part);
      },
      "scatter: a (float) and b (int32) differ in type");
  expect_refused(
      d,
      [&](PeProgram& pe) {
        const auto [whole, part] = two(pe, Type::i16, 8, Type::u16, 2);
        gather.gather(pe, part, whole);
      },
      "gather: a (int16) and b (uint16) differ in type");
  EXPECT_EQ(d.programs(), 0);
}

TEST(Patterns, GoToNeighbours) {
  Design d(3, 3);
  const auto refused = [&](const std::function<void()>& make, const std::string& message) {
    expect_error(ErrorCategory::program, make, message);
  };
  refused([&] { NeighborShift(d, d.all(), Port::ramp, "s"); }, "invalid side of s: ramp");
  refused([&] { ReduceChain(d, d.all(), Port::ramp, "r"); }, "invalid side of r: ramp");
  refused([] { PeProgram("p").has_neighbor(Port::ramp); }, "no neighbour is beyond the ramp");
  EXPECT_EQ(d.color("first").number, 0);  // nothing was taken
}

TEST(Patterns, AreMadeForPesOfTheDesign) {
  for (const Rect& where : {Rect{0, 0, 4, 1}, Rect{3, 0, 1, 1}, Rect{0, 0, 0, 1}, Rect{0, 0, 1, -1},
                            Rect{-1, 0, 2, 1}, Rect{1, 0, std::numeric_limits<int>::max(), 1}}) {
    Design d(3, 3);
    const auto refused = [&](const std::function<void()>& make) {
      expect_error(ErrorCategory::program, make, "p for ");
    };
    refused([&] { NeighborShift(d, where, Port::east, "p"); });
    refused([&] { HaloExchange(d, where, HaloExchange::Corners::none, "p"); });
    refused([&] { Broadcast(d, where, Along::rows, 0, "p"); });
    refused([&] { Broadcast(d, where, 0, 0, "p"); });
    refused([&] { ReduceChain(d, where, Port::north, "p"); });
    refused([&] { ReduceTree(d, where, Along::rows, "p"); });
    refused([&] { RingShift(d, where, Along::rows, "p"); });
    refused([&] { RingTranspose(d, where, Along::rows, "p"); });
    refused([&] { Scatter(d, where, Along::rows, 2, "p"); });
    refused([&] { Gather(d, where, Along::rows, "p"); });
    refused([&] { AllToAll(d, where, Along::rows, "p"); });
    EXPECT_EQ(d.color("first").number, 0);
  }
}

TEST(Patterns, AreOfOneDesign) {
  Design theirs(4, 1), mine(4, 1);
  const NeighborShift shift(theirs, theirs.all(), Port::east);
  const HaloExchange halo(theirs, theirs.all());
  const Broadcast broadcast(theirs, theirs.all(), 0, 0);
  const AllReduce reduce(theirs, theirs.all(), Along::rows, AllReduce::By::chain, "a");
  const Gather gather(theirs, theirs.all(), Along::rows);
  const auto refused = [&](const std::string& pattern, const auto& use) {
    expect_refused(
        mine, [&](PeProgram& pe) { use(pe, pe.array<float>("v", 4), pe.array<float>("w", 16)); },
        pattern + ": a program of another design uses it");
  };
  refused("shift", [&](auto& pe, auto v, auto w) { shift.shift(pe, v, w.slice(0, 4)); });
  refused("shift", [&](auto& pe, auto v, auto) { shift.send(pe, v); });
  refused("shift", [&](auto& pe, auto v, auto) { shift.receive(pe, v); });
  refused("halo", [&](auto& pe, auto, auto) {
    halo.exchange(pe, pe.template array<float>("u", {3, 3}));
  });
  refused("broadcast", [&](auto& pe, auto v, auto) { broadcast.broadcast(pe, v); });
  refused("reduce", [&](auto& pe, auto v, auto) { reduce.reduce(pe, v, ReduceOperation::sum); });
  refused("gather", [&](auto& pe, auto v, auto w) { gather.gather(pe, v, w); });
  Design moved = std::move(theirs);
  EXPECT_NO_THROW(moved.program(moved.all(), "p", [&](PeProgram& pe) {
    shift.shift(pe, pe.array<float>("v", 4), pe.array<float>("w", 4));
  }));
}

TEST(Patterns, CyclesAreOfNumbersThatCanBe) {
  const Machine m;
  const auto refused = [](const std::function<std::uint64_t()>& cycles) {
    expect_error(
        ErrorCategory::usage, [&] { (void)cycles(); }, "invalid ", "allowed: ");
  };
  for (const int length :
       {std::numeric_limits<int>::min(), -1, 0, 4097, std::numeric_limits<int>::max()}) {
    refused([&] { return ReduceChain::cycles(m, 4, length); });
    refused([&] { return ReduceTree::cycles(m, 4, length); });
    refused([&] { return AllReduce::cycles(m, 4, length); });
    refused([&] { return AllReduce::cycles(m, 4, length, AllReduce::By::tree); });
    refused([&] { return Scatter::cycles(m, 4, length); });
    refused([&] { return Gather::most_cycles(m, 4, length); });
    refused([&] { return AllToAll::most_cycles(m, 4, length); });
    refused([&] { return RingTranspose::most_cycles(m, 4, length); });
  }
  refused([&] { return Broadcast::cycles(m, 4, -1); });
  refused([&] { return Broadcast::cycles(m, 4, std::numeric_limits<int>::max()); });
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1} << 32U, ~std::uint64_t{0}}) {
    const auto none = [](const std::function<std::uint64_t()>& cycles) {
      expect_error(
          ErrorCategory::usage, [&] { (void)cycles(); }, "invalid count of elements");
    };
    none([&] { return NeighborShift::cycles(m, n); });
    none([&] { return RingShift::cycles(m, n); });
    none([&] { return HaloExchange::most_cycles(m, n, 4); });
    none([&] { return HaloExchange::most_cycles(m, 4, n); });
    none([&] { return Broadcast::cycles(m, n, 1); });
    none([&] { return ReduceChain::cycles(m, n, 4); });
    none([&] { return ReduceTree::cycles(m, n, 4); });
    none([&] { return AllReduce::cycles(m, n, 4); });
    none([&] { return Scatter::cycles(m, n, 4); });
    none([&] { return Gather::most_cycles(m, n, 4); });
    none([&] { return AllToAll::most_cycles(m, n, 4); });
    none([&] { return RingTranspose::most_cycles(m, n, 4); });
  }
  EXPECT_GT(AllToAll::most_cycles(m, 0xffffffff, 4096), std::uint64_t{0xffffffff} * 4096 * 4095);
  for (const int pe : {-1, 4})
    expect_error(
        ErrorCategory::usage, [&] { (void)RingShift::place_of(pe, 4); },
        "invalid PE of a ring of 4 PEs: ");
}

}  // namespace
}  // namespace weft::test::arguments_test
