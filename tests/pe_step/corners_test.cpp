// Corners that random cases hardly reach.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <set>
#include <utility>

#include "pe_step/corner_cases.hpp"
#include "pe_step/run_pes.hpp"
#include "support/effort.hpp"

namespace weft::test::corners_test {
namespace {

// Two colors collide in one router and cycle.
TEST(PeCorners, FirstInTurnIsTheFault) {
  std::set<int> named;
  for (int delay = first_of(3); delay < 64; delay += one_of(3)) {
    const Outcome outcome = run_pes(crossing(delay % 32, delay >= 32), {});
    EXPECT_FALSE(outcome.difference) << describe(*outcome.difference);
    EXPECT_EQ(outcome.fault.kind, FaultKind::input_collision);
    named.insert(outcome.fault.color);
  }
  EXPECT_EQ(named, (std::set<int>{kAlong, kDown}));
}

// The initial position is one that the switch has no more.
TEST(PeCorners, ResetGoesToTheLastPositionOfAShortenedSwitch) {
  ControlWavelet reset;
  reset.slots[0] = {ControlWavelet::Command::reset, true};
  Program p = program_of({}, {0});
  put(p, Op::li, 1, 0, 0, 12 | 5 << 4);  // one position past the first: receive from the core
  put(p, Op::setswitch, 1, kAlong);
  put(p, Op::li, 1, 0, 0, static_cast<std::int32_t>(reset.payload()));
  send_one(p, kAlong, true);
  Case c;
  c.programs.emplace_back(Rect{}, p);
  c.routes.push_back(
      {Rect{},
       kAlong,
       {.rx = Port::ramp,
        .tx = Port::ramp,
        .positions = {SwitchPosition::receive(Port::ramp), SwitchPosition::send(Port::ramp)},
        .initial = 2,
        .input_queue = 0}});
  const Outcome outcome = run_pes(c, {});
  EXPECT_FALSE(outcome.difference) << describe(*outcome.difference);
  EXPECT_EQ(outcome.wavelets, 1U);
}

TEST(PeCorners, ARouteIsWrittenInEachCycle) {
  for (int n = first_of(4); n < 64; n += one_of(4)) {
    const auto writes = static_cast<unsigned>(n);
    const Case c = shutter(writes, n % 7);
    const PeOutcome outcome = run_pes(c, {.seed = writes});
    ASSERT_FALSE(outcome.difference) << writes << ": " << describe(*outcome.difference);
    EXPECT_EQ(outcome.delivered, 12U);
  }
}

/// Words go from input queue `in` through a FIFO to output queue `out`, each by a microthread of
/// the queue's number. Where the first has the lower number, a word passes the FIFO within a cycle.
Case through_fifo(int in, int out) {
  constexpr int kBegin = 3, kWords = 10;  ///< output queue of the words' sender
  const std::int32_t async = VectorOptions{.async = true}.pack();
  Program p = program_of({}, {0});
  p.fifos.push_back({.address = 64, .capacity = 2});
  const auto move = [&](int to, int from) {
    put(p, Op::dlen, from, 0, 0, kWords);
    put(p, Op::vmov32, to, from, 0, async);
  };
  put(p, Op::dfabin, 2, in);
  put(p, Op::dfifo, 3, 0);
  move(3, 2);
  put(p, Op::dfabout, 4, out, kDown);
  move(4, 3);
  put(p, Op::dfabin, 5, 5);
  put(p, Op::dbase, 6, 0, 0, 128);
  move(6, 5);
  put(p, Op::dfabout, 0, kBegin, kAlong);  // last: the FIFO was found empty
  move(0, 1);
  put(p, Op::end);
  Case c;
  c.memory_seed = 1;
  c.programs = {{Rect{}, p}};
  c.routes = {{Rect{}, kAlong, {.rx = Port::ramp, .tx = Port::ramp, .input_queue = in}},
              {Rect{}, kDown, {.rx = Port::ramp, .tx = Port::ramp, .input_queue = 5}}};
  return c;
}

TEST(PeCorners, MicrothreadsGoThroughAFifoByNumber) {
  std::set<std::uint64_t> cycles;
  for (const auto& [in, out] : {std::pair(0, 1), std::pair(4, 1)}) {
    const PeOutcome outcome = run_pes(through_fifo(in, out), {});
    EXPECT_FALSE(outcome.difference) << describe(*outcome.difference);
    EXPECT_EQ(outcome.delivered, 20U);
    cycles.insert(outcome.cycles);
  }
  EXPECT_EQ(cycles.size(), 2U);
}

// Both sources of a microthread begin with a control wavelet: the first data wavelets belong
// together.
TEST(PeCorners, ControlWaveletsAreTakenOffBothQueues) {
  const std::int32_t async = VectorOptions{.async = true}.pack();
  Program p = program_of({}, {0});
  put(p, Op::li, 3, 0, 0, static_cast<std::int32_t>(ControlWavelet{{{{{}, false}}}}.payload()));
  for (const int n : {0, 1}) {  // queues, of the way out too
    const int color = n == 0 ? kAlong : kDown;
    put(p, Op::dfabout, 2 * n, n, color, 1);
    put(p, Op::dlen, 2 * n, 0, 0, 1);
    put(p, Op::vmov32r, 2 * n, 0, 3);
    put(p, Op::dfabout, 2 * n, n, color);
    put(p, Op::dlen, 2 * n, 0, 0, 2);
    put(p, Op::vmov32r, 2 * n, 0, 3, async);
    put(p, Op::dfabin, 6 + n, n);
    put(p, Op::dlen, 6 + n, 0, 0, 2);
  }
  for (int n = 0; n < 30; ++n) put(p, Op::addi, 4, 4, 0, 1);
  put(p, Op::vadd32, 8, 6, 7);
  put(p, Op::end);
  Case c;
  c.programs = {{Rect{}, p}};
  for (const int n : {0, 1})
    c.routes.push_back(
        {Rect{}, n == 0 ? kAlong : kDown, {.rx = Port::ramp, .tx = Port::ramp, .input_queue = n}});
  const PeOutcome outcome = run_pes(c, {});
  EXPECT_FALSE(outcome.difference) << describe(*outcome.difference);
  EXPECT_EQ(outcome.delivered, 6U);
  EXPECT_FALSE(outcome.deadlock);
}

// Microthread 0 finds an odd address, and microthread 1 the end of memory in the same cycle.
TEST(PeCorners, OfTwoFaultsTheLowerKindCounts) {
  const std::int32_t async = VectorOptions{.async = true}.pack();
  Case c;
  Program p = program_of({}, {0});
  put(p, Op::dfabout, 0, 1, kAlong);
  put(p, Op::dbase, 1, 0, 0, c.machine.pe_memory_bytes - 4);
  put(p, Op::dstride, 1, 0, 0, 1);
  put(p, Op::dlen, 1, 0, 0, 2);
  put(p, Op::dfabout, 2, 0, kDown);
  put(p, Op::dbase, 3, 0, 0, 2);
  put(p, Op::dlen, 3, 0, 0, 1);
  put(p, Op::vmov32, 0, 1, 0, async);
  put(p, Op::vmov32, 2, 3, 0, async);
  put(p, Op::end);
  c.programs = {{Rect{}, p}};
  const PeOutcome outcome = run_pes(c, {});
  EXPECT_FALSE(outcome.difference) << describe(*outcome.difference);
  EXPECT_EQ(outcome.fault.kind, FaultKind::memory_out_of_range);
}

TEST(PeCorners, ALongVectorIsJumpedOver) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const PeOutcome outcome = run_pes(long_vector(), {.seed = seed, .every_cycle = false});
    EXPECT_FALSE(outcome.difference) << describe(*outcome.difference);
    EXPECT_EQ(outcome.stop, spec::Fabric::Stop::quiet);
    EXPECT_EQ(outcome.delivered, 1U);
    EXPECT_GT(outcome.cycles, static_cast<std::uint64_t>(kMostElements));
    EXPECT_GT(outcome.counts.jumped, static_cast<std::uint64_t>(kMostElements) / 2);
  }
}

