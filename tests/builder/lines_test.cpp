#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "pattern_case.hpp"

namespace weft::test::lines_test {
namespace {

TEST(Broadcast, FromAnyPlaceOfLines) {
  const Rect where{1, 2, 5, 4};
  for (const Along along : {Along::rows, Along::columns})
    for (int root = 0; root < (along == Along::rows ? 5 : 4); ++root) {
      Design d(7, 7);
      const Broadcast broadcast(d, where, along, root);
      d.program(where, "broadcast",
                [&](PeProgram& pe) { broadcast.broadcast(pe, own_numbers(pe, "v", 3)); });
      expect_elements(run(d), where, "v", 3, [&](int x, int y, int i) {
        return along == Along::rows ? own(where.x + root, y, i) : own(x, where.y + root, i);
      });
    }
}

TEST(Broadcast, FromOnePe) {
  const Rect where{1, 1, 4, 3};
  for (int y = 0; y < where.height; ++y)
    for (int x = 0; x < where.width; ++x) {
      Design d(6, 5);
      const Broadcast broadcast(d, where, x, y);
      d.program(where, "broadcast",
                [&](PeProgram& pe) { broadcast.broadcast(pe, own_numbers(pe, "v", 2)); });
      expect_elements(run(d), where, "v", 2,
                      [&](int, int, int i) { return own(where.x + x, where.y + y, i); });
    }
}

TEST(Broadcast, TakesTheCyclesOfItsFormula) {
  for (const Machine& machine : kMachines)
    for (const int n : {1, 2, 30}) {
      Design d(6, 1);
      const Broadcast broadcast(d, d.all(), Along::rows, 1);
      PeVector v;
      const auto taken = cycles_of(
          d, machine, [&](PeProgram& pe) { v = pe.array<float>("v", n); },
          [&](PeProgram& pe) { broadcast.broadcast(pe, v); });
      for (int x = 0; x < 6; ++x)
        EXPECT_EQ(
            taken[static_cast<std::size_t>(x)],
            as_int(Broadcast::cycles(machine, static_cast<std::uint64_t>(n), std::abs(x - 1))))
            << machine.name << ", n = " << n << ", PE " << x;
    }
}

template <class Reduce>
void check_reduce(const Rect& where, Along along, bool to_last, const Reduce& make) {
  Design d(9, 9);
  const auto reduce = make(d);
  d.program(where, "reduce", [&](PeProgram& pe) {
    reduce.reduce(pe, own_numbers(pe, "v", 3), ReduceOperation::sum);
  });
  const Fabric f = run(d);
  expect_elements(f, where, "v", 3, [&](int x, int y, int i) {
    const int end = along == Along::rows ? (to_last ? where.x + where.width - 1 : where.x)
                                         : (to_last ? where.y + where.height - 1 : where.y);
    if ((along == Along::rows ? x : y) != end)
      return f.read<std::int32_t>({x, y, 1, 1}, "v")[static_cast<std::size_t>(i)];  // no matter
    int sum = 0;
    for (int k = 0; k < (along == Along::rows ? where.width : where.height); ++k)
      sum += along == Along::rows ? own(where.x + k, y, i) : own(x, where.y + k, i);
    return sum;
  });
}

TEST(ReduceChain, SumsToEachSide) {
  const Rect where{1, 2, 6, 4};
  for (const Port to : {Port::west, Port::east, Port::north, Port::south}) {
    const bool rows = to == Port::west || to == Port::east;
    check_reduce(where, rows ? Along::rows : Along::columns, to == Port::east || to == Port::south,
                 [&](Design& d) { return ReduceChain(d, where, to); });
  }
}

TEST(ReduceTree, SumsLinesOfAnyLength) {
  for (int n = 1; n <= 9; ++n) {
    check_reduce({0, 0, n, 2}, Along::rows, false, [&](Design& d) {
      return ReduceTree(d, {0, 0, n, 2}, Along::rows);
    });
    check_reduce({1, 0, 2, n}, Along::columns, false, [&](Design& d) {
      return ReduceTree(d, {1, 0, 2, n}, Along::columns);
    });
  }
}

TEST(Reduce, TakesTheCyclesOfItsFormula) {
  for (const Machine& machine : kMachines)
    for (const int n : {1, 3, 40})
      for (const bool chain : {true, false}) {
        Design d(8, 1);
        std::optional<ReduceChain> by_chain;
        std::optional<ReduceTree> by_tree;
        if (chain)
          by_chain.emplace(d, d.all(), Port::west);
        else
          by_tree.emplace(d, d.all(), Along::rows);
        PeVector v;
        const auto taken = cycles_of(
            d, machine, [&](PeProgram& pe) { v = pe.array<std::int32_t>("v", n); },
            [&](PeProgram& pe) {
              if (chain)
                by_chain->reduce(pe, v, ReduceOperation::sum);
              else
                by_tree->reduce(pe, v, ReduceOperation::sum);
            });
        const auto words = static_cast<std::uint64_t>(n);
        EXPECT_EQ(taken[0], as_int(chain ? ReduceChain::cycles(machine, words, 8)
                                         : ReduceTree::cycles(machine, words, 8)))
            << machine.name << ", n = " << n << (chain ? ", chain" : ", tree");
      }
}

TEST(AllReduce, GivesAllPesTheLargest) {
  for (const AllReduce::By by : {AllReduce::By::chain, AllReduce::By::tree}) {
    Design d(6, 3);
    const AllReduce all(d, d.all(), Along::rows, by);
    d.program(d.all(), "all", [&](PeProgram& pe) {
      const PeVector v = pe.parameter<float>(
          "v", [](int x, int y) { return static_cast<float>(y + (x == 2 ? 50 : x)); });
      all.reduce(pe, v, ReduceOperation::max);
    });
    const std::vector<float> v = run(d).read<float>(d.all(), "v");
    for (std::size_t i = 0; i < v.size(); ++i) EXPECT_EQ(v[i], static_cast<float>(50 + i / 6));
  }
}

TEST(RingShift, GoesAroundRingsOfAnyLength) {
  for (const Along along : {Along::rows, Along::columns})
    for (int n = 2; n <= 9; ++n) {
      const Rect where = along == Along::rows ? Rect{1, 0, n, 2} : Rect{0, 1, 2, n};
      Design d(11, 11);
      const RingShift ring(d, where, along);
      const int rounds = 3;
      d.program(where, "ring", [&](PeProgram& pe) {
        const PeVector v = own_numbers(pe, "v", 4), w = pe.array<std::int32_t>("w", 4);
        pe.repeat(rounds, [&] {
          ring.shift(pe, v, w);
          pe.copy(v, w);
        });
      });
      expect_elements(run(d), where, "v", 4, [&](int x, int y, int i) {
        const int pe = along == Along::rows ? x - where.x : y - where.y;
        const int place = (RingShift::place_of(pe, n) + rounds * n - rounds) % n;
        const int from = RingShift::pe_at(place, n);
        return along == Along::rows ? own(where.x + from, y, i) : own(x, where.y + from, i);
      });
    }
}

/// Both ways at once, and back.
TEST(RingShift, GoesBothWaysRound) {
  for (int n = 2; n <= 7; ++n) {
    Design d(n, 1);
    const RingShift onwards(d, d.all(), Along::rows, "on");
    const RingShift backwards(d, d.all(), Along::rows, "back", Around::backwards);
    d.program(d.all(), "ring", [&](PeProgram& pe) {
      const PeVector u = own_numbers(pe, "u", 3), v = own_numbers(pe, "v", 3);
      const PeVector after = pe.array<std::int32_t>("after", 3);
      const PeVector before = pe.array<std::int32_t>("before", 3);
      const auto there = backwards.start(pe, u, after);
      pe.wait({there[0], there[1]});
      onwards.shift(pe, v, before);
    });
    const Fabric f = run(d);
    for (const auto& [symbol, steps] : {std::pair{"after", 1}, {"before", n - 1}})
      expect_elements(f, d.all(), symbol, 3, [&, steps = steps](int x, int y, int i) {
        return own(RingShift::pe_at((RingShift::place_of(x, n) + steps) % n, n), y, i);
      });
  }
}

TEST(RingShift, TakesTheCyclesOfItsFormula) {
  for (const Machine& machine : kMachines)
    for (const int n : {2, 9, 40}) {
      Design d(8, 1);
      const RingShift ring(d, d.all(), Along::rows);
      PeVector u, v;
      const auto taken = cycles_of(
          d, machine,
          [&](PeProgram& pe) {
            u = pe.array<float>("u", n);
            v = pe.array<float>("v", n);
          },
          [&](PeProgram& pe) { ring.shift(pe, u, v); });
      EXPECT_EQ(*std::max_element(taken.begin(), taken.end()),
                as_int(RingShift::cycles(machine, static_cast<std::uint64_t>(n))))
          << machine.name << ", n = " << n;
    }
}

TEST(AllReduce, TakesTheCyclesOfItsFormula) {
  for (const Machine& machine : kMachines)
    for (const int n : {1, 3, 40})
      for (const AllReduce::By by : {AllReduce::By::chain, AllReduce::By::tree}) {
        Design d(8, 1);
        const AllReduce all(d, d.all(), Along::rows, by);
        PeVector v;
        const auto taken = cycles_of(
            d, machine, [&](PeProgram& pe) { v = pe.array<std::int32_t>("v", n); },
            [&](PeProgram& pe) { all.reduce(pe, v, ReduceOperation::sum); });
        EXPECT_EQ(taken[7],
                  as_int(AllReduce::cycles(machine, static_cast<std::uint64_t>(n), 8, by)))
            << machine.name << ", n = " << n << (by == AllReduce::By::chain ? ", chain" : ", tree");
      }
}

}  // namespace
}  // namespace weft::test::lines_test
