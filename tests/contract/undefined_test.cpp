// Behaviour that the machine leaves undefined or forbids, and Weft's answer. Every row has a test:
//
// Two wavelets of a color at two inputs in one cycle: a fault
//   faults_test.cpp        Fault.TwoInputsCollide, InputsThatTakeTurnsDoNotCollide
// Two live instructions on one queue or one microthread: a fault
//   faults_test.cpp        Fault.AMicrothreadUsedTwice, AQueueUsedTwice (of input)
//   here                   InUse.AMicrothreadOfAnInputAndAnOutputQueue, AnOutputQueue
// A descriptor changed while a microthread uses it: the microthread keeps the old one
//   microthreads_test.cpp  Microthread.UsesTheDescriptorsOfItsStart
// A FIFO as the first of two sources: a fault
//   fifos_test.cpp         Fifo.DescriptorsThatDoNotFit
// A queue given to another color while not empty: a fault; while empty: fine
//   faults_test.cpp        Fault.AnOutputQueueOfTwoColors
//   here                   OutputQueue.*, InputQueue.*
// A filter or switch set while wavelets are under way: obeyed from the next cycle on, by all
//   here                   Race.*
// Control and data from different queues: no order between them, but the same one in every run
//   here                   Race.ControlOvertakesDataOfAnotherQueue
//   tasks_test.cpp         Task.DataAndControlOfOneQueueKeepTheirOrder (of one queue)
// Data for a PE without input or output for its color: waits; if forever, a deadlock
//   here                   NoWay.*
//   faults_test.cpp        Fault.ADeadlockNamesParkedWavelets (an input that could open)
//   unit/layout_test.cpp   Layout.RefusesRoutesOffEachEdge, RefusesARampOutputWithoutQueue
// Source and destination of a vector instruction overlap: element by element, in order
//   instructions_test.cpp  Instructions.AVectorSeesItsOwnEarlierElements
//   shapes_test.cpp        Shape.ASourceMayOverlapTheDestination
// A filter's counter beyond limit1: refused where it is set; a limit1 set below it is not seen
//   unit/layout_test.cpp   Layout.RefusesACounterPastItsLimit
//   faults_test.cpp        Fault.ABadFilterSetting
//   here                   Race.ALimitBelowTheCounterIsPassed
// Nothing can move, or the limit of a run is reached: why, or what waits, and the last cycle
//   deadlock_test.cpp      Deadlock.*
//   faults_test.cpp        Fault.ADeadlockNamesTheWaveletThatIsMissing,
//                          ADeadlockNamesWaveletsThatNobodyTakes, ARunPastItsLimit,
//                          TheLimitIsTheFirstCycleThatIsTooLate
//   fifo_relay_test.cpp    FifoRelay.ADeadlockNamesTheFifo
//   here                   Stall.*
#include <gtest/gtest.h>

#include "support/expect_fault.hpp"

