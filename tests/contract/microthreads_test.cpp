// Vector instructions with fabric operands.
#include <gtest/gtest.h>

#include <bit>

#include "support/mesh.hpp"

namespace weft::test::microthreads_test {
namespace {

using Words = std::vector<std::uint32_t>;
using AtEnd = VectorOptions::AtEnd;

constexpr int kColor = 5;
constexpr Reg r1{1}, r2{2}, kZero{15};
constexpr Dsr d0{0}, d1{1};

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

TEST(Microthread, DoesOneElementACycle) {
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).wait(40).send(0, kColor, counting(30));
  mesh.pe(1).receive(0, 30);
  mesh.trace(400);
  const auto arrivals = mesh.arrivals(1, 0, 0);
  ASSERT_EQ(arrivals.size(), 30U);
  const std::uint64_t first =
      mesh.issued(0, 0, 1) + first_element(mesh.machine()) + travel(mesh.machine(), 1);
  for (std::uint64_t i = 0; i < 30; ++i) EXPECT_EQ(arrivals[i], first + i);
}

TEST(Microthread, AReceiveTakesWhatWaitedOneACycle) {
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).send(0, kColor, counting(6));
  mesh.pe(1).wait(60).receive(0, 6);
  mesh.trace(400);
  const auto arrivals = mesh.arrivals(1, 0, 0);
  ASSERT_EQ(arrivals.size(), 6U);
  for (std::uint64_t i = 0; i < 6; ++i)
    EXPECT_EQ(arrivals[i], mesh.issued(1, 0, 1) + first_element(mesh.machine()) + i);
}

TEST(Microthread, SeveralRunSideBySide) {
  // A loop of two colors in one PE: two sends and two receives at once.
  Mesh mesh(1);
  for (const int color : {1, 2}) {
    Route loop{Port::ramp, Port::ramp};
    loop.input_queue = color - 1;
    mesh.route({0, 0, 1, 1}, color, loop);
  }
  mesh.pe(0)
      .send(2, 1, counting(20), Pe::Mode::async)
      .send(3, 2, counting(20, 100), Pe::Mode::async);
  mesh.pe(0).receive(0, 20).receive(1, 20);
  mesh.run();
  EXPECT_EQ(mesh.received(0, 0, 0), counting(20));
  EXPECT_EQ(mesh.received(0, 0, 1), counting(20, 100));
}

TEST(Microthread, AStridedReceiveScatters) {
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).send(0, kColor, {1, 2, 3});
  mesh.pe(1).run([](ProgramBuilder& b) {
    b.dfabin(d0, 0);
    b.dlen(d0, 3);
    b.dbase(d1, 40);
    b.dstride(d1, -2);
    b.vmov32(d1, d0);
  });
  mesh.run();
  EXPECT_EQ(mesh.word(1, 0, 40), 1U);
  EXPECT_EQ(mesh.word(1, 0, 32), 2U);
  EXPECT_EQ(mesh.word(1, 0, 24), 3U);
  EXPECT_EQ(mesh.word(1, 0, 36), 0U);
}

TEST(Microthread, ComputesOnTheWay) {
  // memory + fabric * scalar into memory: d = d + a r.
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).send(0, kColor, {bits(2.0F), bits(-3.0F)});
  mesh.pe(1).run([](ProgramBuilder& b) {
    b.li(r1, static_cast<std::int32_t>(bits(10.0F)));
    b.sw(r1, kZero, 0);
    b.sw(r1, kZero, 4);
    b.li(r2, static_cast<std::int32_t>(bits(0.5F)));
    b.dfabin(d0, 0);
    b.dlen(d0, 2);
    b.dbase(d1, 0);
    b.dstride(d1, 1);
    b.vfmacsr(d1, d0, r2);
  });
  mesh.run();
  EXPECT_EQ(mesh.word(1, 0, 0), bits(11.0F));
  EXPECT_EQ(mesh.word(1, 0, 4), bits(8.5F));
}

