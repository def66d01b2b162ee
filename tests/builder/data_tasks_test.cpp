#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "run.hpp"

/// Colors whose wavelets start a task, and that operations of the program receive too.
namespace weft::test::data_tasks_test {
namespace {

/// PE (0, 0) sends numbers from 1 on to PE (1, 0), whose program `receiver` writes.
Design pair(int numbers, const std::function<void(PeProgram&, Color)>& receiver) {
  Design d(2, 1);
  const Color halo = d.color("halo");
  d.route({0, 0, 1, 1}, halo, {.rx = Port::ramp, .tx = Port::east});
  d.route({1, 0, 1, 1}, halo, {.rx = Port::west, .tx = Port::ramp});
  d.program({0, 0, 1, 1}, "sender", [&](PeProgram& pe) {
    std::vector<std::int32_t> values;
    for (int n = 1; n <= numbers; ++n) values.push_back(n);
    pe.send(halo, pe.values("u", values));
  });
  d.program({1, 0, 1, 1}, "receiver", [&](PeProgram& pe) { receiver(pe, halo); });
  return d;
}

const auto kNothing = [](PeScalar) {};

TEST(DataTasks, DoNotShareWaveletsWithAReceive) {
  for (const bool task_first : {true, false})
    expect_error(
        ErrorCategory::program,
        [&] {
          pair(8, [&](PeProgram& pe, Color halo) {
            const PeVector v = pe.array<std::int32_t>("v", 4);
            const auto task = [&] {
              pe.name_lines([] { return "heat.cpp:7"; });
              pe.on_data<std::int32_t>(halo, kNothing);
            };
            if (task_first) task();
            pe.name_lines([] { return "heat.cpp:9"; });
            pe.receive(v, halo);
            if (!task_first) task();
          });
        },
        "program receiver: copy(v, from(halo)) (heat.cpp:9) receives what starts the task on_data "
        "of color 0 (halo) (heat.cpp:7)",
        "ready first");
}

TEST(DataTasks, DoNotShareWaveletsWithAnOperationThatRunsOn) {
  expect_error(
      ErrorCategory::program,
      [] {
        pair(8, [](PeProgram& pe, Color halo) {
          const PeVector v = pe.array<std::int32_t>("v", 4);
          pe.on_data<std::int32_t>(halo, [&](PeScalar) { pe.receive(v, halo).async(); });
        });
      },
      "receives what starts the task");
}

/// The core runs no other task until it has all.
TEST(DataTasks, MayReceiveTheRestThemselves) {
  const Design d = pair(8, [](PeProgram& pe, Color halo) {
    const PeVector v = pe.array<std::int32_t>("v", 3), first = pe.array<std::int32_t>("first", 1);
    pe.on_data<std::int32_t>(halo, [&](PeScalar number) {
      pe.store(first, number);
      pe.receive(v, halo);
    });
  });
  const Fabric f = run(d);
  EXPECT_EQ(f.read<std::int32_t>({1, 0, 1, 1}, "first")[0], 5);
  EXPECT_EQ(f.read<std::int32_t>({1, 0, 1, 1}, "v"), (std::vector<std::int32_t>{6, 7, 8}));
}

TEST(DataTasks, MayBeBlockedWhileTheProgramReceives) {
  const Design d = pair(5, [](PeProgram& pe, Color halo) {
    const PeVector v = pe.array<std::int32_t>("v", 4), last = pe.array<std::int32_t>("last", 1);
    const Task task = pe.on_data<std::int32_t>(halo, [&](PeScalar n) { pe.store(last, n); });
    pe.block(task);
    pe.receive(v, halo);
    pe.unblock(task);
  });
  const Fabric f = run(d);
  EXPECT_EQ(f.read<std::int32_t>({1, 0, 1, 1}, "v"), (std::vector<std::int32_t>{1, 2, 3, 4}));
  EXPECT_EQ(f.read<std::int32_t>({1, 0, 1, 1}, "last")[0], 5);
}

/// 16-bit payloads have their sign.
TEST(DataTasks, CompareInt16) {
  Design d(2, 1);
  const Color east = d.color("east");
  d.route({0, 0, 1, 1}, east, {.rx = Port::ramp, .tx = Port::east});
  d.route({1, 0, 1, 1}, east, {.rx = Port::west, .tx = Port::ramp});
  d.program({0, 0, 1, 1}, "sender", [&](PeProgram& pe) {
    pe.send(east, pe.values<std::int16_t>("u", {3, -4, 5, -6, -7}));
  });
  d.program({1, 0, 1, 1}, "receiver", [&](PeProgram& pe) {
    const PeVector count = pe.array<std::int32_t>("count", 1);
    const PeScalar n = pe.scalar<std::int32_t>("n");
    pe.on_data<std::int16_t>(east, [&](PeScalar number) {
      pe.when(number < 0, [&] {
        pe.add(n, n, 1);
        pe.store(count, n);
      });
    });
  });
  EXPECT_EQ(run(d).read<std::int32_t>({1, 0, 1, 1}, "count")[0], 3);
}

}  // namespace
}  // namespace weft::test::data_tasks_test
