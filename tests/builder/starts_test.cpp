// Patterns whose operations go on beside the core, and patterns as text.
#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "pattern_case.hpp"

namespace weft::test::starts_test {
namespace {

/// Both forms leave the same, and the core of the one that starts goes on.
void expect_alike(const std::function<Fabric(bool starts)>& after, const Rect& where,
                  const std::vector<std::string>& symbols) {
  const Fabric blocking = after(false), started = after(true);
  for (const std::string& symbol : symbols)
    EXPECT_EQ(blocking.read<std::int32_t>(where, symbol), started.read<std::int32_t>(where, symbol))
        << symbol;
}

TEST(Starts, OfAReduction) {
  const auto after = [](bool starts) {
    Design d(5, 3);
    const ReduceChain chain(d, {1, 0, 4, 3}, Port::west);
    d.program({1, 0, 4, 3}, "reduce", [&](PeProgram& pe) {
      const PeVector v = own_numbers(pe, "v", 6), w = own_numbers(pe, "w", 6);
      if (!starts) chain.reduce(pe, v, ReduceOperation::sum);
      if (starts) {
        const std::vector<PeOperation> operations = chain.start(pe, v, ReduceOperation::sum);
        EXPECT_EQ(operations.size(), 1U);
        pe.add(w, w, 1);
        pe.wait(operations);
      } else {
        pe.add(w, w, 1);
      }
    });
    return run(d);
  };
  expect_alike(after, {1, 0, 4, 3}, {"v", "w"});
  expect_elements(after(true), {1, 0, 1, 3}, "v", 6,
                  [](int, int y, int i) { return 4 * own(0, y, i) + 100 * 10; });
}

TEST(Starts, OfAScatter) {
  const auto after = [](bool starts) {
    Design d(4, 2);
    const Scatter scatter(d, d.all(), Along::rows, 5);
    d.program(d.all(), "scatter", [&](PeProgram& pe) {
      const PeVector all = own_numbers(pe, "all", 20), part = pe.array<std::int32_t>("part", 5);
      if (starts)
        pe.wait(scatter.start(pe, all, part));
      else
        scatter.scatter(pe, all, part);
    });
    return run(d);
  };
  expect_alike(after, {0, 0, 4, 2}, {"part"});
  expect_elements(after(true), {0, 0, 4, 2}, "part", 5,
                  [](int x, int y, int i) { return own(0, y, 5 * x + i); });
}

TEST(Starts, OfAScatterIntoOthersParts) {
  const auto write = [](bool starts) {
    Design d(3, 1);
    const Scatter scatter(d, d.all(), Along::rows, 2);
    d.program(d.all(), "scatter", [&](PeProgram& pe) {
      const PeVector all = own_numbers(pe, "all", 6);
      const PeVector part = all.slice(2, 2);
      starts ? void(scatter.start(pe, all, part)) : scatter.scatter(pe, all, part);
    });
  };
  EXPECT_NO_THROW(write(false));
  expect_error(
      ErrorCategory::program, [&] { write(true); }, "scatter", "memory");
}

TEST(Starts, OfAHaloExchange) {
  const auto after = [](bool starts) {
    Design d(4, 3);
    const HaloExchange halo(d, d.all(), HaloExchange::Corners::none, "halo", 2);
    d.program(d.all(), "halo", [&](PeProgram& pe) {
      const PeVector u = pe.array<std::int32_t>("u", {7, 6}), w = own_numbers(pe, "w", 3);
      pe.fill(u.block(2, 2, 3, 2), 1);
      pe.add(u.block(2, 2, 1, 1).flat(), u.block(2, 2, 1, 1).flat(), w.at(0));
      if (!starts) return halo.exchange(pe, u);
      const std::vector<PeOperation> operations = halo.start(pe, u);
      pe.add(w, w, 1);
      pe.wait(operations);
    });
    return run(d);
  };
  expect_alike(after, {0, 0, 4, 3}, {"u"});
  EXPECT_LT(after(true).cycle(), after(false).cycle() + 40);
}

TEST(Starts, NotOfAHaloThatGoesInSteps) {
  const auto refused = [](HaloExchange::Corners corners, int depth, const char* why) {
    expect_error(
        ErrorCategory::program,
        [&] {
          Design d(3, 3);
          const HaloExchange halo(d, d.all(), corners, "halo", depth);
          d.program(d.all(), "halo", [&](PeProgram& pe) {
            halo.start(pe, pe.array<float>("u", {2 + 2 * depth, 2 + 2 * depth}));
          });
        },
        "halo: u is exchanged in steps", why);
  };
  refused(HaloExchange::Corners::all, 1, "corners come with the second step");
  refused(HaloExchange::Corners::none, 3, "deeper than the block");
}

TEST(PatternText, NamesPlaceWayAndColors) {
  Design d(4, 3);
  const Rect all = d.all();
  EXPECT_EQ(NeighborShift(d, all, Port::east).text(),
            "NeighborShift(4 x 3 PEs, to the east, colors 0 and 1)");
  EXPECT_EQ(ReduceChain(d, {0, 0, 2, 3}, Port::north).text(),
            "ReduceChain(2 x 3 PEs, to the north, colors 2 and 3)");
  EXPECT_EQ(Broadcast(d, all, 1, 1).text(), "Broadcast(4 x 3 PEs, color 4)");
  EXPECT_EQ(MovingBroadcast(d, all, Along::columns).text(),
            "MovingBroadcast(4 x 3 PEs, along columns, color 5)");
  EXPECT_EQ(Scatter(d, all, Along::rows, 8).text(),
            "Scatter(4 x 3 PEs, along rows, parts of 8, color 6)");
  EXPECT_EQ(RingShift(d, all, Along::rows).text(),
            "RingShift(4 x 3 PEs, along rows, colors 7, 8 and 9)");
  EXPECT_EQ(ReduceTree(d, {0, 0, 1, 1}, Along::rows).text(),
            "ReduceTree(1 x 1 PEs, along rows, no colors)");
  Design other(4, 4);
  EXPECT_EQ(HaloExchange(other, other.all(), HaloExchange::Corners::all, "halo", 4).text(),
            "HaloExchange(4 x 4 PEs, depth 4, with corners)");
  EXPECT_EQ(AllReduce(other, other.all(), Along::rows).text(),
            "AllReduce(ReduceChain(4 x 4 PEs, to the west, colors 10 and 11), Broadcast(4 x 4 PEs, "
            "color 8))");
}

}  // namespace
}  // namespace weft::test::starts_test