/// Five words from `base` on are written.
PeOutcome write_five(std::int32_t base, std::int32_t stride) {
  Program p = program_of({}, {0});
  put(p, Op::dbase, 2, 0, 0, base);
  put(p, Op::dlen, 2, 0, 0, 5);
  put(p, Op::dstride, 2, 0, 0, stride);
  put(p, Op::li, 1, 0, 0, 77);
  put(p, Op::vmov32r, 2, 0, 1);
  put(p, Op::end);
  Case c;
  c.programs = {{Rect{}, p}};
  const PeOutcome outcome = run_pes(c, {});
  EXPECT_FALSE(outcome.difference) << describe(*outcome.difference);
  return outcome;
}

TEST(PeCorners, EachElementsAddressIsChecked) {
  const std::int32_t end = Case{}.machine.pe_memory_bytes;
  // At a stride of 2^30 words all elements are the same one.
  EXPECT_EQ(write_five(0, 1 << 30).stop, spec::Fabric::Stop::quiet);
  EXPECT_EQ(write_five(end - 20, 1).stop, spec::Fabric::Stop::quiet);
  EXPECT_EQ(write_five(end, -1).fault.detail, end);
  EXPECT_EQ(write_five(end - 16, 1).fault.detail, end);
  EXPECT_EQ(write_five(16, -2).fault.detail, 0xfffffff8);
}

