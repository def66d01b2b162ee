// Transposition on rings: any length, both ways, parts of any kind, and its cycles.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "expect_error.hpp"
#include "pattern_case.hpp"
#include "support/effort.hpp"
#include "support/transform_case.hpp"

namespace weft::test::ring_transpose_test {
namespace {

int place_at(const Rect& where, Along along, int x, int y) {
  return along == Along::rows ? RingShift::place_of(x - where.x, where.width)
                              : RingShift::place_of(y - where.y, where.height);
}

/// own() of the PE at this place of the same line.
int own_at(const Rect& where, Along along, int x, int y, int place, int i) {
  const int pe = RingShift::pe_at(place, along == Along::rows ? where.width : where.height);
  return along == Along::rows ? own(where.x + pe, y, i) : own(x, where.y + pe, i);
}

void check(Along along, int length, int n, const Machine& machine) {
  const Rect where = along == Along::rows ? Rect{1, 2, length, 2} : Rect{2, 1, 2, length};
  Design d(where.x + where.width + 1, where.y + where.height + 1);
  const RingTranspose ring(d, where, along);
  const auto first = static_cast<std::size_t>(d.programs());
  d.program(where, "transpose", [&](PeProgram& pe) {
    const PeVector out = own_numbers(pe, "out", n * length);
    const PeVector in = pe.array<std::int32_t>("in", n * length);
    ring.transpose(pe, out, in);
    pe.copy(pe.array<std::int32_t>("copy", n * length), in);
  });
  EXPECT_EQ(static_cast<std::size_t>(d.programs()), first + 1) << "one program for all PEs";
  Fabric f = d.fabric(machine, test_options());
  f.run_until_idle(kFarLimit);
  expect_elements(f, where, "copy", n * length, [&](int x, int y, int i) {
    return own_at(where, along, x, y, i / n, place_at(where, along, x, y) * n + i % n);
  });
}

TEST(RingTranspose, IsRightOnLinesOfAnyLength) {
  for (const Along along : {Along::rows, Along::columns})
    for (int length = 2; length <= 9; ++length)
      for (const int n : {1, 3}) {
        SCOPED_TRACE(fmt::format("{} PEs, {} elements", length, n));
        check(along, length, n, test_machine());
      }
  for (const Machine& machine : kMachines) check(Along::rows, 16, 2, machine);
}

/// Lines and parts at random, on machines at random.
TEST(RingTranspose, IsRightOnMachinesAtRandom) {
  const auto seeds = by_effort<std::uint64_t>(8, 40, 160);
  for (std::uint64_t seed = seed_from(1); seed < seed_from(1) + seeds; ++seed) {
    SCOPED_TRACE(seed);
    const int length = 2 + static_cast<int>(seed % 8), n = 1 + static_cast<int>(seed / 8 % 3);
    check(seed % 2 == 0 ? Along::rows : Along::columns, length, n, random_machine(seed));
    if (testing::Test::HasFailure()) break;
  }
}

/// own() has too few numbers for these.
std::vector<std::int32_t> numbers_of(int x, int length) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(length));
  std::iota(all.begin(), all.end(), x * length);
  return all;
}

/// r m (p^2 / 4 + 2.5 p) + 17 p + 330 cycles and a tenth, m r wavelets a part, and no more than
/// most_cycles.
TEST(RingTranspose, IsRightAndQuickOnLongLines) {
  for (int length = 4; length <= by_effort(16, 64, 256); length *= 2) {
    SCOPED_TRACE(length);
    Design d(length, 1);
    const RingTranspose ring(d, d.all(), Along::rows);
    PeVector out, in;
    const auto taken = cycles_of(
        d, Machine{},
        [&](PeProgram& pe) {
          out = pe.array<std::int32_t>("out", length);
          in = pe.array<std::int32_t>("in", length);
          pe.at_start(out, [&](int x, int) {
            const auto all = numbers_of(x, length);
            return std::vector<PeValue>(all.begin(), all.end());
          });
        },
        [&](PeProgram& pe) { ring.transpose(pe, out, in); });
    const double p = length, formula = p * p / 4 + 2.5 * p + 17 * p + 330;
    const int longest = std::ranges::max(taken);
    EXPECT_LE(longest, 1.1 * formula);
    EXPECT_LE(longest, as_int(RingTranspose::most_cycles(Machine{}, 1, length)));
    Fabric f = d.fabric(Machine{}, test_options());
    f.run_until_idle(kFarLimit);
    for (int x = 0; x < length; ++x) {
      const auto came = f.read<std::int32_t>({x, 0, 1, 1}, "in");
      for (int place = 0; place < length; ++place)
        ASSERT_EQ(came[static_cast<std::size_t>(place)],
                  RingShift::pe_at(place, length) * length + RingShift::place_of(x, length));
    }
  }
}

/// PEs have rows of a matrix, and get columns: in loops, after work that is not alike.
TEST(RingTranspose, GoesOnInALoopHoweverLateOthersAre) {
  constexpr int kPes = 6, kTimes = 3;
  for (const Machine& machine : kMachines) {
    Design d(kPes, 1);
    const RingTranspose ring(d, d.all(), Along::rows);
    d.program(d.all(), "t", [&](PeProgram& pe) {
      const PeVector a = own_numbers(pe, "a", kPes), b = pe.array<std::int32_t>("b", kPes);
      const PeVector idle =
          pe.parameter<std::int32_t>("idle", [](int x, int) { return x * 7919 % 400 + 1; });
      const PeScalar left = pe.scalar<std::int32_t>("left");
      pe.repeat(kTimes, [&] {
        pe.load(left, idle);
        pe.repeat(left, [] {});
        ring.transpose(pe, a, b);
        ring.transpose(pe, b, a);
      });
    });
    Fabric f = d.fabric(machine, test_options());
    f.run_until_idle(kFarLimit);
    expect_elements(f, d.all(), "a", kPes, [](int x, int y, int i) { return own(x, y, i); });
  }
}

