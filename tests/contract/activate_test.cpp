// The host activates tasks of a fabric at rest, or on the way: the clock goes on.
#include <gtest/gtest.h>

#include <vector>

#include "support/by_line.hpp"
#include "support/expect_error.hpp"
#include "support/mesh.hpp"

namespace weft::test::activate_test {
namespace {

constexpr Rect kAll{0, 0, 1, 1};
constexpr Task kStep{TaskKind::local, 5};

Fabric fabric_of(const Layout& layout, Engine engine) {
  FabricOptions options = test_options();
  options.engine = engine;
  return {layout, test_machine(), options};
}

TEST(Activation, StartsATaskInTheFirstCycleOfTheNextRun) {
  for (const Engine engine : {Engine::host, Engine::reference}) {
    Fabric f = fabric_of(alone(counting_task()), engine);
    f.run_until_idle(1000);
    for (std::uint32_t count = 1; count <= 3; ++count) {
      const std::uint64_t rest = f.cycle();
      f.activate(kAll, kStep);
      EXPECT_EQ(f.cycle(), rest);
      f.run_until_idle(10000);
      const auto task_start = static_cast<std::uint64_t>(test_machine().task_start_cycles);
      EXPECT_EQ(f.read<std::uint32_t>(kAll, "cycle"),
                std::vector{static_cast<std::uint32_t>(rest + task_start)});
      EXPECT_EQ(f.read<std::uint32_t>(kAll, "count"), std::vector{count});
    }
  }
}

TEST(Activation, IsABit) {
  for (const Engine engine : {Engine::host, Engine::reference}) {
    Fabric f = fabric_of(alone(counting_task()), engine);
    f.activate(kAll, kStep);  // before the first run, too
    f.activate(kAll, kStep);
    f.run_until_idle(1000);
    EXPECT_EQ(f.read<std::uint32_t>(kAll, "count"), (std::vector<std::uint32_t>{1}));
  }
}

/// PEs add up along rows, step by step, on a mesh that is larger than a strip.
Design sums() {
  Design d(37, 9);
  const ReduceTree tree(d, d.all(), Along::rows);
  d.program(d.all(), "steps", [&](PeProgram& pe) {
    const PeVector u = pe.array<float>("u", 3);
    pe.fill(u, 1.0);
    pe.task("step", [&] { tree.reduce(pe, u, ReduceOperation::sum); });
  });
  return d;
}

struct Steps {
  std::vector<std::uint64_t> cycles;
  std::vector<float> u;
  bool operator==(const Steps&) const = default;
};

/// Rows that are activated before the first run and after it, and some on the way.
Steps steps_of(Fabric f, bool by_line) {
  const Rect all{0, 0, 37, 9};
  Steps steps;
  for (const Rect& where : {Rect{0, 2, 37, 5}, all, Rect{0, 8, 37, 1}}) {
    f.activate(where, "step");
    f.run_until_idle(100000);
    steps.cycles.push_back(f.cycle());
  }
  EXPECT_EQ(f.report().by_line, by_line);
  f.activate(all, "step");
  EXPECT_EQ(f.run(41), RunEnd::limit);
  f.activate({0, 0, 37, 2}, "step");
  f.run_until_idle(200000);
  steps.cycles.push_back(f.cycle());
  steps.u = f.read<float>(all, "u");
  return steps;
}

TEST(Activation, IsTheSameOnEveryEngineAndByLine) {
  const Layout layout = sums().layout();
  const Steps expected = steps_of(fabric_of(layout, Engine::reference), false);
  EXPECT_EQ(steps_of(fabric_of(layout, Engine::host), false), expected);
  EXPECT_EQ(steps_of(fabric_by_line(layout, test_machine()), true), expected);
  EXPECT_GT(expected.u[0], 37);  // summed more than once
  EXPECT_LT(expected.cycles[0], expected.cycles[1]);
}

TEST(Activation, BeginsTheMainTaskAnew) {
  Design d(1, 1);
  d.program(d.all(), "main task", [](PeProgram& pe) {
    const PeVector u = pe.array<float>("u", 4);
    pe.add(u, u, 1.0);
  });
  Fabric f = d.fabric(test_machine(), test_options());
  f.run_until_idle(1000);
  const std::uint64_t once = f.cycle();
  f.activate(d.all(), "main");
  f.run_until_idle(1000);
  EXPECT_EQ(f.read<float>(d.all(), "u"), std::vector<float>(4, 2));
  EXPECT_EQ(f.cycle(), 2 * once);
}

TEST(Activation, RefusesWhatIsNotThere) {
  Design d(2, 1);
  d.program({0, 0, 1, 1}, "p", [](PeProgram& pe) {
    pe.task("sweep", [] {});
    pe.task("twice", [] {});
    pe.task("twice", [] {});
  });
  Fabric f = d.fabric(test_machine(), test_options());
  const auto refused = [&](const Rect& where, const char* task, const char* text) {
    expect_error(
        ErrorCategory::usage, [&] { f.activate(where, task); }, text);
  };
  refused(kAll, "sweeps",
          "PE (0, 0) has no task sweeps (its program p has no such local task); "
          "the nearest is sweep");
  refused(kAll, "twice", "PE (0, 0) has several tasks twice");
  refused(d.all(), "sweep", "PE (1, 0) has no task sweep (it has no program)");
  refused({0, 0, 3, 1}, "sweep", "no PEs 0..2 x 0..0");
  expect_error(
      ErrorCategory::usage,
      [&] {
        f.activate(kAll, Task{TaskKind::local, 19});
      },
      "PE (0, 0) has no local task 19");
  expect_error(
      ErrorCategory::usage,
      [&] {
        f.activate(kAll, Task{TaskKind::data, 1});
      },
      "only a local task is activated");
}

TEST(Activation, OfAFabricThatHasFaultedNamesTheFault) {
  ProgramBuilder b("fault");
  b.start(b.local_task(0));
  b.sw(Reg{0}, Reg{0}, 2);
  b.end();
  for (const Engine engine : {Engine::host, Engine::reference}) {
    Fabric f = fabric_of(alone(b.build()), engine);
    EXPECT_THROW(f.run_until_idle(1000), FaultError);
    EXPECT_THROW(f.activate(kAll, Task{TaskKind::local, 0}), FaultError);
  }
}

/// A task that stays blocked is left over, as if the program had activated it.
TEST(Activation, OfABlockedTaskIsADeadlock) {
  ProgramBuilder b("blocked");
  b.start(b.local_task(0));
  b.end();
  b.start_blocked(b.local_task(3));
  b.end();
  for (const Engine engine : {Engine::host, Engine::reference}) {
    Fabric f = fabric_of(alone(b.build()), engine);
    f.run_until_idle(1000);
    const std::uint64_t rest = f.cycle();
    f.run_until_idle(1000);
    EXPECT_EQ(f.cycle(), rest);
    f.activate(kAll, Task{TaskKind::local, 3});
    EXPECT_THROW(f.run_until_idle(1000), DeadlockError);
    EXPECT_EQ(f.cycle(), rest + 1);
  }
}

}  // namespace
}  // namespace weft::test::activate_test
