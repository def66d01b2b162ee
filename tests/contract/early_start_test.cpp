// Microthreads are started, tasks begun and ended when that is cheap; what can be seen of it has
// its cycle. A fabric that is run cycle by cycle does nothing early: it tells what is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "support/mesh.hpp"

namespace weft::test::early_start_test {
namespace {

constexpr int kFirst = 5, kSecond = 6;  // colors
constexpr int kFirstQueue = 3, kSecondQueue = 2;
constexpr std::uint64_t kCycles = 400;
constexpr Reg r1{1}, r2{2};

Machine slow_microthreads() {
  Machine machine = test_machine();
  machine.scalar_cycles = 1;
  machine.microthread_start_cycles = 40;
  return machine;
}

VectorOptions async() {
  VectorOptions options;
  options.async = true;
  return options;
}

void run_by_cycle(Mesh& mesh, std::uint64_t cycles = kCycles) {
  Fabric& fabric = mesh.start();
  for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) fabric.run(1);
}

/// PE 1 starts a microthread on the first color and ends its task; a wavelet of the second color
/// comes `wait` cycles later than it could, and starts a task.
Mesh wavelet_for_an_ending_task(int wait) {
  Mesh mesh(2, 1, slow_microthreads());
  mesh.line(kFirst, kFirstQueue).line(kSecond, kSecondQueue);
  mesh.pe(0).wait(wait).send(1, kSecond, {77}).send(0, kFirst, {88});
  mesh.pe(1).wait(100).receive(kFirstQueue, 1);
  mesh.pe(1).catch_data(kSecond);
  return mesh;
}

TEST(EarlyStart, AnEndingTaskLetsTheNextOneStartInItsCycle) {
  std::uint64_t before = 0;
  int together = 0;
  for (int wait = 0; wait < 80; ++wait) {
    Mesh at_once = wavelet_for_an_ending_task(wait), by_cycle = wavelet_for_an_ending_task(wait);
    at_once.run();
    run_by_cycle(by_cycle);
    ASSERT_EQ(at_once.caught(1).size(), 1U) << wait;
    EXPECT_EQ(at_once.caught(1), by_cycle.caught(1)) << wait;
    EXPECT_EQ(at_once.received(1, 0, kFirstQueue), by_cycle.received(1, 0, kFirstQueue)) << wait;
    const std::uint64_t taken = at_once.caught(1).front().cycle;
    together += taken == before ? 1 : 0;
    before = taken;
  }
  EXPECT_GT(together, 5);  // came while the core was in its task
}

TEST(EarlyStart, AStopAnywhereShowsTheSame) {
  Mesh by_cycle = wavelet_for_an_ending_task(60);
  by_cycle.start();
  for (std::uint64_t cycle = 1; cycle < 260; ++cycle) {
    by_cycle.fabric().run(1);
    Mesh stopped = wavelet_for_an_ending_task(60);
    stopped.start().run(cycle);
    ASSERT_EQ(stopped.caught(1), by_cycle.caught(1)) << cycle;
    stopped.fabric().run(kCycles - cycle);
    ASSERT_EQ(stopped.caught(1).size(), 1U) << cycle;
  }
}

TEST(EarlyStart, AMicrothreadKeepsTheScalarItWasStartedWith) {
  Mesh mesh(2, 1, slow_microthreads());
  mesh.line(kFirst, kFirstQueue);
  mesh.pe(0).run([](ProgramBuilder& b) {
    const Label next = b.label();
    b.li(r1, 11);
    b.dfabout(Dsr{2}, 0, kFirst);
    b.dlen(Dsr{2}, 2);
    b.activate({TaskKind::local, 9});
    b.vmov32r(Dsr{2}, r1, async());
    b.jump(next);
    b.local_task(9);
    b.li(r1, 22);
    b.dlen(Dsr{2}, 1);
    b.end();
    b.place(next);
  });
  mesh.pe(1).receive(kFirstQueue, 2);
  mesh.run();
  EXPECT_EQ(mesh.received(1, 0, kFirstQueue), (std::vector<std::uint32_t>{11, 11}));
}

/// The same queue is read by two microthreads, one after the other: the second is started early
/// only if the first is over.
Mesh two_on_a_queue() {
  Machine machine = test_machine();
  machine.scalar_cycles = 64;
  machine.microthread_start_cycles = 0;
  Mesh mesh(2, 1, machine);
  mesh.line(kFirst, kFirstQueue);
  mesh.pe(0).send(0, kFirst, {1, 2});
  mesh.pe(1).wait(9).run([](ProgramBuilder& b) {
    const MemorySpan words = b.reserve("words", 8);
    b.dfabin(Dsr{1}, kFirstQueue);
    b.dlen(Dsr{1}, 1);
    b.dbase(Dsr{2}, static_cast<std::int32_t>(words.address));
    b.dbase(Dsr{3}, static_cast<std::int32_t>(words.address) + 4);
    b.vmov32(Dsr{2}, Dsr{1}, async());
    b.vmov32(Dsr{3}, Dsr{1}, async());
    b.tsc(r2);
  });
  return mesh;
}

TEST(EarlyStart, TwoMicrothreadsMayFollowEachOtherOnAQueue) {
  Mesh at_once = two_on_a_queue(), by_cycle = two_on_a_queue();
  at_once.run();
  run_by_cycle(by_cycle, 4000);
  for (std::uint32_t address = 0; address < 256; address += 4)
    EXPECT_EQ(at_once.word(1, 0, address), by_cycle.word(1, 0, address)) << address;
}

TEST(EarlyStart, TheClockStopsAfterTheCycleOfAFaultFoundBefore) {
  ProgramBuilder b("returns to nowhere");
  b.start(b.local_task(0));
  b.li(r1, 30000);
  b.activate({TaskKind::local, 5});
  b.end();
  b.local_task(5);
  b.ret(r1);
  const Layout layout = alone(b.build());
  Fabric at_once(layout, test_machine()), by_cycle(layout, test_machine());
  EXPECT_THROW(at_once.run(1000), FaultError);
  std::uint64_t cycle = 0;
  try {
    for (int k = 0; k < 1000; ++k) by_cycle.run(1);
  } catch (const FaultError& error) {
    cycle = error.fault().cycle;
  }
  EXPECT_GT(cycle, 0U);
  EXPECT_EQ(at_once.counters().cycle, cycle + 1);
  EXPECT_EQ(by_cycle.counters().cycle, cycle + 1);
}

/// PE 1 takes every 51st word of a stream, until it writes to its filter, `wait` instructions later
/// than it could.
Mesh filter_in_a_stream(int wait, const std::function<void(ProgramBuilder&)>& write) {
  Mesh mesh(2, 1, slow_microthreads());
  mesh.line(kFirst, kFirstQueue);
  CounterFilter filter;
  filter.limit1 = 50;
  mesh.filter({1, 0, 1, 1}, kFirst, filter);
  mesh.pe(0).send(0, kFirst, counting(200));
  mesh.pe(1).receive(kFirstQueue, 200).wait(wait).run(write);
  return mesh;
}

/// How many words are taken, by `wait`.
std::vector<std::size_t> taken_with(const std::function<void(ProgramBuilder&)>& write) {
  std::vector<std::size_t> taken;
  for (int wait = 0; wait < 150; ++wait) {
    Mesh at_once = filter_in_a_stream(wait, write), by_cycle = filter_in_a_stream(wait, write);
    at_once.start().run(kCycles);
    run_by_cycle(by_cycle);
    const std::vector<std::uint32_t> words = at_once.received(1, 0, kFirstQueue);
    EXPECT_EQ(words, by_cycle.received(1, 0, kFirstQueue)) << wait;
    taken.push_back(words.size());
  }
  return taken;
}

TEST(EarlyStart, AFiltersLimitIsSetInItsCycle) {
  const std::vector<std::size_t> taken = taken_with([](ProgramBuilder& b) {
    b.li(r1, 30);
    b.flimit(kFirst, r1);
  });
  // In time, after the counter has passed 30 for the first time, and once more in time.
  EXPECT_GT(taken.front(), 4U);
  EXPECT_LT(*std::ranges::min_element(taken), 4U);
  EXPECT_GT(taken.back(), *std::ranges::min_element(taken));
}

TEST(EarlyStart, WritesToAFilterKeepTheirOrder) {
  const std::vector<std::size_t> taken = taken_with([](ProgramBuilder& b) {
    b.li(r1, 20);
    b.li(r2, 40);
    b.flimit(kFirst, r1);
    b.flimit(kFirst, r2);
    b.fcount(kFirst, r1);
    b.flimit(kFirst, r1);
  });
  EXPECT_NE(taken.front(), *std::ranges::max_element(taken));
}

/// The cycle after all that happens in the mesh, where it is looked at every cycle or only when it
/// must be.
std::uint64_t end_of(Mesh& mesh, bool by_cycle) {
  if (by_cycle)
    run_by_cycle(mesh, 300);
  else
    mesh.start().run(300);
  return mesh.fabric().cycle();
}

TEST(EarlyStart, ARunLastsToTheEndOfTheLastTask) {
  for (const int wait : {1, 2, 50}) {
    Mesh at_once(2, 1, slow_microthreads()), by_cycle(2, 1, slow_microthreads());
    for (Mesh* mesh : {&at_once, &by_cycle}) mesh->pe(1).wait(wait);
    const std::uint64_t end = end_of(by_cycle, true);
    EXPECT_EQ(end_of(at_once, false), end) << wait;
    EXPECT_LT(end, 300U);
  }
}

TEST(EarlyStart, ARunLastsToTheStartOfTheLastMicrothread) {
  for (const int wait : {0, 60, 250, 280}) {
    Mesh at_once(2, 1, slow_microthreads()), by_cycle(2, 1, slow_microthreads());
    for (Mesh* mesh : {&at_once, &by_cycle}) {
      mesh->line(kFirst, kFirstQueue);
      mesh->pe(1).wait(wait).receive(kFirstQueue, 1);  // of what nobody sends
    }
    EXPECT_EQ(end_of(at_once, false), end_of(by_cycle, true)) << wait;
  }
}

/// Row 5 talks all the time; the last but one sleeps long, and then sends once.
Caught late_in(int height, int threads) {
  Mesh mesh(2, height);
  mesh.line(kFirst, kFirstQueue);
  const int late = height - 2;
  Route route;
  route.rx = Port::ramp;
  route.tx = Port::east;
  mesh.route({0, late, 1, 1}, kSecond, route);
  route.rx = Port::west;
  route.tx = Port::ramp;
  route.input_queue = kSecondQueue;
  mesh.route({1, late, 1, 1}, kSecond, route);
  for (int k = 0; k < 40; ++k) mesh.pe(0).send(0, kFirst, counting(20)).wait(5);
  mesh.pe(1).receive(kFirstQueue, 800);
  mesh.pe(0, late).run([](ProgramBuilder& b) {
    const MemorySpan words = b.reserve("words", 4);
    b.dbase(Dsr{1}, static_cast<std::int32_t>(words.address));
    b.dstride(Dsr{1}, 0);
    b.dlen(Dsr{1}, 1000);
    b.vmov32r(Dsr{1}, r1);
  });
  mesh.pe(0, late).send(0, kSecond, {5});
  mesh.pe(1, late).catch_data(kSecond);
  FabricOptions options;
  options.threads = threads;
  mesh.start(options);
  mesh.run();
  EXPECT_EQ(mesh.received(1, 0, kFirstQueue).size(), 800U);
  const std::vector<Caught> caught = mesh.caught(1, late);
  EXPECT_EQ(caught.size(), 1U);
  return caught.empty() ? Caught{} : caught.front();
}

TEST(EarlyStart, ARowThatSleptForLongWakesInItsCycle) {
  const Caught expected = late_in(3, 1);
  EXPECT_EQ(expected.payload, 5U);
  for (const int threads : {1, 2, 5}) EXPECT_EQ(late_in(100, threads), expected) << threads;
}

}  // namespace
}  // namespace weft::test::early_start_test
