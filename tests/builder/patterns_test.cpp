#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>

#include "expect_error.hpp"
#include "run.hpp"

namespace weft::test {
namespace {

const Machine kMachines[] = {Machine{}, test_machine(), machine_profile("wse2-simfab")};

int as_int(std::uint64_t cycles) { return static_cast<int>(cycles); }

/// Cycles that `code` takes in each PE, all beginning together at a later cycle.
std::vector<std::int32_t> cycles_of(Design& d, const Machine& machine,
                                    const std::function<void(PeProgram&)>& prepare,
                                    const std::function<void(PeProgram&)>& code) {
  d.program(d.all(), "timed", [&](PeProgram& pe) {
    const PeVector taken = pe.array<std::int32_t>("taken", 1);
    const PeScalar begin = pe.scalar<std::int32_t>("begin"), end = pe.scalar<std::int32_t>("end");
    prepare(pe);
    // All come to the same cycle, as a move takes its elements' number over its rate.
    const PeVector pad = pe.array<std::int32_t>("pad", 1);
    pe.dbase(Dsr{15}, static_cast<int>(pad.address()));
    pe.dbase(Dsr{14}, static_cast<int>(pad.address()));
    pe.tsc(begin);
    pe.mul(begin, begin, -machine.move32_rate);
    pe.dlenr(Dsr{14}, begin, 1000 * machine.move32_rate);
    pe.vmov32(Dsr{15}, Dsr{14});
    pe.tsc(begin);
    code(pe);
    pe.tsc(end);
    pe.sub(end, end, begin);
    pe.add(end, end, -machine.scalar_cycles);  // of the first reading
    pe.store(taken, end);
  });
  Fabric fabric = d.fabric(machine, test_options());
  fabric.run_until_idle(kFarLimit);
  return fabric.read<std::int32_t>(d.all(), "taken");
}

TEST(NeighborShift, TakesTheCyclesOfItsFormula) {
  for (const Machine& machine : kMachines)
    for (const int n : {2, 3, 10, 50}) {
      Design d(5, 1);
      const NeighborShift east(d, d.all(), Port::east);
      PeVector u, v;
      const auto taken = cycles_of(
          d, machine,
          [&](PeProgram& pe) {
            u = pe.array<float>("u", n);
            v = pe.array<float>("v", n);
          },
          [&](PeProgram& pe) { east.shift(pe, u, v); });
      EXPECT_EQ(taken[2],
                static_cast<int>(NeighborShift::cycles(machine, static_cast<std::uint64_t>(n))))
          << machine.name << ", n = " << n;
    }
}

TEST(NeighborShift, GoesToAllSides) {
  for (const Port to : {Port::east, Port::west, Port::south, Port::north}) {
    Design d(4, 3);
    const NeighborShift shift(d, {0, 0, 4, 3}, to);
    d.program(d.all(), "shift", [&](PeProgram& pe) {
      const PeVector u = pe.parameter<std::int32_t>("u", [](int x, int y) { return 10 * y + x; });
      const PeVector v = pe.values<std::int32_t>("v", {-1});
      shift.shift(pe, u, v);
    });
    const std::vector<std::int32_t> v = run(d).read<std::int32_t>(d.all(), "v");
    const int dx = to == Port::east ? -1 : to == Port::west ? 1 : 0;
    const int dy = to == Port::south ? -1 : to == Port::north ? 1 : 0;
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 4; ++x) {
        const bool there = x + dx >= 0 && x + dx < 4 && y + dy >= 0 && y + dy < 3;
        EXPECT_EQ(v[static_cast<std::size_t>(4 * y + x)], there ? 10 * (y + dy) + x + dx : -1)
            << "to " << static_cast<int>(to) << " at " << x << ", " << y;
      }
  }
}

/// The halo of every PE, with or without corners, after two rounds with other numbers.
void check_halo(HaloExchange::Corners corners, int width, int height, int rows, int columns) {
  Design d(width, height);
  const HaloExchange halo(d, d.all(), corners);
  d.program(d.all(), "halo", [&](PeProgram& pe) {
    const PeVector u = pe.array<float>("u", {rows + 2, columns + 2});
    halo.exchange(pe, u);
    pe.mul(u.block(1, 1, rows, columns), u.block(1, 1, rows, columns), 2.0);
    halo.exchange(pe, u);
  });
  // Numbers of the whole plane, by place; -1 beyond it.
  const auto at = [&](int r, int c) {
    const bool inside = r >= 0 && r < height * rows && c >= 0 && c < width * columns;
    return inside ? static_cast<float>(100 * r + c) : -1.0F;
  };
  std::vector<float> start;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int r = -1; r <= rows; ++r)
        for (int c = -1; c <= columns; ++c) {
          const bool own = r >= 0 && r < rows && c >= 0 && c < columns;
          start.push_back(own ? at(y * rows + r, x * columns + c) : -1.0F);
        }
  Fabric f = d.fabric(test_machine(), test_options());
  f.write(d.all(), "u", start);
  f.run_until_idle(kFarLimit);
  const std::vector<float> u = f.read<float>(d.all(), "u");
  std::size_t i = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int r = -1; r <= rows; ++r)
        for (int c = -1; c <= columns; ++c, ++i) {
          const bool corner = (r < 0 || r == rows) && (c < 0 || c == columns);
          const float there = at(y * rows + r, x * columns + c);
          const bool left = there < 0 || (corner && corners == HaloExchange::Corners::none);
          EXPECT_EQ(u[i], left ? -1.0F : 2 * there)
              << "PE (" << x << ", " << y << "), row " << r << ", column " << c;
        }
}

