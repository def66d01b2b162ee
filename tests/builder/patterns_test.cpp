#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "expect_error.hpp"
#include "pattern_case.hpp"

namespace weft::test::patterns_test {
namespace {

TEST(Patterns, SayWhatIsMissing) {
  Design d(3, 3);
  for (int k = 0; k < kColors - 1; ++k) d.color(fmt::format("mine {}", k));
  expect_error(
      ErrorCategory::program, [&] { NeighborShift(d, d.all(), Port::east, "my shift"); },
      "no color is left for my shift");
  Design e(3, 3);
  expect_error(
      ErrorCategory::program, [&] { Broadcast(e, e.all(), 3, 0, "b"); },
      "b begins outside its rectangle, at (3, 0)");
  expect_error(
      ErrorCategory::program,
      [&] {
        RingShift(e, {0, 0, 1, 3}, Along::rows, "r");
      },
      "r has one PE");
  const HaloExchange halo(e, e.all());
  expect_error(
      ErrorCategory::program,
      [&] {
        e.program(e.all(), "flat",
                  [&](PeProgram& pe) { halo.exchange(pe, pe.array<float>("u", 9)); });
      },
      "u has no halo");
}

// A stencil with the largest change of the whole plate: more queues than there are microthreads.
TEST(Patterns, GoTogether) {
  Design d(3, 4);
  const HaloExchange halo(d, d.all(), HaloExchange::Corners::all);
  const AllReduce rows(d, d.all(), Along::rows), columns(d, d.all(), Along::columns);
  d.program(d.all(), "all", [&](PeProgram& pe) {
    const PeVector u = pe.array<float>("u", {4, 4}), largest = pe.array<float>("largest", 1);
    pe.repeat(3, [&] {
      halo.exchange(pe, u);
      pe.copy(largest, u.block(1, 1, 1, 1).flat());
      rows.reduce(pe, largest, ReduceOperation::max);
      columns.reduce(pe, largest, ReduceOperation::sum);
      pe.add(u.block(1, 1, 2, 2), u.block(1, 1, 2, 2), 1);
    });
  });
  Fabric f = d.fabric(test_machine(), test_options());
  std::vector<float> values(12 * 16);
  for (std::size_t pe = 0; pe < 12; ++pe)
    values[16 * pe + 5] = static_cast<float>(pe % 3 * 10 + pe);
  f.write(d.all(), "u", values);
  f.run_until_idle(kFarLimit);
  // In each row the last PE has the largest: 20 + its number, and 2 rounds more.
  EXPECT_EQ(f.read<float>(d.all(), "largest"), std::vector<float>(12, 22 + 25 + 28 + 31 + 4 * 2));
}

TEST(Patterns, OfOnePeDoNothing) {
  Design d(1, 1);
  const Broadcast one(d, d.all(), 0, 0), line(d, d.all(), Along::rows, 0, "line");
  const AllReduce chain(d, d.all(), Along::rows);
  const AllReduce tree(d, d.all(), Along::columns, AllReduce::By::tree, "tree");
  const HaloExchange halo(d, d.all());
  d.program(d.all(), "alone", [&](PeProgram& pe) {
    const PeVector v = pe.values<float>("v", {1, 2});
    one.broadcast(pe, v);
    line.broadcast(pe, v);
    chain.reduce(pe, v, ReduceOperation::sum);
    tree.reduce(pe, v, ReduceOperation::max);
    halo.exchange(pe, pe.array<float>("u", {3, 3}));
  });
  EXPECT_EQ(run(d).read<float>(d.all(), "v"), (std::vector<float>{1, 2}));
}

TEST(Patterns, AreForThePesOfTheirRectangle) {
  const Rect part{1, 0, 2, 1};
  const auto refused = [&](const std::string& pattern, const auto& use) {
    Design d(4, 1);
    expect_error(
        ErrorCategory::program,
        [&] {
          const auto program = use(d);
          d.program(d.all(), "t", [&](PeProgram& pe) {
            program(pe, pe.array<float>("v", 2), pe.array<float>("w", 2));
          });
        },
        pattern + ": a PE outside its rectangle uses it");
  };
  refused("shift", [&](Design& d) {
    return
        [p = NeighborShift(d, part, Port::east)](auto& pe, auto v, auto w) { p.shift(pe, v, w); };
  });
  refused("broadcast", [&](Design& d) {
    return [p = Broadcast(d, part, 0, 0)](auto& pe, auto v, auto) { p.broadcast(pe, v); };
  });
  refused("reduce", [&](Design& d) {
    return [p = AllReduce(d, part, Along::rows)](auto& pe, auto v, auto) {
      p.reduce(pe, v, ReduceOperation::sum);
    };
  });
  refused("tree", [&](Design& d) {
    return [p = ReduceTree(d, part, Along::rows)](auto& pe, auto v, auto) {
      p.reduce(pe, v, ReduceOperation::sum);
    };
  });
  refused("ring", [&](Design& d) {
    return [p = RingShift(d, part, Along::rows)](auto& pe, auto v, auto w) { p.shift(pe, v, w); };
  });
  refused("ring transpose", [&](Design& d) {
    return [p = RingTranspose(d, part, Along::rows)](auto& pe, auto v, auto w) {
      p.transpose(pe, v, w);
    };
  });
  refused("scatter", [&](Design& d) {
    return [p = Scatter(d, part, Along::rows, 1)](auto& pe, auto v, auto w) {
      p.scatter(pe, v, w.at(0));
    };
  });
  refused("gather", [&](Design& d) {
    return
        [p = Gather(d, part, Along::rows)](auto& pe, auto v, auto w) { p.gather(pe, v.at(0), w); };
  });
  refused("all-to-all", [&](Design& d) {
    return [p = AllToAll(d, part, Along::rows)](auto& pe, auto v, auto w) { p.exchange(pe, v, w); };
  });
}

}  // namespace
}  // namespace weft::test::patterns_test