TEST(Microthread, ForwardsFromAnInputToAnOutputQueue) {
  Mesh mesh(3);
  Route to_core{Port::west, Port::ramp};
  to_core.input_queue = 0;
  mesh.route({0, 0, 1, 1}, 1, {Port::ramp, Port::east}).route({1, 0, 1, 1}, 1, to_core);
  mesh.route({1, 0, 1, 1}, 2, {Port::ramp, Port::east}).route({2, 0, 1, 1}, 2, to_core);
  mesh.pe(0).send(0, 1, counting(10));
  mesh.pe(1).run([](ProgramBuilder& b) {
    b.dfabin(d0, 0);
    b.dlen(d0, 10);
    b.dfabout(d1, 0, 2);
    b.vmov32(d1, d0);
  });
  mesh.pe(2).receive(0, 10);
  mesh.run();
  EXPECT_EQ(mesh.received(2, 0, 0), counting(10));
}

TEST(Microthread, SendsARegisterAsOftenAsItsLengthSays) {
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).run([](ProgramBuilder& b) {
    b.li(r1, 77);
    b.dfabout(d0, 0, kColor);
    b.dlen(d0, 4);
    b.vmov32r(d0, r1);
  });
  mesh.pe(1).receive(0, 4);
  mesh.run();
  EXPECT_EQ(mesh.received(1, 0, 0), (Words{77, 77, 77, 77}));
}

TEST(Microthread, TheLengthIsTheFirstSources) {
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).run([](ProgramBuilder& b) {
    b.dbase(d0, 0);
    b.dlen(d0, 3);
    b.dstride(d0, 1);
    b.dfabout(d1, 0, kColor);
    b.dlen(d1, 9);
    b.vmov32(d1, d0);
  });
  mesh.pe(1).receive(0, 3);
  mesh.run();
  EXPECT_EQ(mesh.fabric().counters().wavelets, 3U);
}

/// PE 1 receives four words asynchronously with this end; local task 6 stores its pick's cycle
/// + 11.
std::vector<std::uint64_t> cycles_of_task_at_end(AtEnd at_end) {
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).wait(60).send(0, kColor, counting(4));
  mesh.pe(1).run([=](ProgramBuilder& b) {
    b.dfabin(d0, 0);
    b.dlen(d0, 4);
    b.dbase(d1, 0);
    b.dstride(d1, 1);
    if (at_end == AtEnd::unblock) b.activate({TaskKind::local, 6});
    b.vmov32(d1, d0, {true, at_end, TaskKind::local, 6});
    b.end();
    const Task task = b.local_task(6);
    if (at_end == AtEnd::unblock) b.start_blocked(task);
    b.tsc(r1);
    b.sw(r1, kZero, 64);
  });
  mesh.run();
  const std::uint64_t last =
      mesh.issued(0, 0, 1) + first_element(mesh.machine()) + 3 + travel(mesh.machine(), 1);
  return {mesh.word(1, 0, 64), last};
}

TEST(Microthread, ActivatesATaskInTheCycleOfItsLastElement) {
  const auto cycles = cycles_of_task_at_end(AtEnd::activate);
  EXPECT_EQ(cycles[0], cycles[1] + 11);
}

TEST(Microthread, UnblocksATaskInTheCycleOfItsLastElement) {
  const auto cycles = cycles_of_task_at_end(AtEnd::unblock);
  EXPECT_EQ(cycles[0], cycles[1] + 11);
}

TEST(Microthread, UnblocksAColor) {
  Mesh mesh(1);
  for (const int color : {1, 2}) {
    Route loop{Port::ramp, Port::ramp};
    loop.input_queue = color;
    mesh.route({0, 0, 1, 1}, color, loop);
  }
  mesh.pe(0).run([](ProgramBuilder& b) { b.block({TaskKind::data, 2}); }).catch_data(2);
  mesh.pe(0)
      .send(2, 2, {55})
      .run([](ProgramBuilder& b) {
        b.dfabin(d0, 1);
        b.dlen(d0, 1);
        b.dbase(d1, 2000);
        b.dstride(d1, 1);
        b.vmov32(d1, d0, {true, AtEnd::unblock, TaskKind::data, 2});
      })
      .send(3, 1, {66});
  mesh.run();
  EXPECT_EQ(payloads(mesh.caught(0)), (Words{55}));
  EXPECT_EQ(mesh.word(0, 0, 2000), 66U);
}

