// A broadcast whose root each use names, and operations of patterns that do not wait.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "expect_error.hpp"
#include "pattern_case.hpp"

namespace weft::test::moving_broadcast_test {
namespace {

/// What the root at `root` of the line of PE (x, y) sends.
int sent(Along along, const Rect& where, int x, int y, int root, int i) {
  return along == Along::rows ? own(where.x + root, y, i) : own(x, where.y + root, i);
}

/// Roots in any order, one after the other without a pause; the register version if `in_register`.
void check_roots(Along along, const Rect& where, const std::vector<int>& roots, int n,
                 bool in_register) {
  Design d(12, 12);
  const MovingBroadcast moving(d, where, along);
  const int rounds = static_cast<int>(roots.size());
  d.program(where, "roots", [&](PeProgram& pe) {
    const PeVector mine = own_numbers(pe, "mine", n);
    const PeVector got = pe.array<std::int32_t>("got", n * rounds);
    const PeScalar root = pe.scalar<int>("root");
    for (int k = 0; k < rounds; ++k) {
      const PeVector in = got.slice(n * k, n);
      if (in_register) {
        pe.set(root, roots[static_cast<std::size_t>(k)]);
        moving.broadcast(pe, mine, in, root);
      } else {
        moving.broadcast(pe, mine, in, roots[static_cast<std::size_t>(k)]);
      }
    }
  });
  const Fabric f = run(d);
  expect_elements(f, where, "got", n * rounds, [&](int x, int y, int i) {
    return sent(along, where, x, y, roots[static_cast<std::size_t>(i / n)], i % n);
  });
}

TEST(MovingBroadcast, SendsFromAnyRootInAnyOrder) {
  for (const bool in_register : {false, true})
    for (const int n : {1, 7, 40}) {
      check_roots(Along::rows, {0, 1, 5, 2}, {0, 1, 2, 3, 4}, n, in_register);
      check_roots(Along::rows, {3, 0, 5, 1}, {4, 3, 0, 4, 0, 2, 2, 1}, n, in_register);
      check_roots(Along::columns, {1, 2, 2, 6}, {5, 0, 3, 3, 5, 1}, n, in_register);
      check_roots(Along::columns, {0, 0, 1, 2}, {1, 0, 0, 1}, n, in_register);
    }
  check_roots(Along::rows, {0, 0, 1, 3}, {0, 0}, 3, false);
}

TEST(MovingBroadcast, OfARootInALoopIsOneProgramForAllInside) {
  Design d(6, 1);
  const MovingBroadcast moving(d, d.all(), Along::rows);
  d.program(d.all(), "loop", [&](PeProgram& pe) {
    const PeVector mine = own_numbers(pe, "mine", 4);
    const PeVector in = pe.array<std::int32_t>("in", 4), sum = pe.array<std::int32_t>("sum", 4);
    const PeScalar k = pe.scalar<int>("k");
    pe.range(k, 0, 6, 1, [&] {
      pe.wait(moving.start(pe, mine, in, k));
      pe.add(sum, sum, in);
    });
  });
  EXPECT_EQ(d.programs(), 3);  // first, last, and those between
  expect_elements(run(d), d.all(), "sum", 4,
                  [](int, int y, int i) { return 6 * own(0, y, i) + 100 * 15; });
}

TEST(MovingBroadcast, TakesTheCyclesOfItsFormula) {
  for (const Machine& machine : kMachines)
    for (const int root : {0, 2, 6})
      for (const int n : {1, 2, 30}) {
        constexpr int kLength = 7;
        Design d(kLength, 1);
        const MovingBroadcast moving(d, d.all(), Along::rows);
        PeVector out, in;
        const auto taken = cycles_of(
            d, machine,
            [&](PeProgram& pe) {
              out = pe.array<float>("out", n);
              in = pe.array<float>("in", n);
            },
            [&](PeProgram& pe) { moving.broadcast(pe, out, in, root); });
        for (int x = 0; x < kLength; ++x)
          EXPECT_EQ(taken[static_cast<std::size_t>(x)],
                    as_int(MovingBroadcast::cycles(machine, static_cast<std::uint64_t>(n),
                                                   std::abs(x - root))))
              << machine.name << ", root " << root << ", n = " << n << ", PE " << x;
      }
}

TEST(MovingBroadcast, TakesOneColorHoweverManyRoots) {
  Design d(16, 16);
  const MovingBroadcast rows(d, d.all(), Along::rows), columns(d, d.all(), Along::columns);
  EXPECT_EQ(d.color("the next").number, 2);
}

TEST(MovingBroadcast, RefusesRootsAndVectorsThatDoNotFit) {
  const auto refused = [](int root, int n, const char* text) {
    Design d(3, 1);
    const MovingBroadcast moving(d, d.all(), Along::rows);
    expect_error(
        ErrorCategory::program,
        [&] {
          d.program(d.all(), "p", [&](PeProgram& pe) {
            moving.broadcast(pe, pe.array<float>("out", 4), pe.array<float>("in", n), root);
          });
        },
        text);
  };
  refused(3, 4, "moving broadcast: invalid root 3 (its lines have 3 PEs)");
  refused(-1, 4, "moving broadcast: invalid root -1");
  refused(0, 5, "out and in differ in length");
}

TEST(Broadcast, StartsAndIsWaitedFor) {
  Design d(5, 1);
  const Broadcast first(d, d.all(), Along::rows, 0), last(d, d.all(), Along::rows, 4, "from 4");
  d.program(d.all(), "two at a time", [&](PeProgram& pe) {
    const PeVector a = own_numbers(pe, "a", 20), b = own_numbers(pe, "b", 20);
    std::vector<PeOperation> all = first.start(pe, a);
    for (const PeOperation& operation : last.start(pe, b)) all.push_back(operation);
    pe.wait(all);
  });
  const Fabric f = run(d);
  expect_elements(f, d.all(), "a", 20, [](int, int y, int i) { return own(0, y, i); });
  expect_elements(f, d.all(), "b", 20, [](int, int y, int i) { return own(4, y, i); });
}

TEST(SharedColors, ArePatternsOnRectanglesThatDoNotOverlap) {
  constexpr int kChains = 16;
  Design d(8, kChains);
  std::vector<ReduceChain> chains;
  for (int y = 0; y < kChains; ++y)
    chains.emplace_back(d, Rect{0, y, 8, 1}, y % 2 == 0 ? Port::east : Port::west,
                        fmt::format("chain {}", y));
  EXPECT_EQ(d.color("the next").number, 2);
  for (int y = 0; y < kChains; ++y)
    d.program({0, y, 8, 1}, "chain", [&](PeProgram& pe) {
      chains[static_cast<std::size_t>(y)].reduce(pe, own_numbers(pe, "v", 3), ReduceOperation::sum);
    });
  const Fabric f = run(d);
  for (int y = 0; y < kChains; ++y)
    expect_elements(f, {y % 2 == 0 ? 7 : 0, y, 1, 1}, "v", 3,
                    [](int, int py, int i) { return 8 * own(0, py, i) + 100 * 28; });
}

/// Routes at the borders lead nowhere: blocks side by side, with every kind of pattern.
TEST(SharedColors, DoNotLeakAcrossBorders) {
  Design d(9, 9);
  std::vector<HaloExchange> halos;
  std::vector<AllReduce> sums;
  std::vector<MovingBroadcast> moving;
  for (int k = 0; k < 9; ++k) {
    const Rect where{k % 3 * 3, k / 3 * 3, 3, 3};
    halos.emplace_back(d, where, HaloExchange::Corners::all);
    sums.emplace_back(d, where, Along::rows);
    moving.emplace_back(d, where, Along::columns);
  }
  for (int k = 0; k < 9; ++k) {
    const auto n = static_cast<std::size_t>(k);
    const Rect where{k % 3 * 3, k / 3 * 3, 3, 3};
    d.program(where, "block", [&](PeProgram& pe) {
      const PeVector u = pe.array<std::int32_t>("u", {3, 3});
      pe.fill(u.block(1, 1, 1, 1), k + 1);
      halos[n].exchange(pe, u);
      const PeVector v = pe.array<std::int32_t>("v", 1), w = pe.array<std::int32_t>("w", 1);
      pe.copy(v, u.block(1, 1, 1, 1).flat());
      sums[n].reduce(pe, v, ReduceOperation::sum);
      moving[n].broadcast(pe, v, w, 1);
    });
  }
  const Fabric f = run(d);
  for (int k = 0; k < 9; ++k) {
    const Rect where{k % 3 * 3, k / 3 * 3, 3, 3};
    expect_elements(f, where, "u", 9, [&](int x, int y, int i) {
      const int px = x - where.x + i % 3 - 1, py = y - where.y + i / 3 - 1;
      return px >= 0 && px < 3 && py >= 0 && py < 3 ? k + 1 : 0;
    });
    expect_elements(f, where, "w", 1, [&](int, int, int) { return 3 * (k + 1); });
  }
}

TEST(SharedColors, AreRefusedWhereRectanglesOverlap) {
  Design d(4, 1);
  for (int k = 0; k < kColors; ++k) d.color(fmt::format("row {}", k), Rect{0, 0, 2, 1});
  EXPECT_EQ(d.color("beside", Rect{2, 0, 2, 1}).number, 0);
  expect_error(
      ErrorCategory::program,
      [&] {
        d.color("across", Rect{1, 0, 2, 1});
      },
      "no color is left for across", "0 by row 0, beside");
  expect_error(
      ErrorCategory::program, [&] { d.color("of all"); }, "no color is left for of all");
  expect_error(
      ErrorCategory::layout,
      [&] {
        d.color("outside", Rect{3, 0, 2, 1});
      },
      "");
}

/// A line of 8 PEs, of which those from `second` on name another root; so do all in the next use.
Design line_of_roots(int n, int first, int second, int from, bool waits = false) {
  Design d(9, 1);
  const Rect where{1, 0, 8, 1};
  const MovingBroadcast moving(d, where, Along::rows);
  d.program(where, "roots", [&](PeProgram& pe) {
    pe.name_lines([] { return "roots.cpp:5"; });
    const PeVector mine = own_numbers(pe, "mine", n), in = pe.array<std::int32_t>("in", n);
    const PeScalar root = pe.scalar<int>("root"), changes = pe.scalar<int>("changes");
    pe.set(root, first);
    pe.set(changes, from + where.x);
    pe.when(pe.x() >= changes, [&] { pe.set(root, second); });
    if (waits)
      pe.wait(moving.start(pe, mine, in, root));
    else
      moving.broadcast(pe, mine, in, root);
    moving.broadcast(pe, mine, in, 3);
  });
  return d;
}

TEST(MovingBroadcast, ChecksThatALineNamesOneRoot) {
  for (const int n : {1, 7, 40})
    for (const bool waits : {false, true}) {
      const auto checked = [&](int second, int from) {
        Fabric f =
            line_of_roots(n, 1, second, from, waits).fabric(test_machine(), test_options(), true);
        f.run_until_idle(kFarLimit);
        return f;
      };
      const Fabric alike = checked(1, 4);
      expect_elements(alike, {1, 0, 8, 1}, "in", n, [](int, int y, int i) { return own(4, y, i); });
      // 2 does not send, and 1 reaches all. 5 sends too, and their streams meet. Of 0, nobody sends
      // to the east.
      for (const int second : {2, 5, 0})
        expect_error(
            ErrorCategory::program, [&] { checked(second, 4); },
            "a check of the program failed: the PEs of a line name different roots (PE (1, 0) "
            "names "
            "1 at copy(in, from(moving broadcast)) (roots.cpp:5), and PE (5, 0) names " +
                std::to_string(second),
            "in use 1 of the pattern");
    }
}

TEST(MovingBroadcast, ChecksThatALineHasItsRoot) {
  for (const int root : {8, -1}) {
    Fabric f = line_of_roots(4, root, root, 0).fabric(test_machine(), test_options(), true);
    expect_error(
        ErrorCategory::program, [&] { f.run_until_idle(kFarLimit); },
        "the root is outside the line (PE (1, 0) names " + std::to_string(root));
  }
}

/// A check costs some instructions of the core, and the broadcast goes on beside it all the same.
TEST(MovingBroadcast, GoesOnBesideTheCoreWhenChecked) {
  Design d(6, 1);
  const MovingBroadcast moving(d, d.all(), Along::rows);
  d.program(d.all(), "beside", [&](PeProgram& pe) {
    const PeVector mine = own_numbers(pe, "mine", 200), in = pe.array<std::int32_t>("in", 200),
                   w = pe.array<std::int32_t>("w", 200);
    for (const int root : {0, 5}) {
      const std::vector<PeOperation> operations = moving.start(pe, mine, in, root);
      pe.repeat(3, [&] { pe.add(w, w, 1); });
      pe.wait(operations);
    }
  });
  Fabric checked = d.fabric(test_machine(), test_options(), true);
  checked.run_until_idle(kFarLimit);
  const auto notes = static_cast<unsigned>(2 * 10 * test_machine().scalar_cycles);
  EXPECT_LE(checked.cycle(), run(d).cycle() + notes);
}

TEST(MovingBroadcast, FindsDifferentRootsByChecksOnly) {
  const Design d = line_of_roots(7, 1, 2, 4);
  EXPECT_NO_THROW(run(d));  // PEs from 4 on have taken the numbers of another root
}

}  // namespace
}  // namespace weft::test::moving_broadcast_test