namespace weft::test::undefined_test {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr int kColor = 5;
constexpr Reg r1{1}, r2{2};
constexpr Dsr d0{0}, d1{1}, d2{2};

/// Cycle in which a PE's first own instruction is issued (after the helper's), and in which a send
/// that comes first puts out its first element. That one can be tapped in a neighbour four later.
constexpr std::uint64_t kFirst = 11 + 3, kFirstSent = kFirst + 5 * 3 + 4;

Route to_core(Port from, int queue) {
  Route route{from, Port::ramp};
  route.input_queue = queue;
  return route;
}

TEST(InUse, AMicrothreadOfAnInputAndAnOutputQueue) {
  Mesh mesh(3, 3);
  mesh.pe(1, 1).run([](ProgramBuilder& b) {
    b.dfabin(d0, 2);
    b.dlen(d0, 8);
    b.dbase(d1, 0);
    b.vmov32(d1, d0, {true});
    b.dfabout(d2, 2, kColor);
    b.dlen(d2, 1);
    b.vmov32r(d2, r1, {true});
  });
  expect_fault(mesh, {FaultKind::microthread_in_use, kFirst + 6 * 3, 1, 1, -1, 2},
               {"microthread 2", "another queue"});
}

TEST(InUse, AnOutputQueue) {
  // Without a route the first one never ends.
  Mesh mesh(3, 3);
  mesh.pe(1, 1).run([](ProgramBuilder& b) {
    b.dfabout(d0, 3, kColor);
    b.dlen(d0, 20);
    b.vmov32r(d0, r1, {true});
    b.dfabout(d1, 3, kColor);
    b.dlen(d1, 1);
    b.vmov32r(d1, r1, {true});
  });
  expect_fault(mesh, {FaultKind::microthread_in_use, kFirst + 5 * 3, 1, 1, -1, 3},
               {"microthread 3", "queue"});
}

TEST(OutputQueue, AnEmptyOneMayChangeItsColor) {
  // A wavelet enters the router two cycles after it was put out; the next element comes later.
  Mesh mesh(2);
  for (const int color : {1, 2})
    mesh.route({0, 0, 1, 1}, color, {Port::ramp, Port::east})
        .route({1, 0, 1, 1}, color, to_core(Port::west, color));
  mesh.pe(0).send(3, 1, {10}).send(3, 2, {20}).send(3, 1, {30});
  mesh.pe(1).receive(1, 2).receive(2, 1);
  mesh.run();
  EXPECT_EQ(mesh.received(1, 0, 1), (Words{10, 30}));
  EXPECT_EQ(mesh.received(1, 0, 2), (Words{20}));
}

/// PE 1 hears color 1 from PE 0 and color 2 from the PE `distance` links to its east, both by input
/// queue `queue`. Sent first, a wavelet of color 1 is tapped there in cycle kTapped and taken two
/// later; one of color 2 is tapped `distance` - 1 later than that, or when the ramp is free.
Mesh shared_queue(int distance, int queue = 3) {
  Mesh mesh(2 + distance);
  mesh.route({0, 0, 1, 1}, 1, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, 1, to_core(Port::west, queue));
  mesh.route({1, 0, 1, 1}, 2, to_core(Port::east, queue));
  if (distance > 1) mesh.route({2, 0, distance - 1, 1}, 2, {Port::east, Port::west});
  mesh.route({1 + distance, 0, 1, 1}, 2, {Port::ramp, Port::west});
  return mesh;
}
constexpr std::uint64_t kTapped = kFirstSent + 4;

TEST(InputQueue, AnotherColorInOneThatIsNotEmpty) {
  // Distance 1: one ramp, so color 1 goes first (1 xor 37 mod 32 is less than 2 xor 37 mod 32).
  // Distance 3: the core takes color 1 in the cycle in which color 2 comes, but comes after it.
  const std::pair<int, std::uint64_t> cases[] = {{1, 1}, {2, 1}, {3, 2}};
  for (const auto& [distance, later] : cases) {
    Mesh mesh = shared_queue(distance);
    mesh.pe(0).send(0, 1, {10});
    mesh.pe(1 + distance).send(0, 2, {20});
    mesh.pe(1).receive(3, 2);
    expect_fault(mesh, {FaultKind::queue_color_changed, kTapped + later, 1, 0, 2, 3},
                 {"queue 3", "color 2", "PE (1, 0)"});
  }
}

TEST(InputQueue, AnotherColorInAnEmptyOneIsFine) {
  Mesh mesh = shared_queue(4);
  mesh.pe(0).send(0, 1, {10}).send(0, 1, {30});
  mesh.pe(5).send(0, 2, {20});
  mesh.pe(1).receive(3, 3);
  mesh.trace(200);
  EXPECT_EQ(mesh.received(1, 0, 3), (Words{10, 20, 30}));
  // The third: its sender's second send comes six instructions and a start later.
  EXPECT_EQ(mesh.arrivals(1, 0, 3), (std::vector<std::uint64_t>{kTapped + 2, kTapped + 3 + 2,
                                                                kTapped + 2 + 3 + 6 * 3 + 4}));
}

TEST(InputQueue, WhatAFilterRefusesDoesNotEnter) {
  Mesh mesh = shared_queue(3);
  mesh.filter({1, 0, 1, 1}, 2, {1, 9, 0});
  mesh.pe(0).send(0, 1, {10});
  mesh.pe(4).send(0, 2, {20});
  mesh.pe(1).receive(3, 1);
  mesh.run();
  EXPECT_EQ(mesh.received(1, 0, 3), (Words{10}));
  EXPECT_EQ(mesh.fabric().counters().filtered, 1U);
}

TEST(InputQueue, WhatIsHiddenFromTheCoreDoesNotEnter) {
  Mesh mesh = shared_queue(3);
  mesh.pe(0).send(0, 1, {10});
  mesh.pe(4).send_control(0, 2, {ControlWavelet{}.payload()});
  mesh.pe(1).receive(3, 1);
  mesh.run();
  EXPECT_EQ(mesh.received(1, 0, 3), (Words{10}));
}

TEST(InputQueue, AFullOneKeepsAnotherColorOut) {
  // Nobody takes the two words in queue 4, which holds two: color 2 waits in the router.
  Mesh mesh = shared_queue(1, 4);
  mesh.pe(0).send(0, 1, {10, 11});
  mesh.pe(2).wait(2).send(0, 2, {20});
  expect_fault(mesh, {FaultKind::deadlock, kFirstSent + 2 * 3 + 3 + 3 + 1, 1, 0, 1},
               {"2 wavelets of color 1 in input queue 4 of PE (1, 0): no program runs there",
                "all 2 waits come from this"});
}

TEST(InputQueue, ABlockedColorBlocksOnlyItsOwnWavelets) {
  // Color 1 is blocked before it comes, after a wavelet of color 2 came through.
  Mesh mesh = shared_queue(1);
  mesh.pe(0).wait(20).send(0, 1, {10});
  mesh.pe(2).send(0, 2, {20});
  mesh.pe(1).catch_data(1).catch_data(2).run([](ProgramBuilder& b) {
    b.block({TaskKind::data, 1});
  });
  expect_fault(mesh, {FaultKind::deadlock, kFirstSent + 20 * 3 + 3 + 3 + 1, 1, 0, 1},
               {"color 1 in input queue 3 of PE (1, 0): the color is blocked"});
  EXPECT_EQ(mesh.caught(1), (std::vector<Caught>{{20, kTapped + 2}}));
}

TEST(InputQueue, AColorWithoutATaskIsBlockedInASharedOneToo) {
  Mesh mesh = shared_queue(1);
  mesh.pe(0).send(0, 1, {10});
  mesh.pe(2).wait(20).send(0, 2, {20});
  mesh.pe(1).catch_data(1);
  expect_fault(mesh, {FaultKind::deadlock, kFirstSent + 20 * 3 + 3 + 3 + 1, 1, 0, 2},
               {"color 2 in input queue 3 of PE (1, 0): the color is blocked"});
  EXPECT_EQ(mesh.caught(1), (std::vector<Caught>{{10, kTapped + 2}}));
}

// PE 1 issues a router write, 13 cycles long, in this cycle: a stream that starts at once has then
// brought five words, the fifth in the same cycle.
constexpr std::uint64_t kWritten = kFirst + 9 * 3;
static_assert(kTapped + 4 == kWritten);

/// PE 1 of each row receives by queue 0 and then runs `write`, later from row to row.
Mesh race(int rows, const std::function<void(ProgramBuilder&)>& write) {
  Mesh mesh(3, rows);
  Route turns = to_core(Port::west, 0);
  turns.positions = {SwitchPosition::send(Port::east)};
  mesh.route({0, 0, 1, rows}, kColor, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, rows}, kColor, turns);
  mesh.route({2, 0, 1, rows}, kColor, to_core(Port::west, 0));
  mesh.filter({1, 0, 1, rows}, kColor, {0, 999, 999});
  for (int y = 0; y < rows; ++y) {
    mesh.pe(0, y).send(0, kColor, counting(40));
    mesh.pe(1, y).receive(0, 40).wait(y).run(write);
    mesh.pe(2, y).receive(0, 40);
  }
  return mesh;
}