// An instruction over memory, and microthreads.
TEST(PeCorners, OfBadAddressesThatOfTheFirstOperandIsReported) {
  const std::int32_t end = Case{}.machine.pe_memory_bytes;
  for (const std::size_t received : {0, 1, 2})
    for (unsigned bad = 1; bad < 8; ++bad) {
      std::array<std::int32_t, 3> at = {64, 128, 192};
      std::optional<std::int32_t> first;
      for (std::size_t k = 0; k < at.size(); ++k) {
        if ((bad >> k & 1U) == 0) continue;
        at[k] = end + 4 * static_cast<std::int32_t>(k);
        if (!first && (k == 0 || k != received)) first = at[k];
      }
      const PeOutcome outcome = run_pes(addition(at, received), {});
      EXPECT_FALSE(outcome.difference) << describe(*outcome.difference);
      EXPECT_EQ(outcome.fault.kind, first ? FaultKind::memory_out_of_range : FaultKind::none);
      EXPECT_EQ(outcome.fault.detail, first.value_or(0)) << bad << ", received: " << received;
    }
}

constexpr std::int32_t kAsync = 1;  ///< as VectorOptions packs it

FaultKind fault_of(const Program& p) {
  Case c;
  c.programs = {{Rect{}, p}};
  const PeOutcome outcome = run_pes(c, {});
  EXPECT_FALSE(outcome.difference) << describe(*outcome.difference);
  return outcome.fault.kind;
}

// The first color has no route, so that its wavelet stays.
TEST(PeCorners, AnOutputQueueHoldsOneColor) {
  Program p = program_of({}, {0});
  for (const int color : {kAlong, kDown}) {
    put(p, Op::dfabout, 0, 0, color);
    put(p, Op::dlen, 0, 0, 0, 1);
    put(p, Op::vmov32r, 0, 0, 1);
  }
  put(p, Op::end);
  EXPECT_EQ(fault_of(p), FaultKind::queue_color_changed);
}

TEST(PeCorners, TwoSourcesAreNotOfOneQueue) {
  Program p = program_of({}, {0});
  put(p, Op::dfabin, 0, 3);
  put(p, Op::dfabin, 1, 3);
  put(p, Op::dlen, 0, 0, 0, 1);
  put(p, Op::vadd32, 2, 0, 1);
  put(p, Op::end);
  EXPECT_EQ(fault_of(p), FaultKind::microthread_in_use);
}

TEST(PeCorners, AMicrothreadInUseComesBeforeItsOperands) {
  Program p = program_of({}, {0});
  put(p, Op::dfabin, 0, 3);
  put(p, Op::dlen, 0, 0, 0, 1);
  put(p, Op::dlen, 1, 0, 0, 1);
  put(p, Op::vmov32, 1, 0, 0, kAsync);
  put(p, Op::vmov32, 0, 1, 0, kAsync);
  put(p, Op::end);
  EXPECT_EQ(fault_of(p), FaultKind::microthread_in_use);
}

TEST(PeCorners, AReturnStaysInTheProgram) {
  Program p = program_of({}, {0});
  put(p, Op::li, 1, 0, 0, 3);
  put(p, Op::ret, 1);
  put(p, Op::end);
  EXPECT_EQ(fault_of(p), FaultKind::ran_off_program);
}

TEST(PeCorners, AnUnboundLocalTaskHasNoColor) {
  Program p = program_of({}, {0});
  put(p, Op::activate, 0, static_cast<int>(TaskKind::local), 5);
  put(p, Op::end);
  EXPECT_EQ(fault_of(p), FaultKind::unbound_task);
}

// Those of higher numbers start first.
TEST(PeCorners, MicrothreadsBeginInTheirOwnCycles) {
  Program p = program_of({}, {0});
  for (const int queue : {5, 4, 3}) {
    put(p, Op::dfabout, queue, queue, kAlong);
    put(p, Op::dlen, queue, 0, 0, 2);
  }
  for (const int queue : {5, 4, 3}) put(p, Op::vmov32r, queue, 0, 1, kAsync);
  put(p, Op::end);
  EXPECT_EQ(fault_of(p), FaultKind::none);
}

}  // namespace
}  // namespace weft::test::corners_test
