#include <gtest/gtest.h>

#include <stdexcept>

#include "expect_error.hpp"
#include "run.hpp"

/// Waits, and the blocks and tasks that they stand in.
namespace weft::test::waits_test {
namespace {

constexpr Rect kEast{1, 0, 1, 1}, kWest{0, 0, 1, 1};

/// PE (1, 0) sends by one color and receives by another; PE (0, 0) replies late, by `slow`
/// rounds of arithmetic.
Design exchange(int slow, const std::function<void(PeProgram&, Color out, Color in)>& program) {
  Design d(2, 1);
  const Color there = d.color("there"), back = d.color("back");
  d.route(kEast, there, {.rx = Port::ramp, .tx = Port::west});
  d.route(kWest, there, {.rx = Port::east, .tx = Port::ramp});
  d.route(kWest, back, {.rx = Port::ramp, .tx = Port::east});
  d.route(kEast, back, {.rx = Port::west, .tx = Port::ramp});
  d.program(kWest, "slow", [&](PeProgram& pe) {
    const PeVector x = pe.array<float>("x", 200), v = pe.array<float>("v", 8);
    pe.receive(v, there);
    pe.repeat(slow, [&] { pe.add(x, x, 1); });
    pe.send(back, v);
  });
  d.program(kEast, "waits", [&](PeProgram& pe) { program(pe, there, back); });
  return d;
}

/// Notes the cycle in an element of "times".
void note(PeProgram& pe, const PeVector& times, PeScalar now, int at) {
  pe.tsc(now);
  pe.store(times.at(at), now);
}

// The first operation is over long before the second one, or long after it.
TEST(Wait, ForAnOperationThatIsOlderThanAnotherWait) {
  for (const bool first_is_slow : {false, true}) {
    const Design d = exchange(20, [&](PeProgram& pe, Color out, Color in) {
      const PeVector u = pe.values<float>("u", {1, 2, 3, 4, 5, 6, 7, 8});
      const PeVector v = pe.array<float>("v", 8), times = pe.array<std::int32_t>("times", 3);
      const PeScalar now = pe.scalar<std::int32_t>("now");
      PeOperation send = pe.send(out, u), receive = pe.receive(v, in);
      send.async(), receive.async();
      note(pe, times, now, 0);
      pe.wait({first_is_slow ? receive : send});
      note(pe, times, now, 1);
      pe.wait({first_is_slow ? send : receive});
      note(pe, times, now, 2);
    });
    const Fabric f = run(d);
    const auto times = f.read<std::int32_t>(kEast, "times");
    EXPECT_LT(times[0], times[1]);
    EXPECT_LT(times[1], times[2]);
    EXPECT_GT(times[first_is_slow ? 1 : 2], 1000);
    EXPECT_LT(times[first_is_slow ? 0 : 1], 100);
    EXPECT_EQ(f.read<float>(kEast, "v"), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
  }
}

// The same of several, in each round of a loop.
TEST(Wait, ForSeveralThatAreOlderInALoop) {
  Design d(3, 1);
  const NeighborShift east(d, d.all(), Port::east), west(d, d.all(), Port::west, "west");
  d.program(d.all(), "both", [&](PeProgram& pe) {
    const PeVector u = pe.array<float>("u", 4), a = pe.array<float>("a", 4);
    const PeVector b = pe.array<float>("b", 40), c = pe.array<float>("c", 40);
    const PeVector rounds = pe.array<std::int32_t>("rounds", 1);
    const PeScalar n = pe.scalar<std::int32_t>("n");
    pe.set(n, 0);
    pe.repeat(5, [&] {
      const std::vector<PeOperation> quick = east.start(pe, u, a);
      const std::vector<PeOperation> slow = west.start(pe, b, c);
      pe.wait(slow);
      pe.add(n, n, 1);
      pe.wait(quick);
      pe.add(u, u, 1);
      pe.add(n, n, 1);
    });
    pe.store(rounds, n);
  });
  const Fabric f = run(d);
  EXPECT_EQ(f.read<std::int32_t>(d.all(), "rounds"), (std::vector<std::int32_t>{10, 10, 10}));
  EXPECT_EQ(f.read<float>(kEast, "a"), (std::vector<float>{4, 4, 4, 4}));
}

TEST(Wait, StandsInTheBlockOfItsOperations) {
  const auto refused = [](const std::function<void(PeProgram&, PeOperation)>& program) {
    expect_error(
        ErrorCategory::program,
        [&] {
          PeProgram pe("p");
          program(pe, pe.send({1}, pe.array<float>("u", 2)));
        },
        ") is waited for in another task, loop or condition");
  };
  refused([](PeProgram& pe, PeOperation send) { pe.repeat(3, [&] { pe.wait({send}); }); });
  refused([](PeProgram& pe, PeOperation send) { pe.task("t", [&] { pe.wait({send}); }); });
  refused([](PeProgram& pe, PeOperation) {
    const PeVector v = pe.array<float>("v", 2);
    std::vector<PeOperation> sends;
    pe.when(pe.x() == 0, [&] { sends.push_back(pe.send({2}, v)); });
    pe.wait(sends);
  });
}

// A data task runs while the main one waits; its loops have counters of their own.
TEST(Loops, OfTasksHaveTheirOwnCounters) {
  Design d(2, 1);
  const Color words = d.color("words");
  const NeighborShift shift(d, d.all(), Port::east);
  d.route(kWest, words, {.rx = Port::ramp, .tx = Port::east});
  d.route(kEast, words, {.rx = Port::west, .tx = Port::ramp});
  d.program(d.all(), "both", [&](PeProgram& pe) {
    const PeVector u = pe.array<float>("u", 8), v = pe.array<float>("v", 8);
    const PeVector counts = pe.array<std::int32_t>("counts", 2);
    const PeScalar n = pe.scalar<std::int32_t>("n"), m = pe.scalar<std::int32_t>("m");
    pe.set(n, 0);
    if (pe.has_neighbor(Port::west))
      pe.on_data<std::int32_t>(words, [&](PeScalar) {
        pe.repeat(3, [&] { pe.add(m, m, 1); });
        pe.store(counts.at(1), m);
      });
    pe.repeat(10, [&] {
      if (pe.has_neighbor(Port::east)) pe.send(words, pe.array<float>("w", 2));
      shift.shift(pe, u, v);
      pe.add(n, n, 1);
    });
    pe.store(counts.at(0), n);
  });
  const Fabric f = run(d);
  EXPECT_EQ(f.read<std::int32_t>(kEast, "counts"), (std::vector<std::int32_t>{10, 60}));
}

TEST(Blocks, EndFromTheInsideOut) {
  const auto refused = [](const std::function<void(PeProgram&)>& program,
                          const std::string& message) {
    expect_error(
        ErrorCategory::program,
        [&] {
          PeProgram pe("p");
          program(pe);
          (void)pe.build();
        },
        message);
  };
  refused([](PeProgram& pe) { pe.open_repeat(3); }, "a loop or a condition has no end");
  refused([](PeProgram& pe) { pe.task("t", [&] { pe.open_repeat(3); }); },
          "a loop or a condition has no end");
  refused(
      [](PeProgram& pe) {
        PeBlock outer = pe.open_repeat(3);
        PeBlock inner = pe.open_repeat(4);
        pe.close(outer);
        pe.close(inner);
      },
      "a block is closed in which another one is open");
}

TEST(Blocks, CompareNumbersOfOneKind) {
  const auto refused = [](ElementType a, ElementType b, bool by_order) {
    expect_error(
        ErrorCategory::program,
        [&] {
          PeProgram pe("p");
          const PeScalar s = pe.scalar("s", a), t = pe.scalar("t", b);
          pe.when(by_order ? s < t : s == t, [] {});
        },
        "invalid comparison");
  };
  refused(ElementType::f32, ElementType::f16, true);
  refused(ElementType::f16, ElementType::i32, true);
  refused(ElementType::f32, ElementType::i32, false);
  refused(ElementType::i32, ElementType::f32, false);
}

TEST(ProgramFunctions, HaveVectorsOfTheirOwn) {
  PeProgram other("other"), pe("p");
  const PeVector theirs = other.array<float>("theirs", 2), mine = pe.array<float>("mine", 2);
  const auto refused = [&](const std::function<void()>& use) {
    expect_error(ErrorCategory::program, use, "program p: theirs is not in its memory");
  };
  refused([&] { pe.copy(mine, theirs); });
  refused([&] { pe.store(theirs.at(0), pe.scalar<float>("s")); });
  refused([&] { pe.at_start(theirs, [](int, int) { return std::vector<PeValue>{}; }); });
}

// A function that throws leaves the design as it was, so that a notebook can go on.
TEST(ProgramFunctions, MayBeGivenAgainAfterAnError) {
  Design d(4, 1);
  bool throws = true;
  const auto give = [&] {
    d.program(d.all(), "t", [&](PeProgram& pe) {
      if (!pe.where([](int x, int) { return x == 0; }) && throws) throw std::runtime_error("typo");
      pe.array<float>("u", 2);
    });
  };
  EXPECT_THROW(give(), std::runtime_error);
  EXPECT_EQ(d.programs(), 0);
  throws = false;
  give();
  EXPECT_EQ(d.programs(), 2);
  EXPECT_EQ(run(d).read<float>(d.all(), "u").size(), 8U);
}

}  // namespace
}  // namespace weft::test::waits_test