void set_max(ProgramBuilder& b) {
  b.li(r1, 0);
  b.fmax(kColor, r1);
}

void set_position(ProgramBuilder& b) {
  b.li(r1, 1);
  b.setpos(kColor, r1);
}

TEST(Race, AFilterIsObeyedFromTheCycleAfterItsWrite) {
  Mesh mesh = race(1, set_max);
  mesh.start().run(300);
  EXPECT_EQ(mesh.received(1, 0, 0), counting(5));
  EXPECT_EQ(mesh.fabric().counters().filtered, 35U);
}

TEST(Race, ASwitchIsObeyedFromTheCycleAfterItsWrite) {
  Mesh mesh = race(1, set_position);
  mesh.start().run(300);
  EXPECT_EQ(mesh.received(1, 0, 0), counting(5));
  EXPECT_EQ(mesh.received(2, 0, 0), counting(35, 5));
}

TEST(Race, ALimitBelowTheCounterIsPassed) {
  // The counter stands at 5 when limit1 becomes 3, and runs past it. A new counter ends that: it is
  // written 13 cycles later, seen by word 19, and from there the period is four.
  Mesh mesh(2);
  mesh.line(kColor).filter({1, 0, 1, 1}, kColor, {0, 9, 1});
  mesh.pe(0).send(0, kColor, counting(40));
  mesh.pe(1).receive(0, 40).run([](ProgramBuilder& b) {
    b.li(r1, 3);
    b.flimit(kColor, r1);
    b.fcount(kColor, r2);
  });
  mesh.start().run(300);
  EXPECT_EQ(mesh.received(1, 0, 0), (Words{1, 2, 19, 20, 23, 24, 27, 28, 31, 32, 35, 36, 39, 40}));
}

/// Words by queue 0 and, after them, an advance of PE 1's switch by queue 1.
Mesh two_queues(int rows) {
  ControlWavelet advance;
  advance.slots[0].command = ControlWavelet::Command::advance;
  Mesh mesh = race(rows, [](ProgramBuilder&) {});
  for (int y = 0; y < rows; ++y) {
    mesh.pe(0, y) = Pe{};
    mesh.pe(0, y)
        .wait(y)
        .send(0, kColor, counting(30), Pe::Mode::async)
        .send_control(1, kColor, {advance.payload()});
  }
  return mesh;
}

