// Teardown: colors that a router holds, and routes that are rewritten meanwhile.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/mesh.hpp"

namespace weft::test::teardown_test {
namespace {

using Words = std::vector<std::uint32_t>;
using Command = ControlWavelet::Command;

constexpr int kColor = 8, kHandler = 29;
constexpr Reg r1{1}, r2{2}, r3{3}, kZero{15};
constexpr std::int32_t kRuns = 2048, kPending = 2052, kCycle = 2056;  // what the handler notes

std::uint32_t commands(std::initializer_list<Command> list) {
  ControlWavelet wavelet;
  std::size_t slot = 0;
  for (const Command command : list) wavelet.slots[slot++].command = command;
  return wavelet.payload();
}

std::uint32_t teardown() { return commands({Command::teardown}); }

Route to_core(Port from, int queue = 0) {
  Route route{from, Port::ramp};
  route.input_queue = queue;
  return route;
}

Route pass_and_tap() {
  Route route{Port::west, {Port::east, Port::ramp}};
  route.input_queue = 0;
  return route;
}

Route held(Route route) {
  route.teardown = true;
  return route;
}

/// A line whose PE 0 sends, whose last PE is a sink, and whose others have `between`.
Mesh line(int width, const Route& between, PopMode pop = PopMode::no_pop) {
  Mesh mesh(width);
  Route source{Port::ramp, Port::east}, inner = between, sink = to_core(Port::west);
  source.pop = inner.pop = sink.pop = pop;
  mesh.route({0, 0, 1, 1}, kColor, source).route({1, 0, width - 2, 1}, kColor, inner);
  mesh.route({width - 1, 0, 1, 1}, kColor, sink);
  return mesh;
}

/// Local task 29 notes how often it ran, which colors it was told of, and when; then it does
/// `more`.
void handle(ProgramBuilder& b, const std::function<void(ProgramBuilder&)>& more) {
  b.end();  // of the main task; the mesh ends this one
  b.local_task(kHandler);
  b.tsc(r1);
  b.tpending(r2);
  b.lw(r3, kZero, kRuns);
  b.addi(r3, r3, 1);
  b.sw(r1, kZero, kCycle);
  b.sw(r2, kZero, kPending);
  b.sw(r3, kZero, kRuns);
  more(b);
}

/// The last step of a PE: its handler.
void add_handler(
    Pe& pe, const std::function<void(ProgramBuilder&)>& more = [](ProgramBuilder&) {}) {
  pe.run([=](ProgramBuilder& b) { handle(b, more); });
}

std::uint32_t runs(const Mesh& mesh, int x) { return mesh.word(x, 0, kRuns); }

/// After `instructions` more: notes the cycle at address 0, then lets the color go.
void exit_after(Pe& pe, int instructions) {
  pe.wait(instructions).run([](ProgramBuilder& b) {
    b.tsc(r1);
    b.texit(kColor, kZero);
    b.sw(r1, kZero, kCycle);
  });
}

TEST(Teardown, AColorThatStartsTornDownDeliversNothingUntilItsExit) {
  Mesh mesh = line(3, held(pass_and_tap()));
  mesh.pe(0).send(0, kColor, counting(12));
  mesh.pe(1).receive(0, 12);
  exit_after(mesh.pe(1), 80);
  mesh.pe(2).receive(0, 12);
  mesh.trace(600);
  const std::uint64_t exit = mesh.word(1, 0, kCycle) + 3U;
  ASSERT_EQ(mesh.received(1, 0, 0), counting(12));
  ASSERT_EQ(mesh.received(2, 0, 0), counting(12));
  EXPECT_LT(mesh.issued(0, 0, 0) + 100, exit) << "the words waited";
  // Routed the cycle after; then the ramp, or a link and the ramp.
  EXPECT_EQ(mesh.arrivals(1, 0, 0).front(), exit + 1 + 2);
  EXPECT_EQ(mesh.arrivals(2, 0, 0).front(), exit + 1 + 1 + 2);
}

TEST(Teardown, AHeldColorFillsItsQueuesAndNoMore) {
  Mesh mesh = line(3, held(pass_and_tap()));
  mesh.pe(0).send(0, kColor, counting(12));
  mesh.start().run(500);
  const FabricCounters counters = mesh.fabric().counters();
  EXPECT_EQ(counters.delivered, 0U);
  EXPECT_EQ(counters.hops, 2U) << "into PE 1's router";
  EXPECT_EQ(counters.wavelets, 4U) << "two more wait in PE 0's";
}

TEST(Teardown, ASendersOwnRouterHoldsToo) {
  Mesh mesh(2);
  mesh.route({0, 0, 1, 1}, kColor, held({Port::ramp, Port::east}));
  mesh.route({1, 0, 1, 1}, kColor, to_core(Port::west));
  mesh.pe(0).send(0, kColor, counting(12));
  mesh.start().run(500);
  EXPECT_EQ(mesh.fabric().counters().wavelets, 2U);
  EXPECT_EQ(mesh.fabric().counters().hops, 0U);
}

TEST(Teardown, OtherColorsFlowPastAHeldOne) {
  Mesh mesh = line(3, held(pass_and_tap()));
  mesh.route({0, 0, 1, 1}, 9, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, 9, {Port::west, Port::east});
  mesh.route({2, 0, 1, 1}, 9, to_core(Port::west, 1));
  mesh.pe(0).send(2, kColor, counting(12), Pe::Mode::async).wait(40).send(3, 9, counting(30));
  mesh.pe(2).receive(1, 30);
  mesh.trace(600);
  const std::vector<std::uint64_t> arrivals = mesh.arrivals(2, 0, 1);
  ASSERT_EQ(arrivals.size(), 30U);
  EXPECT_EQ(arrivals.back() - arrivals.front(), 29U);
}

TEST(Teardown, ItsWaveletRaisesTheHandlerOfEveryPeItPasses) {
  constexpr int kWidth = 68;  // more than one strip
  Mesh mesh = line(kWidth, pass_and_tap());
  mesh.pe(0).wait(20).send(0, kColor, {1}).send_control(1, kColor, {teardown()});
  for (int x = 1; x < kWidth; ++x) mesh.pe(x).receive(0, 8);
  for (int x = 0; x < kWidth; ++x) add_handler(mesh.pe(x));
  mesh.start().run(600);
  const std::uint64_t first = mesh.issued(0, 0, 2) + first_element(mesh.machine());
  for (int x = 0; x < kWidth; ++x) {
    EXPECT_EQ(runs(mesh, x), 1U) << "PE " << x;
    EXPECT_EQ(mesh.word(x, 0, kPending), 1U << kColor) << "PE " << x;
    if (x == 0) continue;  // its core is busy when the wavelet passes
    EXPECT_EQ(mesh.received(x, 0, 0), Words{1}) << "PE " << x;
    // On-ramp, a cycle at each router, and the start of the task.
    EXPECT_EQ(mesh.word(x, 0, kCycle), first + 2 + 1 + static_cast<unsigned>(x) + 11) << "PE " << x;
  }
}

TEST(Teardown, ItsWaveletHoldsWhatFollows) {
  Mesh mesh = line(4, pass_and_tap());
  mesh.pe(0).send(0, kColor, {1, 2}).send_control(0, kColor, {teardown()}).send(0, kColor, {3});
  for (int x = 1; x < 4; ++x) mesh.pe(x).receive(0, 8);
  for (int x = 0; x < 4; ++x) add_handler(mesh.pe(x));
  mesh.trace(600);
  for (int x = 1; x < 4; ++x) EXPECT_EQ(mesh.received(x, 0, 0), (Words{1, 2})) << "PE " << x;
}

TEST(Teardown, HeldTrafficStaysInOrderAndFlowsAfterTheExit) {
  Mesh mesh = line(5, pass_and_tap());
  mesh.pe(0).send(0, kColor, counting(3)).send_control(0, kColor, {teardown()});
  mesh.pe(0).send(0, kColor, counting(9, 3), Pe::Mode::async);
  for (int x = 1; x < 5; ++x) mesh.pe(x).receive(0, 12);
  for (int x = 0; x < 5; ++x)
    add_handler(mesh.pe(x), [x](ProgramBuilder& b) {
      for (int n = 0; n < 20 * (x % 3); ++n) b.mov(r2, r2);  // they let go at different times
      b.texit(kColor, kZero);
    });
  mesh.run();
  for (int x = 1; x < 5; ++x) EXPECT_EQ(mesh.received(x, 0, 0), counting(12)) << "PE " << x;
  for (int x = 0; x < 5; ++x) EXPECT_EQ(runs(mesh, x), 1U) << "PE " << x;
}

TEST(Teardown, CoresSeeItsWaveletUnlessItIsHidden) {
  for (const bool hidden : {false, true}) {
    Mesh mesh = line(4, pass_and_tap());
    ControlWavelet wavelet;
    wavelet.slots[0] = {Command::teardown, hidden};
    wavelet.entry = 7;
    mesh.pe(0).send_control(0, kColor, {wavelet.payload()});
    for (int x = 1; x < 4; ++x) mesh.pe(x).catch_control(7).unblock(kColor);
    for (int x = 0; x < 4; ++x) add_handler(mesh.pe(x));
    mesh.run();
    for (int x = 1; x < 4; ++x) EXPECT_EQ(mesh.caught(x).size(), hidden ? 0U : 1U) << "PE " << x;
  }
}

/// The PEs of a line of four whose handler ran.
std::vector<int> torn_down(PopMode pop, std::initializer_list<Command> list) {
  Mesh mesh = line(4, pass_and_tap(), pop);
  mesh.pe(0).send_control(0, kColor, {commands(list)});
  for (int x = 0; x < 4; ++x) add_handler(mesh.pe(x));
  mesh.run();
  std::vector<int> all;
  for (int x = 0; x < 4; ++x)
    if (runs(mesh, x) != 0) all.push_back(x);
  return all;
}

TEST(Teardown, PopModesDecideHowFarTheCommandGoes) {
  const Command td = Command::teardown, nop = Command::nop;
  EXPECT_EQ(torn_down(PopMode::no_pop, {td}), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(torn_down(PopMode::no_pop, {nop, td}), (std::vector<int>{}));
  EXPECT_EQ(torn_down(PopMode::always_pop, {td}), (std::vector<int>{0}));
  EXPECT_EQ(torn_down(PopMode::always_pop, {nop, td, nop, td}), (std::vector<int>{1, 3}));
  EXPECT_EQ(torn_down(PopMode::pop_on_advance, {td}), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(torn_down(PopMode::pop_on_advance_nop, {nop, td}), (std::vector<int>{1, 2, 3}));
}

TEST(Teardown, PendingHasABitPerColorAndIsClearedWhenRead) {
  // Two colors are torn down while the core is busy: one run of the handler, told of both.
  Mesh mesh(2);
  for (const int color : {kColor, 23}) {
    mesh.route({0, 0, 1, 1}, color, {Port::ramp, Port::east});
    mesh.route({1, 0, 1, 1}, color, to_core(Port::west, color == kColor ? 0 : 1));
  }
  mesh.pe(0).send_control(0, kColor, {teardown()}).send_control(0, 23, {teardown()});
  add_handler(mesh.pe(0));
  mesh.pe(1).wait(100);
  add_handler(mesh.pe(1), [](ProgramBuilder& b) {
    b.tpending(r1);
    b.sw(r1, kZero, kCycle);
  });
  mesh.run();
  EXPECT_EQ(runs(mesh, 1), 1U);
  EXPECT_EQ(mesh.word(1, 0, kPending), 1U << kColor | 1U << 23U);
  EXPECT_EQ(mesh.word(1, 0, kCycle), 0U) << "the second time nothing is pending";
}

TEST(Teardown, AColorThatStartsTornDownIsNotPending) {
  Mesh mesh(2);
  mesh.route({0, 0, 1, 1}, kColor, held({Port::ramp, Port::east}));
  mesh.route({1, 0, 1, 1}, kColor, to_core(Port::west));
  mesh.pe(0).run([](ProgramBuilder& b) {
    b.li(r1, -1);
    b.tpending(r1);
    b.sw(r1, kZero, kPending);
  });
  mesh.run();
  EXPECT_EQ(mesh.word(0, 0, kPending), 0U);
}

TEST(Teardown, APeWithoutHandlerIsAtFault) {
  Mesh mesh = line(3, pass_and_tap());
  mesh.pe(0).send_control(0, kColor, {teardown()});
  try {
    mesh.run();
    ADD_FAILURE() << "nothing was caught";
  } catch (const FaultError& error) {
    EXPECT_EQ(error.fault().kind, FaultKind::unbound_task) << error.what();
    EXPECT_NE(std::string(error.what()).find("29"), std::string::npos) << error.what();
  }
}

TEST(Teardown, RoutersWithoutAProgramHoldWithoutAHandler) {
  Mesh mesh = line(3, {Port::west, Port::east});
  mesh.pe(0).send_control(0, kColor, {teardown()}).send(0, kColor, counting(12), Pe::Mode::async);
  add_handler(mesh.pe(0), [](ProgramBuilder& b) { b.texit(kColor, kZero); });
  mesh.start().run(600);
  EXPECT_EQ(mesh.fabric().counters().delivered, 0U) << "the control wavelet is hidden";
  EXPECT_EQ(mesh.fabric().counters().hops, 2U + 2U) << "two words wait in PE 1";
}

TEST(Teardown, WhatIsHeldForeverIsADeadlock) {
  Mesh mesh = line(3, held(pass_and_tap()));
  mesh.pe(0).send(0, kColor, {1});
  try {
    mesh.run();
    ADD_FAILURE() << "nothing was caught";
  } catch (const FaultError& error) {
    EXPECT_EQ(error.fault().kind, FaultKind::deadlock) << error.what();
  }
}

TEST(Teardown, ItsInstructionsCostWhatTheySay) {
  Mesh mesh(1);
  Route loop = to_core(Port::ramp);
  mesh.route({0, 0, 1, 1}, kColor, loop);
  mesh.pe(0).run([](ProgramBuilder& b) {
    const auto stamp = [&](int n) {
      b.tsc(r1);
      b.sw(r1, kZero, kRuns + 4 * n);
    };
    b.li(r2, 16 << 5 | 16);  // the route it has; r3: no positions
    b.li(r3, 5 | 5 << 4 | 5 << 8);
    stamp(0);
    b.tpending(r1);
    stamp(1);
    b.texit(kColor, kZero);
    stamp(2);
    b.setroute(kColor, r2);
    stamp(3);
    b.setswitch(kColor, r3);
    stamp(4);
  });
  mesh.run();
  Words costs;
  for (std::uint32_t n = 0; n < 4; ++n)
    costs.push_back(mesh.word(0, 0, kRuns + 4 * n + 4) - mesh.word(0, 0, kRuns + 4 * n) - 2 * 3);
  EXPECT_EQ(costs, (Words{3, 13, 13, 13}));
}

}  // namespace
}  // namespace weft::test::teardown_test
