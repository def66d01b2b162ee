// Views whose count of elements a register holds, also on their way round a ring.
#include <fmt/format.h>
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

/// Twelve numbers, the view's first element among them, and the registers.
struct Use {
  int count, first, stride;  ///< in elements; the view is that of `first` moved there
  bool strided = false;      ///< by a register
};

void use_checked(const Use& of) {
  const Design d = one_pe([=](PeProgram& pe) {
    const PeVector before = pe.array<std::int32_t>("before", 40),
                   u = pe.array<std::int32_t>("u", 12),
                   behind = pe.array<std::int32_t>("behind", 40);
    const PeScalar n = pe.scalar<int>("n"), at = pe.scalar<int>("at"), by = pe.scalar<int>("by");
    pe.set(n, of.count);
    pe.set(by, of.stride);
    const bool down = of.stride < 0;
    pe.set(at, 4 * (of.first - (down ? 11 : 0)));
    PeVector view = down ? u.slice(11, kMost, -1) : u.slice(0, kMost, of.stride > 1 ? 2 : 1);
    if (of.strided) view = view.strided_by(by);
    pe.fill(view.moved_by_bytes(at).counted_by(n), 1);
    pe.copy(before, behind);
  });
  Fabric f = d.fabric(test_machine(), test_options(), true);
  f.run_until_idle(kFarLimit);
}

TEST(Counts, AreChecked) {
  const auto refused = [](const char* message, const Use& of) {
    SCOPED_TRACE(fmt::format("{} from {} by {}", of.count, of.first, of.stride));
    expect_error(
        ErrorCategory::program, [&] { use_checked(of); }, message, "fill(u, 1)");
  };
  const char* const moved = "a view of u is moved out of it";
  for (const bool strided : {false, true}) {
    for (const int count : {-1, kMost + 1, 1 << 30})
      refused("a register counts fewer than 0 elements, or more than 6", {count, 0, 1, strided});
    for (const Use& of : {Use{6, 6, 1}, {1, 11, 1}, {0, 12, 1}, {6, 5, -1}, {1, 0, -1}, {5, 3, 2}})
      EXPECT_NO_THROW(use_checked({of.count, of.first, of.stride, strided}));
    for (const Use& of : {Use{6, 7, 1}, {1, 12, 1}, {1, -1, 1}, {6, 4, -1}, {2, 12, -1}, {5, 4, 2}})
      refused(moved, {of.count, of.first, of.stride, strided});
  }
  EXPECT_NO_THROW(use_checked({1, 0, 1 << 28, true}));  // nobody goes so far
  refused(moved, {5, 0, 1 << 28, true});                // 2^32 bytes
  refused(moved, {5, 11, -(1 << 28), true});
}

/// With `check`: each register that moves or counts, and the end of what is strided or both.
TEST(Counts, CostTheirChecks) {
  const auto cost = [](bool moved, bool counted, bool strided) {
    const Design d = one_pe([=](PeProgram& pe) {
      const PeVector u = pe.array<float>("u", 12);
      const PeScalar n = pe.scalar<int>("n"), at = pe.scalar<int>("at"), by = pe.scalar<int>("by");
      pe.set(n, 3);
      pe.set(at, 4);
      pe.set(by, 2);
      PeVector view = u.slice(0, 5);
      if (moved) view = view.moved_by_bytes(at);
      if (counted) view = view.counted_by(n);
      if (strided) view = view.strided_by(by);
      pe.fill(view, 1.0F);
    });
    const auto cycles = [&](bool check) {
      Fabric f = d.fabric(test_machine(), test_options(), check);
      f.run_until_idle(kFarLimit);
      return static_cast<int>(f.cycle());
    };
    return (cycles(true) - cycles(false)) / test_machine().scalar_cycles;
  };
  EXPECT_EQ(cost(true, false, false), 4);
  EXPECT_EQ(cost(false, true, false), 4);
  EXPECT_EQ(cost(true, true, false), 4 + 4 + 9);
  EXPECT_EQ(cost(false, false, true), 9);
  EXPECT_EQ(cost(true, false, true), 4 + 10);
  EXPECT_EQ(cost(false, true, true), 4 + 19);
  EXPECT_EQ(cost(true, true, true), 4 + 4 + 20);
}

TEST(Counts, OfAPartOrAnElementAreRefused) {
  const auto refused = [](const char* message, const auto& use) {
    Design d(3, 1);
    const Scatter scatter(d, d.all(), Along::rows, 4);
    const Gather gather(d, d.all(), Along::rows);
    expect_error(
        ErrorCategory::program,
        [&] {
          d.program(d.all(), "parts", [&](PeProgram& pe) {
            const PeScalar n = pe.scalar<int>("n");
            use(pe, scatter, gather, pe.array<std::int32_t>("all", 12),
                pe.array<std::int32_t>("part", 4), n);
          });
        },
        message);
  };
  refused("scatter: a register counts part",
          [](PeProgram& pe, const Scatter& s, const Gather&, const PeVector& all,
             const PeVector& part, PeScalar n) { s.scatter(pe, all, part.counted_by(n)); });
  refused("gather: a register counts part",
          [](PeProgram& pe, const Scatter&, const Gather& g, const PeVector& all,
             const PeVector& part, PeScalar n) { g.start(pe, part.counted_by(n), all); });
  refused("gather: a register counts all",
          [](PeProgram& pe, const Scatter&, const Gather& g, const PeVector& all,
             const PeVector& part, PeScalar n) { g.gather(pe, part, all.counted_by(n)); });
  for (const bool loads : {false, true})
    refused("a register counts part", [=](PeProgram& pe, const Scatter&, const Gather&,
                                          const PeVector&, const PeVector& part, PeScalar n) {
      const PeVector element = part.at(0).counted_by(n);
      loads ? pe.load(n, element) : pe.store(element, n);
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