TEST(Race, ControlOvertakesDataOfAnotherQueue) {
  // Word k may enter the router in cycle kFirstSent + 1 + k. The advance is put out 3 + 6 x 3
  // cycles after the first word and may enter two later, with word 22: in that cycle (56, 0 modulo
  // 8) queue 0 is first, in the next queue 1. Eight words come after it.
  Mesh mesh = two_queues(1);
  mesh.start().run(300);
  EXPECT_EQ(mesh.received(1, 0, 0), counting(22));
  EXPECT_EQ(mesh.received(2, 0, 0), counting(8, 22));
}

using Outcome = std::vector<std::vector<std::uint64_t>>;

/// The words that came to PEs 1 and 2 of each row and when, and the counters.
Outcome outcome(const std::function<Mesh()>& make, int rows, int threads) {
  Mesh mesh = make();
  FabricOptions options;
  options.threads = threads;
  mesh.start(std::move(options));
  mesh.trace(200);
  Outcome all;
  for (int y = 0; y < rows; ++y)
    for (const int x : {1, 2}) {
      const Words words = mesh.received(x, y, 0);
      all.emplace_back(words.begin(), words.end());
      all.push_back(mesh.arrivals(x, y, 0));
    }
  const FabricCounters c = mesh.fabric().counters();
  all.push_back({c.cycle, c.wavelets, c.hops, c.delivered, c.filtered});
  return all;
}

TEST(Race, EveryRunAndAnyNumberOfThreadsGivesTheSame) {
  constexpr int kRows = 9;
  const auto both = [](ProgramBuilder& b) {
    set_max(b);
    set_position(b);
  };
  const std::function<Mesh()> meshes[] = {
      [] { return race(kRows, set_max); }, [] { return race(kRows, set_position); },
      [&] { return race(kRows, both); }, [] { return two_queues(kRows); }};
  for (const std::function<Mesh()>& make : meshes) {
    const Outcome first = outcome(make, kRows, 1);
    for (const int threads : {1, 2, 3})
      EXPECT_EQ(outcome(make, kRows, threads), first) << threads << " threads";
  }
}

/// PE 0 sends one word by queue 0; its task ends six cycles later, and in the next it finds no
/// other.
constexpr std::uint64_t kStuck = kFirstSent + 3 + 3 + 1;

TEST(NoWay, TheNeighbourHasNoRoute) {
  Mesh mesh(2);
  mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east});
  mesh.pe(0).send(0, kColor, {1});
  mesh.pe(1);
  expect_fault(
      mesh, {FaultKind::deadlock, kStuck, 0, 0, kColor},
      {"after cycle 40", "1 wavelet of color 5 at the ramp input of PE (0, 0) cannot go on east"});
}

TEST(NoWay, TheSenderHasNoRoute) {
  Mesh mesh(2);
  mesh.pe(0).send(0, kColor, {1});
  expect_fault(mesh, {FaultKind::deadlock, kStuck, 0, 0, kColor},
               {"1 wavelet of color 5 in output queue 0 of PE (0, 0), whose router never takes"});
}

TEST(NoWay, TheNeighboursRouteNeverOpensTheInput) {
  // An input that no position opens has no room: the word stays with the sender.
  Mesh mesh(3);
  mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, kColor, to_core(Port::east, 0));
  mesh.pe(0).send(0, kColor, {1});
  mesh.pe(1).receive(0, 1);
  expect_fault(mesh, {FaultKind::deadlock, kStuck, 0, 0, kColor},
               {"1 wavelet of color 5 at the ramp input of PE (0, 0) cannot go on east",
                "1 of 2 waits come from this, the others from 1 other cause"});
}

TEST(NoWay, AnotherColorIsNotHeldUp) {
  Mesh mesh(2);
  mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east}).line(6);
  mesh.pe(0).send(0, kColor, {1}).send(2, 6, counting(9));
  mesh.pe(1).receive(0, 9);
  EXPECT_THROW(mesh.run(), FaultError);
  EXPECT_EQ(mesh.received(1, 0, 0), counting(9));
}

TEST(Stall, ARunPastItsLimitListsWhoWaits) {
  Mesh mesh(2, 2);
  mesh.pe(0, 0).run([](ProgramBuilder& b) {
    const Label again = b.label();
    b.place(again);
    b.jump(again);
  });
  mesh.pe(1, 1).receive(2, 4);
  expect_fault(mesh, {FaultKind::cycle_limit, 777, 1, 1, -1},
               {"not done at cycle 777", "microthread 2 of PE (1, 1) (4 elements to go)"}, 777);
}

}  // namespace
}  // namespace weft::test::undefined_test