TEST(HaloExchange, BringsTheNeighboursBorders) {
  check_halo(HaloExchange::Corners::none, 3, 4, 2, 3);
  check_halo(HaloExchange::Corners::none, 2, 1, 1, 1);
}

TEST(HaloExchange, BringsTheCornersToo) {
  check_halo(HaloExchange::Corners::all, 3, 3, 3, 2);
  check_halo(HaloExchange::Corners::all, 1, 2, 1, 1);
}

/// The number of a PE's own, at launch.
PeVector own_numbers(PeProgram& pe, const std::string& name, int n) {
  const PeVector v = pe.array<std::int32_t>(name, n);
  pe.at_start(v, [n](int x, int y) {
    std::vector<PeValue> values;
    for (int i = 0; i < n; ++i) values.emplace_back(1000 * y + 10 * x + i);
    return values;
  });
  return v;
}
int own(int x, int y, int i) { return 1000 * y + 10 * x + i; }

/// Checks v of each PE of a rectangle of a larger fabric.
void expect_elements(const Fabric& f, const Rect& where, const std::string& symbol, int n,
                     const std::function<int(int x, int y, int i)>& expected) {
  for (int y = where.y; y < where.y + where.height; ++y)
    for (int x = where.x; x < where.x + where.width; ++x) {
      const auto v = f.read<std::int32_t>({x, y, 1, 1}, symbol);
      for (int i = 0; i < n; ++i)
        EXPECT_EQ(v[static_cast<std::size_t>(i)], expected(x, y, i))
            << "PE (" << x << ", " << y << "), element " << i;
    }
}

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

TEST(ScatterAndGather, AreInverse) {
  for (const Along along : {Along::rows, Along::columns})
    for (int n = 1; n <= 5; ++n) {
      const Rect where = along == Along::rows ? Rect{0, 1, n, 2} : Rect{1, 0, 2, n};
      Design d(6, 6);
      const Scatter scatter(d, where, along, 3);
      const Gather gather(d, where, along);
      d.program(where, "there and back", [&](PeProgram& pe) {
        const PeVector all = own_numbers(pe, "all", 3 * n),
                       back = pe.array<std::int32_t>("back", 3 * n);
        const PeVector part = pe.array<std::int32_t>("part", 3);
        scatter.scatter(pe, all, part);
        gather.gather(pe, part, back);
      });
      const Fabric f = run(d);
      const auto first = [&](int x, int y) {
        return along == Along::rows ? std::pair{where.x, y} : std::pair{x, where.y};
      };
      expect_elements(f, where, "part", 3, [&](int x, int y, int i) {
        const auto [fx, fy] = first(x, y);
        return own(fx, fy, 3 * (x - fx + y - fy) + i);
      });
      const Rect roots = along == Along::rows ? Rect{0, 1, 1, 2} : Rect{1, 0, 2, 1};
      expect_elements(f, roots, "back", 3 * n, own);
    }
}

TEST(ScatterAndGather, TakeTheCyclesOfTheirFormula) {
  for (const Machine& machine : kMachines)
    for (const int n : {1, 2, 20})
      for (const bool scatters : {true, false}) {
        constexpr int kLength = 5;
        Design d(kLength, 1);
        std::optional<Scatter> scatter;
        std::optional<Gather> gather;
        if (scatters)
          scatter.emplace(d, d.all(), Along::rows, n);
        else
          gather.emplace(d, d.all(), Along::rows);
        PeVector all, part;
        const auto taken = cycles_of(
            d, machine,
            [&](PeProgram& pe) {
              all = pe.array<float>("all", n * kLength);
              part = pe.array<float>("part", n);
            },
            [&](PeProgram& pe) {
              if (scatters)
                scatter->scatter(pe, all, part);
              else
                gather->gather(pe, part, all);
            });
        const auto words = static_cast<std::uint64_t>(n);
        if (scatters) {
          EXPECT_EQ(taken[kLength - 1], as_int(Scatter::cycles(machine, words, kLength)))
              << machine.name << ", n = " << n;
        } else {
          // Not counted: the copy of the first PE's own part, which is over memory.
          const int copy =
              machine.vector_start_cycles + (n + machine.move32_rate - 1) / machine.move32_rate;
          EXPECT_LE(taken[0] - copy, as_int(Gather::most_cycles(machine, words, kLength)))
              << machine.name << ", n = " << n;
          EXPECT_GE(taken[0] - copy, n * (kLength - 1)) << machine.name << ", n = " << n;
        }
      }
}

TEST(Patterns, SayWhatIsMissing) {
  Design d(3, 3);
  for (int k = 0; k < kColors - 1; ++k) d.color("mine " + std::to_string(k));
  expect_error(
      ErrorCategory::program, [&] { NeighborShift(d, d.all(), Port::east, "my shift"); },
      "no color is left for my shift");
  Design e(3, 3);
  expect_error(
      ErrorCategory::program, [&] { Broadcast(e, e.all(), 3, 0, "b"); },
      "b cannot begin at (3, 0)");
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

}  // namespace
}  // namespace weft::test
