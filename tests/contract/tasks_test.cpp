// Causes that start a task, causes that hold it back, and the order of tasks.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/mesh.hpp"

namespace weft::test::tasks_test {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr int kColor = 5;
constexpr Reg r1{1}, r2{2};

/// The task's code: appends its number to a list in memory (r10: the next place, from 0 on).
void note(ProgramBuilder& b, int number) {
  b.li(r1, number);
  b.sw(r1, Reg{10});
  b.addi(Reg{10}, Reg{10}, 4);
}

Words run_tasks(ProgramBuilder& b, std::size_t count) {
  Fabric fabric(alone(b.build()), test_machine(), test_options());
  fabric.run_until_idle(100000);
  Words list(count);
  fabric.read({0, 0, 1, 1}, 0, list);
  return list;
}

std::uint32_t control(int entry, bool no_core = false, std::uint32_t data = 0x9249) {
  ControlWavelet wavelet;
  wavelet.slots[0].no_core = no_core;
  wavelet.entry = entry;
  return (wavelet.payload() & 0xffff0000U) | data;
}

/// The line of two PEs that most tests use.
Mesh two() {
  Mesh mesh(2);
  mesh.line(kColor, 4);  // an input queue of two
  return mesh;
}

TEST(Task, ActivationIsABitNotACount) {
  ProgramBuilder b("tasks");
  b.reserve("list", 64);
  b.start(b.local_task(0));
  for (int i = 0; i < 3; ++i) b.activate({TaskKind::local, 7});
  b.end();
  b.local_task(7);
  note(b, 7);
  b.end();
  EXPECT_EQ(run_tasks(b, 3), (Words{7, 0, 0}));
}

TEST(Task, ATaskMayActivateItselfAgain) {
  ProgramBuilder b("tasks");
  b.reserve("list", 64);
  const Label done = b.label();
  b.start(b.local_task(3));
  note(b, 9);
  b.li(r2, 8);
  b.bge(Reg{10}, r2, done);
  b.activate({TaskKind::local, 3});
  b.place(done);
  b.end();
  EXPECT_EQ(run_tasks(b, 3), (Words{9, 9, 0}));
}

TEST(Task, ABlockedTaskWaitsUntilItIsUnblocked) {
  ProgramBuilder b("tasks");
  b.reserve("list", 64);
  b.start(b.local_task(0));
  b.activate({TaskKind::local, 2});
  note(b, 1);
  b.activate({TaskKind::local, 4});
  b.end();
  b.start_blocked(b.local_task(2));
  note(b, 2);
  b.end();
  b.local_task(4);
  note(b, 4);
  b.unblock({TaskKind::local, 2});
  b.end();
  EXPECT_EQ(run_tasks(b, 4), (Words{1, 4, 2, 0}));
}

TEST(Task, BlockingHoldsAnActiveTask) {
  ProgramBuilder b("tasks");
  b.reserve("list", 64);
  b.start(b.local_task(0));
  b.block({TaskKind::local, 1});
  b.activate({TaskKind::local, 1});
  b.activate({TaskKind::local, 6});
  b.end();
  b.local_task(1);
  note(b, 1);
  b.end();
  b.local_task(6);
  note(b, 6);
  b.unblock({TaskKind::local, 1});
  b.end();
  EXPECT_EQ(run_tasks(b, 3), (Words{6, 1, 0}));
}

TEST(Task, UnblockingATaskThatIsNotActiveStartsNothing) {
  ProgramBuilder b("tasks");
  b.reserve("list", 64);
  b.start(b.local_task(0));
  b.unblock({TaskKind::local, 1});
  b.end();
  b.start_blocked(b.local_task(1));
  note(b, 1);
  b.end();
  EXPECT_EQ(run_tasks(b, 1), (Words{0}));
}

TEST(Task, HighPriorityComesFirstThenTheNumber) {
  ProgramBuilder b("tasks");
  b.reserve("list", 64);
  b.start(b.local_task(0));
  for (const int id : {9, 4, 20, 12}) b.activate({TaskKind::local, static_cast<std::uint8_t>(id)});
  b.end();
  for (const int id : {4, 9, 12, 20}) {
    b.local_task(id, id >= 12 ? TaskPriority::high : TaskPriority::low);
    note(b, id);
    b.end();
  }
  EXPECT_EQ(run_tasks(b, 4), (Words{12, 20, 4, 9}));
}

/// The order in which PE 1 runs tasks of every kind that wait while it is busy; those of `high`
/// have high priority. Data tasks 3 and 23, local tasks 9 and 27, control tasks 4 and 63; the lower
/// of two wavelets waits in the higher queue.
Words order_of_kinds(const std::vector<int>& high) {
  Mesh mesh(2);
  mesh.line(3, 5).line(23, 4).line(6, 3).line(7, 2);
  mesh.pe(0).send(0, 3, {1}).send(1, 23, {1});
  mesh.pe(0).send_control(2, 6, {control(4)}).send_control(3, 7, {control(63)});
  const auto of = [=](int number) {
    return std::ranges::count(high, number) != 0 ? TaskPriority::high : TaskPriority::low;
  };
  mesh.pe(1).unblock(6).unblock(7).wait(80).run([=](ProgramBuilder& b) {
    b.activate({TaskKind::local, 27});
    b.activate({TaskKind::local, 9});
    for (const int number : {9, 27, 4, 63, 3, 23}) {
      b.end();
      if (number == 3 || number == 23) b.data_task(number, of(number));
      if (number == 9 || number == 27) b.local_task(number, of(number));
      if (number == 4 || number == 63) b.control_task(number, of(number));
      note(b, number);
    }
  });
  mesh.run();
  Words order;
  for (std::uint32_t i = 0; i < 6; ++i) order.push_back(mesh.word(1, 0, 4 * i));
  return order;
}

TEST(Task, OfOnePriorityDataComesFirstThenLocalThenControl) {
  EXPECT_EQ(order_of_kinds({}), (Words{3, 23, 9, 27, 4, 63}));
  EXPECT_EQ(order_of_kinds({23, 27, 63}), (Words{23, 27, 63, 3, 9, 4}));
  EXPECT_EQ(order_of_kinds({4, 9}), (Words{9, 4, 3, 23, 27, 63}));
}

TEST(Task, ADataTaskGetsThePayloadInR0) {
  Mesh mesh = two();
  mesh.pe(0).send(0, kColor, {0xffffffff, 0x12345678});
  mesh.pe(1).catch_data(kColor);
  mesh.run();
  EXPECT_EQ(payloads(mesh.caught(1)), (Words{0xffffffff, 0x12345678}));
}

TEST(Task, AControlTaskGetsTheLowSixteenBits) {
  Mesh mesh = two();
  mesh.pe(0).send_control(0, kColor, {control(0, false, 0xabcd), control(63, false, 0x1234)});
  mesh.pe(1).catch_control(0).catch_control(63).run([](ProgramBuilder& b) {
    b.unblock({TaskKind::data, kColor});
  });
  mesh.run();
  EXPECT_EQ(payloads(mesh.caught(1)), (Words{0xabcd, 0x1234}));
}

TEST(Task, AColorWithoutDataTaskStartsBlocked) {
  Mesh mesh = two();
  mesh.pe(0).send_control(0, kColor, {control(3)});
  mesh.pe(1).catch_control(3);
  mesh.start().run(500);
  EXPECT_TRUE(mesh.caught(1).empty());
}

TEST(Task, NoceKeepsAControlWaveletFromTheCore) {
  Mesh mesh = two();
  mesh.pe(0).send_control(0, kColor, {control(3, true, 1), control(3, false, 2)});
  mesh.pe(1).catch_data(kColor).catch_control(3);
  mesh.run();
  EXPECT_EQ(payloads(mesh.caught(1)), (Words{2}));
  EXPECT_EQ(mesh.fabric().counters().delivered, 1U);
}

TEST(Task, AControlWaveletWithoutEntryStartsNothing) {
  Mesh mesh = two();
  mesh.pe(0).send_control(0, kColor, {control(kNoEntry), control(3, false, 2)});
  mesh.pe(1).catch_data(kColor).catch_control(3);
  mesh.run();
  EXPECT_EQ(payloads(mesh.caught(1)), (Words{2}));
}

TEST(Task, DataAndControlOfOneQueueKeepTheirOrder) {
  Mesh mesh = two();
  mesh.pe(0)
      .send(0, kColor, {1, 2})
      .send_control(0, kColor, {control(3, false, 3)})
      .send(0, kColor, {4});
  mesh.pe(1).catch_data(kColor).catch_control(3);
  mesh.run();
  EXPECT_EQ(payloads(mesh.caught(1)), (Words{1, 2, 3, 4}));
}

TEST(Task, WaveletsOfABlockedColorWaitInTheirQueues) {
  Mesh mesh = two();
  mesh.pe(0).send(0, kColor, counting(20));
  mesh.pe(1).catch_data(kColor).run([](ProgramBuilder& b) { b.block({TaskKind::data, kColor}); });
  mesh.start().run(600);
  EXPECT_TRUE(mesh.caught(1).empty());
  EXPECT_EQ(mesh.fabric().counters().delivered, 2U);
  EXPECT_EQ(mesh.fabric().counters().wavelets, 2U + 2 + 2);
}

TEST(Task, UnblockingAColorLetsTheWaitingWaveletsIn) {
  Mesh mesh = two();
  mesh.pe(0).send(0, kColor, counting(20));
  mesh.pe(1)
      .catch_data(kColor)
      .run([](ProgramBuilder& b) {
        b.block({TaskKind::data, kColor});
        b.activate({TaskKind::local, 1});
      })
      .wait(100)
      .run([](ProgramBuilder& b) {
        b.unblock({TaskKind::data, kColor});
        b.end();
        b.local_task(1);
      });
  mesh.run();
  EXPECT_EQ(payloads(mesh.caught(1)), counting(20));
}

TEST(Task, BlockingAndUnblockingAColorConcernNoOther) {
  const auto run = [](const std::function<void(ProgramBuilder&)>& code) {
    Mesh mesh(2);
    for (const int color : {4, 5, 6}) mesh.line(color, 7 - color);
    mesh.pe(0).wait(20).send(0, 4, {4}).send(1, 5, {5}).send(2, 6, {6});
    mesh.pe(1).catch_data(4).catch_data(5).catch_data(6).run(code);
    mesh.start().run(500);
    return payloads(mesh.caught(1));
  };
  const auto block_5 = [](ProgramBuilder& b) { b.block({TaskKind::data, 5}); };
  const auto unblock_5 = [](ProgramBuilder& b) {
    b.block({TaskKind::data, 4});
    b.block({TaskKind::data, 5});
    b.block({TaskKind::data, 6});
    b.unblock({TaskKind::data, 5});
  };
  EXPECT_EQ(run(block_5), (Words{4, 6}));
  EXPECT_EQ(run(unblock_5), (Words{5}));
}

TEST(Task, ABusyCoreTakesTheNextWaveletWhenItsTaskEnds) {
  Mesh mesh = two();
  mesh.pe(0).send(0, kColor, {1, 2, 3});
  mesh.pe(1).catch_data(kColor);
  mesh.run();
  const std::vector<Caught> caught = mesh.caught(1);
  ASSERT_EQ(caught.size(), 3U);
  // Task start, four scalars, end at its cycle, next pick the cycle after.
  const std::uint64_t each = 11 + 4 * 3 + 1;
  EXPECT_EQ(caught[1].cycle - caught[0].cycle, each);
  EXPECT_EQ(caught[2].cycle - caught[1].cycle, each);
}

TEST(Task, APeWithoutProgramOnlyRoutes) {
  Mesh mesh(3);
  mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, kColor, {Port::west, Port::east});
  Route sink{Port::west, Port::ramp};
  sink.input_queue = 0;
  mesh.route({2, 0, 1, 1}, kColor, sink);
  mesh.pe(0).send(0, kColor, {6});
  mesh.pe(2).catch_data(kColor);
  mesh.run();
  EXPECT_EQ(payloads(mesh.caught(2)), (Words{6}));
}

}  // namespace
}  // namespace weft::test::tasks_test