/// Rows and columns of one matrix of blocks, and both axes of the mesh in one program.
TEST(RingTranspose, TakesBlocks) {
  constexpr int kPes = 4, kRows = 3, kColumns = 2;
  Design d(kPes, kPes);
  const RingTranspose rows(d, d.all(), Along::rows), columns(d, d.all(), Along::columns, "c");
  // Before: kRows rows of kPes x kColumns. After: for each PE kRows rows below those of another.
  const RingParts before{kColumns, {{kRows, kPes * kColumns}, {kColumns, 1}}};
  const RingParts after{kRows * kColumns, {{kRows, kColumns}, {kColumns, 1}}};
  constexpr int kSize = kPes * kRows * kColumns;
  d.program(d.all(), "t", [&](PeProgram& pe) {
    const PeVector a = own_numbers(pe, "a", kSize), b = pe.array<std::int32_t>("b", kSize);
    rows.transpose(pe, a, b, before, after);
    columns.transpose(pe, b, a, after, before);
  });
  const Fabric f = run(d);
  expect_elements(f, d.all(), "a", kSize, [](int x, int y, int i) {
    const int u = RingShift::place_of(x, kPes), v = RingShift::place_of(y, kPes);
    const int row = i / (kPes * kColumns), part = i / kColumns % kPes, column = i % kColumns;
    // Along columns from place `part`: its part number v, which came along rows from place v.
    return own(RingShift::pe_at(v, kPes), RingShift::pe_at(part, kPes),
               row * kPes * kColumns + u * kColumns + column);
  });
}

/// Of the PE that ends last, for parts of n elements.
std::int64_t longest_of(const Machine& machine, int length, int n) {
  Design d(length, 1);
  const RingTranspose ring(d, d.all(), Along::rows);
  std::vector<PeVector> v;
  return std::ranges::max(cycles_of(
      d, machine,
      [&](PeProgram& pe) {
        v = {pe.array<std::int32_t>("out", n * length), pe.array<std::int32_t>("in", n * length)};
      },
      [&](PeProgram& pe) { ring.transpose(pe, v[0], v[1]); }));
}

TEST(RingTranspose, TakesNoMoreCyclesThanItSays) {
  for (const Machine& machine : kMachines)
    for (const int length : {2, 5, 8, 16, 33})
      for (const int n : {1, 2, 16, 64}) {
        const auto most =
            as_int(RingTranspose::most_cycles(machine, static_cast<std::uint64_t>(n), length));
        const auto longest = longest_of(machine, length, n);
        EXPECT_LE(longest, most) << machine.name << ", " << length << " PEs, " << n;
        EXPECT_GE(longest, n * (length * length / 4)) << machine.name << ", " << length;
        if (n * length > 1000) {
          EXPECT_GT(longest, most * 6 / 10) << machine.name << ", " << length;
        }
      }
}

/// The formula of the page on transforms, for parts of a wavelet and of more.
TEST(RingTranspose, TakesNoMoreCyclesThanAnExchangeAroundARing) {
  for (const int length : {2, 3, 5, 8, 16, 33, 64})
    for (const int n : {1, 2, 3, 8, 16, 64}) {
      const double p = length, formula = n * (p * p / 4 + 2.5 * p) + 17 * p + 330;
      const auto longest = static_cast<double>(longest_of(Machine{}, length, n));
      RecordProperty(fmt::format("over_{}_{}", length, n),
                     fmt::format("{:.3f}", longest / formula));
      EXPECT_LE(longest, formula) << length << " PEs, " << n;
    }
}

TEST(RingTranspose, RefusesWhatDoesNotFit) {
  const auto refused = [](const std::string& message, const auto& use) {
    Design d(4, 1);
    const RingTranspose ring(d, d.all(), Along::rows);
    expect_error(
        ErrorCategory::program,
        [&] { d.program(d.all(), "t", [&](PeProgram& pe) { use(ring, pe); }); },
        "ring transpose: " + message);
  };
  refused("v does not divide among 4 PEs", [](const RingTranspose& ring, PeProgram& pe) {
    ring.transpose(pe, pe.array<float>("v", 6), pe.array<float>("w", 6));
  });
  refused("v has elements of 2 bytes", [](const RingTranspose& ring, PeProgram& pe) {
    ring.transpose(pe, pe.array<Half>("v", 8), pe.array<Half>("w", 8));
  });
  refused("the elements of v are not side by side", [](const RingTranspose& ring, PeProgram& pe) {
    ring.transpose(pe, pe.array<float>("v", 16).slice(0, 8, 2), pe.array<float>("w", 8));
  });
  refused("parts do not lie in w", [](const RingTranspose& ring, PeProgram& pe) {
    const RingParts parts{3, {{2, 1}}};
    ring.transpose(pe, pe.array<float>("v", 16), pe.array<float>("w", 8), parts, parts);
  });
  refused("the parts of v are no parts of w", [](const RingTranspose& ring, PeProgram& pe) {
    ring.transpose(pe, pe.array<float>("v", 16), pe.array<float>("w", 16), {4, {{4, 1}}},
                   {4, {{2, 1}}});
  });
  Design one(1, 4);
  expect_error(
      ErrorCategory::program, [&] { RingTranspose(one, one.all(), Along::rows, "r"); },
      "r has one PE");
}

}  // namespace
}  // namespace weft::test::ring_transpose_test