TEST(Microthread, TakesAControlWaveletOffItsQueueWithoutAnElement) {
  ControlWavelet control;
  control.slots[0].no_core = false;
  control.entry = 3;
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).send(0, kColor, {1}).send_control(0, kColor, {control.payload()}).send(0, kColor, {2});
  mesh.pe(1).receive(0, 2).catch_control(3);
  mesh.run();
  EXPECT_EQ(mesh.received(1, 0, 0), (Words{1, 2}));
  EXPECT_TRUE(mesh.caught(1).empty());
}

TEST(Microthread, OwnsItsQueueSoThatNoDataTaskStarts) {
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).wait(30).send(0, kColor, counting(5));
  mesh.pe(1).receive(0, 4).catch_data(kColor);
  mesh.run();
  EXPECT_EQ(mesh.received(1, 0, 0), counting(4));
  EXPECT_EQ(payloads(mesh.caught(1)), (Words{5}));
}

TEST(Microthread, OwnsItsQueueWhileItWaitsForRoom) {
  // PE 2 takes nothing at first: the words that PE 1 cannot pass on stay in its input queue.
  Mesh mesh(3);
  Route to_core{Port::west, Port::ramp};
  to_core.input_queue = 4;
  mesh.route({0, 0, 1, 1}, 1, {Port::ramp, Port::east}).route({1, 0, 1, 1}, 1, to_core);
  mesh.route({1, 0, 1, 1}, 2, {Port::ramp, Port::east}).route({2, 0, 1, 1}, 2, to_core);
  mesh.pe(0).send(0, 1, counting(20));
  mesh.pe(1).catch_data(1).run([](ProgramBuilder& b) {
    b.dfabin(d0, 4);
    b.dlen(d0, 20);
    b.dfabout(d1, 0, 2);
    b.vmov32(d1, d0, {true});
  });
  mesh.pe(2).wait(100).receive(4, 20);
  mesh.run();
  EXPECT_EQ(mesh.received(2, 0, 4), counting(20));
  EXPECT_TRUE(mesh.caught(1).empty());
}

TEST(Microthread, OfNoElementsEndsAtOnce) {
  Mesh mesh(1);
  mesh.pe(0).run([](ProgramBuilder& b) {
    b.dfabout(d0, 0, kColor);
    b.dbase(d1, 0);
    b.dlen(d1, 0);
    b.vmov32(d0, d1);
    b.vmov32(d0, d1);
    b.li(r1, 5);
    b.sw(r1, kZero, 0);
  });
  mesh.run();
  EXPECT_EQ(mesh.word(0, 0, 0), 5U);
  EXPECT_EQ(mesh.fabric().counters().wavelets, 0U);
}

TEST(Microthread, UsesTheDescriptorsOfItsStart) {
  Mesh mesh(2);
  mesh.line(kColor);
  mesh.pe(0).run([](ProgramBuilder& b) {
    for (int i = 0; i < 4; ++i) {
      b.li(r1, 10 + i);
      b.sw(r1, kZero, 4 * i);
    }
    b.dbase(d0, 0);
    b.dlen(d0, 4);
    b.dstride(d0, 1);
    b.dfabout(d1, 0, kColor);
    b.vmov32(d1, d0, {true});
    b.dbase(d0, 400);
    b.dlen(d0, 1);
    b.dstride(d0, 0);
  });
  mesh.pe(1).receive(0, 4);
  mesh.run();
  EXPECT_EQ(mesh.received(1, 0, 0), (Words{10, 11, 12, 13}));
}

}  // namespace
}  // namespace weft::test::microthreads_test
