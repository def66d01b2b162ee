#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "run.hpp"

/// Loops that are left, and conditions that are joined.
namespace weft::test::flow_test {
namespace {

void expect_refused(const std::function<void(PeProgram&)>& program, const std::string& message) {
  expect_error(
      ErrorCategory::program, [&] { (void)one_pe(program); }, message);
}

struct Result {
  int value;
  std::uint64_t cycles;
};

/// A program that counts in a register.
Result count(const std::function<void(PeProgram&, PeScalar n)>& program) {
  const Fabric f = run(one_pe([&](PeProgram& pe) {
    const PeVector out = pe.array<std::int32_t>("out", 1);
    const PeScalar n = pe.scalar<std::int32_t>("n");
    program(pe, n);
    pe.store(out, n);
  }));
  return {f.read<std::int32_t>({}, "out")[0], f.cycle()};
}

TEST(Leave, GoesOnBehindTheInnermostLoop) {
  // Of each kind: six of ten rounds, the last one up to the leave.
  const auto body = [](PeProgram& pe, PeScalar n) {
    pe.when(n == 5, [&] { pe.leave(); });
    pe.add(n, n, 1);
  };
  EXPECT_EQ(count([&](PeProgram& pe, PeScalar n) { pe.repeat(10, [&] { body(pe, n); }); }).value,
            5);
  EXPECT_EQ(count([&](PeProgram& pe, PeScalar n) {
              const PeScalar times = pe.scalar<std::int32_t>("times");
              pe.set(times, 10);
              pe.repeat(times, [&] { body(pe, n); });
            }).value,
            5);
  EXPECT_EQ(count([&](PeProgram& pe, PeScalar n) {
              pe.repeat_while(n < 10, [&] { body(pe, n); });
            }).value,
            5);
  EXPECT_EQ(count([&](PeProgram& pe, PeScalar n) {
              const PeScalar i = pe.scalar<std::int32_t>("i");
              pe.range(i, 0, 10, 1, [&] { body(pe, n); });
            }).value,
            5);
  // The outer one goes on: 3 times 1 + 2.
  EXPECT_EQ(count([&](PeProgram& pe, PeScalar n) {
              pe.repeat(3, [&] {
                pe.repeat(4, [&] {
                  pe.add(n, n, 1);
                  pe.leave();
                });
                pe.add(n, n, 2);
              });
            }).value,
            9);
}

TEST(Leave, CostsAJump) {
  const auto cycles = [](int rounds, bool leaves) {
    return count([&](PeProgram& pe, PeScalar n) {
             pe.repeat(rounds, [&] {
               pe.add(n, n, 1);
               if (leaves) pe.leave();
             });
           })
        .cycles;
  };
  // 5 cycles, and it goes past an addition and a branch that is not taken, 3 each.
  EXPECT_EQ(cycles(1, true) + 3 + 3, cycles(1, false) + 5);
}

// A loop goes on below a wait in another task: leave jumps there too.
TEST(Leave, StandsBelowAWait) {
  Design d(1, 1);
  const Color color = d.color("round");
  d.route(d.all(), color, {.rx = Port::ramp, .tx = Port::ramp});
  const auto design = [&](bool before) {
    return [&d, color, before](PeProgram& pe) {
      const PeVector u = pe.array<std::int32_t>("u", 4), v = pe.array<std::int32_t>("v", 4);
      const PeScalar n = pe.scalar<std::int32_t>("n");
      const PeVector out = pe.array<std::int32_t>("out", 1);
      pe.repeat(10, [&] {
        PeOperation send = pe.send(color, u), receive = pe.receive(v, color);
        if (before) pe.when(n == 3, [&] { pe.leave(); });
        pe.wait({send, receive});
        pe.when(n == 3, [&] { pe.leave(); });
        pe.add(n, n, 1);
      });
      pe.store(out, n);
    };
  };
  expect_error(
      ErrorCategory::program, [&] { d.program(d.all(), "p", design(true)); },
      "between the two stands a leave");
  d.program(d.all(), "p", design(false));
  EXPECT_EQ(run(d).read<std::int32_t>({}, "out")[0], 3);
}

// An inner loop that ends between an operation and its wait is no matter.
TEST(Leave, OfALoopBetweenAnOperationAndItsWait) {
  Design d(1, 1);
  const Color color = d.color("round");
  d.route(d.all(), color, {.rx = Port::ramp, .tx = Port::ramp});
  d.program(d.all(), "p", [&](PeProgram& pe) {
    const PeVector u = pe.values<std::int32_t>("u", {1, 2}), v = pe.array<std::int32_t>("v", 2);
    PeOperation send = pe.send(color, u), receive = pe.receive(v, color);
    pe.repeat(10, [&] { pe.leave(); });
    pe.wait({send, receive});
  });
  EXPECT_EQ(run(d).read<std::int32_t>({}, "v"), (std::vector<std::int32_t>{1, 2}));
}

TEST(Leave, StandsInALoop) {
  expect_refused([](PeProgram& pe) { pe.leave(); }, "leave stands in no loop");
  expect_refused([](PeProgram& pe) { pe.when(pe.x() == 0, [&] { pe.leave(); }); },
                 "leave stands in no loop");
  // Nor in that of another task.
  expect_refused([](PeProgram& pe) { pe.repeat(3, [&] { pe.task("t", [&] { pe.leave(); }); }); },
                 "leave stands in no loop");
}

/// The results of when and repeat_while, as bits, for a from 0 to 3 and b from 0 to 3.
TEST(Conditions, AreJoined) {
  using Condition = std::function<PeCondition(PeScalar, PeScalar)>;
  using Truth = std::function<bool(int, int)>;
  const std::vector<std::pair<Condition, Truth>> cases = {
      {[](PeScalar a, PeScalar b) { return (a < 2) & (b == 1); },
       [](int a, int b) { return a < 2 && b == 1; }},
      {[](PeScalar a, PeScalar b) { return (a < 2) | (b == 1); },
       [](int a, int b) { return a < 2 || b == 1; }},
      {[](PeScalar a, PeScalar) { return ~(a < 2); }, [](int a, int) { return a >= 2; }},
      {[](PeScalar a, PeScalar b) { return ~((a > 0) & ~(b <= 1)) & ((a != b) | (a == 3)); },
       [](int a, int b) { return !(a > 0 && b > 1) && (a != b || a == 3); }},
      {[](PeScalar a, PeScalar b) {
         return ((a == 0) | (a == 2) | (b == 3)) & ~(a > b) & (b >= 1);
       },
       [](int a, int b) { return (a == 0 || a == 2 || b == 3) && a <= b && b >= 1; }},
      {[](PeScalar a, PeScalar b) { return ~(((a == 1) & (b == 1)) | ((a == 2) & (b == 2))); },
       [](int a, int b) { return !((a == 1 && b == 1) || (a == 2 && b == 2)); }},
  };
  for (const auto& [condition, truth] : cases) {
    const Fabric f = run(one_pe([&](PeProgram& pe) {
      const PeVector whens = pe.array<std::int32_t>("whens", 16);
      const PeVector whiles = pe.array<std::int32_t>("whiles", 16);
      const PeScalar a = pe.scalar<std::int32_t>("a"), b = pe.scalar<std::int32_t>("b");
      const PeScalar at = pe.scalar<std::int32_t>("at"), one = pe.scalar<std::int32_t>("one");
      pe.set(one, 1);
      pe.range(a, 0, 4, 1, [&] {
        pe.range(b, 0, 4, 1, [&] {
          pe.when(condition(a, b), [&] { pe.store(whens.at(0).moved_by_bytes(at), one); });
          pe.repeat_while(condition(a, b), [&] {
            pe.store(whiles.at(0).moved_by_bytes(at), one);
            pe.leave();
          });
          pe.add(at, at, 4);
        });
      });
    }));
    std::vector<std::int32_t> expected;
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b) expected.push_back(truth(a, b) ? 1 : 0);
    EXPECT_EQ(f.read<std::int32_t>({}, "whens"), expected);
    EXPECT_EQ(f.read<std::int32_t>({}, "whiles"), expected);
  }
}

// The second question is not asked where the first one answers.
TEST(Conditions, AskNoMoreThanNeeded) {
  const auto cycles = [](int a, int b, bool all) {
    return count([&](PeProgram& pe, PeScalar n) {
             const PeScalar other = pe.scalar<std::int32_t>("other");
             pe.set(n, a);
             pe.set(other, b);
             const PeCondition first = n == 1, second = other == 1;
             pe.when(all ? first & second : first | second, [] {});
           })
        .cycles;
  };
  const std::uint64_t none = cycles(0, 0, true);
  EXPECT_EQ(cycles(0, 1, true), none);
  // A branch that is taken costs 5 cycles, another one 3.
  EXPECT_EQ(cycles(1, 0, true) - none, 3U);
  EXPECT_EQ(cycles(1, 1, true) - none, 1U);
  EXPECT_EQ(cycles(1, 0, false), none);
  EXPECT_EQ(cycles(1, 1, false), cycles(1, 0, false));
  EXPECT_EQ(cycles(0, 1, false) - none, 1U);
}

}  // namespace
}  // namespace weft::test::flow_test
