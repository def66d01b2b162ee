#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "run.hpp"

/// Programs with more waits than a core has local tasks: waits share them.
namespace weft::test::many_waits_test {
namespace {

constexpr Rect kEast{1, 0, 1, 1};

/// Both PEs of a row send to each other in each of so many rounds, written one below the other, and
/// add up what they get: round n sends n.
using Round = std::function<void(PeProgram&, const PeVector& in, const PeVector& out)>;
Design rounds(int count, const std::function<Round(Design&)>& pattern) {
  Design d(2, 1);
  const Round round = pattern(d);
  d.program(d.all(), "rounds", [&](PeProgram& pe) {
    const PeVector out = pe.array<float>("out", 4), in = pe.array<float>("in", 4);
    const PeVector sum = pe.array<float>("sum", 4);
    for (int n = 1; n <= count; ++n) {
      pe.add(out, out, 1);
      round(pe, out, in);
      pe.add(sum, sum, in);
    }
  });
  return d;
}

Round exchange(Design& d) {
  const NeighborShift east(d, d.all(), Port::east), west(d, d.all(), Port::west, "west");
  return [=](PeProgram& pe, const PeVector& out, const PeVector& in) {
    std::vector<PeOperation> moves = east.start(pe, out, in);
    for (const PeOperation& o : west.start(pe, out, in)) moves.push_back(o);
    pe.wait(moves);
  };
}

std::uint64_t cycles_of(int count, const std::function<Round(Design&)>& pattern) {
  const Fabric f = run(rounds(count, pattern));
  const float sum = static_cast<float>(count * (count + 1)) / 2;
  EXPECT_EQ(f.read<float>(kEast, "sum"), std::vector<float>(4, sum));
  return f.cycle();
}

// A wait that shares its task costs a call and a return. Rounds of two PEs that wait for each other
// are longer and shorter in turn, so these are two.
TEST(ManyWaits, CostLittleMoreThanFewOnes) {
  EXPECT_EQ(cycles_of(28, exchange) - cycles_of(26, exchange), 91U);
  EXPECT_EQ(cycles_of(100, exchange) - cycles_of(98, exchange), 91U + 2 * 5);
}

// Code in a loop keeps tasks of its own.
TEST(ManyWaits, CostNothingInALoop) {
  const auto cycles = [](int unrolled, int times) {
    Design d(2, 1);
    const Round round = exchange(d);
    d.program(d.all(), "both", [&](PeProgram& pe) {
      const PeVector out = pe.array<float>("out", 4), in = pe.array<float>("in", 4);
      for (int n = 0; n < unrolled; ++n) round(pe, out, in);
      pe.repeat(times, [&] { round(pe, out, in); });
    });
    return run(d).cycle();
  };
  EXPECT_EQ(cycles(60, 10) - cycles(60, 8), cycles(1, 10) - cycles(1, 8));
}

// Each wait for the quick shift is under way while the slow one is waited for.
TEST(ManyWaits, MayOverlap) {
  Design d(3, 1);
  const NeighborShift east(d, d.all(), Port::east), west(d, d.all(), Port::west, "west");
  d.program(d.all(), "both", [&](PeProgram& pe) {
    const PeVector u = pe.array<float>("u", 4), a = pe.array<float>("a", 4);
    const PeVector b = pe.array<float>("b", 40), c = pe.array<float>("c", 40);
    for (int round = 0; round < 40; ++round) {
      const std::vector<PeOperation> quick = east.start(pe, u, a);
      pe.wait(west.start(pe, b, c));
      pe.add(b, c, 1);
      pe.wait(quick);
      pe.add(u, u, 1);
    }
  });
  const Fabric f = run(d);
  EXPECT_EQ(f.read<float>(kEast, "a"), std::vector<float>(4, 39));
  EXPECT_EQ(f.read<float>(kEast, "u"), std::vector<float>(4, 40));
  EXPECT_EQ(f.read<float>({0, 0, 1, 1}, "c"), std::vector<float>(40, 2));
}

TEST(ManyWaits, MayBeForOneOperation) {
  Design d(2, 1);
  const NeighborShift east(d, d.all(), Port::east);
  d.program(d.all(), "one", [&](PeProgram& pe) {
    const PeVector u = pe.array<float>("u", 4), v = pe.array<float>("v", 4);
    for (int round = 0; round < 50; ++round) {
      pe.wait(east.start(pe, u, v));
      pe.add(u, u, 1);
    }
  });
  EXPECT_EQ(run(d).read<float>(kEast, "v"), std::vector<float>(4, 49));
}

// Tasks that a program declares after its waits, one of which has waits of its own.
TEST(ManyWaits, LeaveTasksToTheProgram) {
  Design d(2, 1);
  const Round main = exchange(d);
  const NeighborShift beside(d, d.all(), Port::east, "beside");
  d.program(d.all(), "tasks", [&](PeProgram& pe) {
    const PeVector out = pe.array<float>("out", 4), in = pe.array<float>("in", 4);
    const PeVector u = pe.array<float>("u", 4), v = pe.array<float>("v", 4);
    const PeVector ends = pe.array<std::int32_t>("ends", 1);
    const PeScalar n = pe.scalar<std::int32_t>("n");
    pe.set(n, 0);
    const Task other = pe.task("other", [&] {
      for (int round = 0; round < 30; ++round) {
        pe.wait(beside.start(pe, u, v));
        pe.add(u, u, 1);
      }
    });
    pe.activate(other);
    for (int round = 0; round < 30; ++round) {
      main(pe, out, in);
      pe.add(out, in, 1);
    }
    for (int task = 0; task < 10; ++task)
      pe.activate(pe.task("t" + std::to_string(task), [&] {
        pe.add(n, n, 1);
        pe.store(ends, n);
      }));
  });
  const Fabric f = run(d);
  EXPECT_EQ(f.read<float>(kEast, "in"), std::vector<float>(4, 29));
  EXPECT_EQ(f.read<float>(kEast, "v"), std::vector<float>(4, 29));
  EXPECT_EQ(f.read<std::int32_t>(kEast, "ends"), (std::vector<std::int32_t>{10}));
}

TEST(ManyWaits, NeedATaskAndARegister) {
  const auto refused = [](int tasks, int registers, int waits, const std::string& message) {
    expect_error(
        ErrorCategory::program,
        [&] {
          PeProgram pe("p");
          const PeVector u = pe.array<float>("u", 2);
          for (int n = 0; n < tasks; ++n) pe.task("t", [] {});
          for (int n = 0; n < registers; ++n) pe.scalar<int>("s");
          for (int n = 0; n < waits; ++n) pe.wait({pe.send({1}, u)});
          (void)pe.build();
        },
        message);
  };
  refused(29, 0, 1, "program p: too few local tasks are left for its waits");
  refused(0, 15, 30, "program p: no register is left for waits that share tasks");
}

}  // namespace
}  // namespace weft::test::many_waits_test
