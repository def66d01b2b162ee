#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "expect_error.hpp"
#include "pattern_case.hpp"

namespace weft::test::parts_test {
namespace {

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

/// Each element says which PE it is from, and for which place in the line.
void check_all_to_all(Along along, int length, int n) {
  const Rect where = along == Along::rows ? Rect{1, 0, length, 2} : Rect{0, 1, 2, length};
  Design d(12, 12);
  const AllToAll all(d, where, along);
  const int rounds = 2;
  d.program(where, "all to all", [&](PeProgram& pe) {
    const PeVector out = own_numbers(pe, "out", n * length);
    const PeVector in = pe.array<std::int32_t>("in", n * length);
    pe.repeat(rounds, [&] { all.exchange(pe, out, in); });
  });
  expect_elements(run(d), where, "in", n * length, [&](int x, int y, int i) {
    const int from = i / n;
    const int element = n * (along == Along::rows ? x - where.x : y - where.y) + i % n;
    return along == Along::rows ? own(where.x + from, y, element) : own(x, where.y + from, element);
  });
}

TEST(AllToAll, GivesEachItsPartOfAll) {
  for (const Along along : {Along::rows, Along::columns})
    for (int length = 1; length <= 6; ++length)
      for (const int n : {1, 4}) check_all_to_all(along, length, n);
  check_all_to_all(Along::rows, 9, 11);  // more than queues hold
}

TEST(AllToAll, RefusesVectorsThatDoNotFit) {
  const auto refused = [](int out_size, int in_size, const char* text) {
    Design d(3, 1);
    const AllToAll all(d, d.all(), Along::rows);
    expect_error(
        ErrorCategory::program,
        [&] {
          d.program(d.all(), "p", [&](PeProgram& pe) {
            const PeVector out = pe.array<float>("out", out_size);
            all.exchange(pe, out, pe.array<float>("in", in_size));
          });
        },
        text);
  };
  refused(7, 6, "out does not divide among 3 PEs (it has 7 elements)");
  refused(6, 9, "out and in differ in length (one has 6 elements, the other 9)");
}

TEST(AllToAll, TakesTheCyclesOfItsFormula) {
  for (const Machine& machine : kMachines)
    for (const int n : {1, 3, 30, 100})
      for (const int length : {1, 2, 3, 5, 8, 16, 24}) {
        Design d(length, 1);
        const AllToAll all(d, d.all(), Along::rows);
        PeVector out, in;
        const auto taken = cycles_of(
            d, machine,
            [&](PeProgram& pe) {
              out = pe.array<float>("out", n * length);
              in = pe.array<float>("in", n * length);
            },
            [&](PeProgram& pe) { all.exchange(pe, out, in); });
        const int longest = *std::max_element(taken.begin(), taken.end());
        const int most =
            as_int(AllToAll::most_cycles(machine, static_cast<std::uint64_t>(n), length));
        const int turn = machine.scalar_cycles + as_int(first_element(machine));
        EXPECT_LE(longest, most) << machine.name << ", n = " << n << ", length " << length;
        if (length == 2) {  // nothing is passed on
          EXPECT_EQ(longest, most - 6 * turn - 2) << machine.name << ", n = " << n;
        }
        EXPECT_GE(longest, n * length * (length - 1)) << machine.name << ", n = " << n;
      }
}

}  // namespace
}  // namespace weft::test::parts_test
