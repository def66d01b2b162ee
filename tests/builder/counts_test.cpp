// Views whose count of elements a register holds, also on their way round a ring.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "expect_error.hpp"
#include "pattern_case.hpp"
#include "patterns/place.hpp"

namespace weft::test::counts_test {
namespace {

constexpr Rect kPe{0, 0, 1, 1};
constexpr int kMost = 6;

/// Row `n` of "out": n elements of u, and those of the row that nobody wrote.
Design counts(bool many_vectors, bool moved) {
  return one_pe([=](PeProgram& pe) {
    std::vector<std::int32_t> numbers(2 * kMost);
    std::iota(numbers.begin(), numbers.end(), 1);
    const PeVector u = pe.values("u", numbers);
    const PeVector out = pe.array<std::int32_t>("out", {kMost + 1, kMost});
    const PeScalar n = pe.scalar<int>("n"), at = pe.scalar<int>("at");
    const PeVector first = u.slice(0, kMost);
    pe.set(at, 4);
    for (int row = 0; row <= kMost; ++row) {
      pe.set(n, row);
      const PeVector from = moved ? first.moved_by_bytes(at) : first;
      pe.copy(out.row(row).counted_by(n), from.counted_by(n));
      pe.add(out.row(row), out.row(row), 100);  // the same place with the count of the array
      pe.sub(out.row(row).counted_by(n), out.row(row).counted_by(n), 100);
    }
    for (int k = 0; k < (many_vectors ? 20 : 0); ++k) {
      const PeVector v = pe.array<std::int32_t>("v" + std::to_string(k), k + 1);
      pe.add(v, v, v);
    }
  });
}

TEST(Counts, OfARegister) {
  for (const bool many_vectors : {false, true})
    for (const bool moved : {false, true}) {
      std::vector<std::int32_t> expected;
      for (int row = 0; row <= kMost; ++row)
        for (int i = 0; i < kMost; ++i) expected.push_back(i < row ? i + (moved ? 2 : 1) : 100);
      const Design d = counts(many_vectors, moved);
      EXPECT_EQ(run(d).read<std::int32_t>(kPe, "out"), expected);
      Fabric checked = d.fabric(test_machine(), test_options(), true);
      checked.run_until_idle(kFarLimit);
      EXPECT_EQ(checked.read<std::int32_t>(kPe, "out"), expected);
    }
}

TEST(Counts, AreRefusedWhereTheyCannotBe) {
  const auto refused = [](const std::string& message, const auto& use) {
    expect_error(
        ErrorCategory::program,
        [&] {
          one_pe([&](PeProgram& pe) {
            use(pe, pe.array<std::int32_t>("u", {2, 4}), pe.scalar<int>("s"));
          });
        },
        message);
  };
  refused("cannot count u",
          [](PeProgram&, const PeVector& u, PeScalar s) { (void)u.counted_by(s); });
  refused("cannot count u by a register of type float",
          [](PeProgram& pe, const PeVector& u, PeScalar) {
            (void)u.row(0).counted_by(pe.scalar<float>("f"));
          });
  refused("a register counts it", [](PeProgram&, const PeVector& u, PeScalar s) {
    (void)u.row(0).counted_by(s).counted_by(s);
  });
  refused("u has no slice",
          [](PeProgram&, const PeVector& u, PeScalar s) { (void)u.row(0).counted_by(s).at(1); });
  refused("a register counts it", [](PeProgram&, const PeVector& u, PeScalar s) {
    (void)u.row(0).counted_by(s).repeated(2);
  });
  refused("counts u and u by two registers", [](PeProgram& pe, const PeVector& u, PeScalar s) {
    pe.copy(u.row(0).counted_by(s), u.row(1).counted_by(pe.scalar<int>("other")));
  });
}

/// In step t the last 6 - t elements go one place on, into those of the other buffer: what a
/// register counts and moves.
TEST(Counts, OfWhatGoesRoundARing) {
  constexpr int kPes = 5;
  for (const Machine& machine : kMachines)
    for (const Around way : {Around::onwards, Around::backwards}) {
      Design d(kPes, 2);
      const RingShift ring(d, d.all(), Along::rows, "ring", way);
      d.program(d.all(), "ring", [&](PeProgram& pe) {
        const PeVector u = own_numbers(pe, "u", kMost), v = pe.array<std::int32_t>("v", kMost);
        const PeScalar n = pe.scalar<int>("n"), at = pe.scalar<int>("at");
        pe.set(n, kMost);
        pe.set(at, 0);
        pe.repeat(kMost, [&] {
          const auto part = [&](const PeVector& w) { return w.moved_by_bytes(at).counted_by(n); };
          ring.shift(pe, part(u), part(v));
          pe.copy(part(u), part(v));
          pe.add(n, n, -1);
          pe.add(at, at, 4);
        });
      });
      Fabric f = d.fabric(machine, test_options());
      f.run_until_idle(kFarLimit);
      expect_elements(f, d.all(), "u", kMost, [&](int x, int y, int i) {  // i + 1 places on
        const int back = way == Around::onwards ? 2 * kPes - i - 1 : i + 1;
        return own(RingShift::pe_at((RingShift::place_of(x, kPes) + back) % kPes, kPes), y, i);
      });
    }
}

/// Each of the two operations sets its base and its length, an instruction each. The receive comes
/// after five instructions then, which matters where a wavelet takes less time from core to core.
TEST(Counts, AddTheirInstructionsToAShift) {
  for (const Machine& machine : kMachines)
    for (const int count : {1, 9, 40}) {
      Design d(8, 1);
      const RingShift ring(d, d.all(), Along::rows);
      PeVector u, v;
      PeScalar n, at;
      const auto taken = cycles_of(
          d, machine,
          [&](PeProgram& pe) {
            u = pe.array<float>("u", 40);
            v = pe.array<float>("v", 40);
            n = pe.scalar<int>("n");
            at = pe.scalar<int>("at");
            pe.set(n, count);
            pe.set(at, 0);
          },
          [&](PeProgram& pe) {
            ring.shift(pe, u.moved_by_bytes(at).counted_by(n), v.moved_by_bytes(at).counted_by(n));
          });
      EXPECT_EQ(std::ranges::max(taken),
                as_int(RingShift::cycles(machine, static_cast<std::uint64_t>(count))) +
                    2 * machine.scalar_cycles +
                    std::max(0, 3 * machine.scalar_cycles -
                                    static_cast<int>(patterns::travel(machine, 2))))
          << machine.name << ", " << count;
    }
}

}  // namespace
}  // namespace weft::test::counts_test
