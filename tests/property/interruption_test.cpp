// An exception of the progress callback: the fabric stops between two cycles, as at a limit, and
// goes on from there as if nothing had been.
#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <span>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "differential/case.hpp"
#include "differential/random_case.hpp"
#include "engine/engine.hpp"
#include "engine/totals.hpp"
#include "fabric/build/state.hpp"
#include "fabric/errors/faults.hpp"
#include "fabric/stepper/lane_facts.hpp"
#include "support/by_line.hpp"
#include "support/expect_error.hpp"
#include "support/mesh.hpp"

namespace weft::test::interruption_test {
namespace {

using engine::RunOptions;
using engine::RunResult;
using engine::Stop;

constexpr std::uint64_t kForEver = std::uint64_t{1} << 60U;
constexpr Reg r1{1}, r2{2}, kZero{15};

struct Enough : std::runtime_error {
  Enough() : std::runtime_error("enough") {}
};

/// Throws at its n-th call, and keeps the clock then.
struct StopAt {
  int calls;
  std::uint64_t reached = 0;

  void operator()(std::uint64_t cycle) {
    reached = cycle;
    if (--calls == 0) throw Enough();
  }
};

/// So that it is called after each block.
RunOptions options_of(std::uint64_t limit, int threads, StopAt* stop, int block) {
  RunOptions options{limit, threads, {}, block};
  options.pause = std::chrono::milliseconds(0);
  if (stop != nullptr) options.progress = std::ref(*stop);
  return options;
}

engine::Totals totals_of(const fabric::State& state) {
  engine::Totals all;
  for (std::size_t i = 0; i < state.strip_count(); ++i) all.add(state.strip[i]);
  return all;
}

void expect_same(const fabric::State& a, const fabric::State& b) {
  const std::size_t words = a.memory.size();
  EXPECT_TRUE(
      std::ranges::equal(std::span(a.memory.data(), words), std::span(b.memory.data(), words)));
  EXPECT_EQ(totals_of(a), totals_of(b));
}

/// The end of an interrupted run.
struct Found {
  bool interrupted = false;
  std::uint64_t ahead = 0;  ///< cycles from the last that was reported to where the run ended
  Stop end = Stop::quiet;   ///< of the run after it
};

Found interrupt(const Case& c, std::uint64_t limit, int calls, int threads, int block) {
  fabric::State stopped = state_of(c), limited = state_of(c), whole = state_of(c);
  StopAt stop{calls};
  const RunResult first =
      engine::run_on_host(stopped.view(), 0, options_of(limit, threads, &stop, block));
  if (!first.thrown) return {};
  EXPECT_THROW(std::rethrow_exception(first.thrown), Enough);

  const RunResult at_limit = engine::run_on_host(limited.view(), 0, {first.cycle, 1});
  if (first.stop == Stop::limit) {
    EXPECT_EQ(at_limit.stop, Stop::limit);
    EXPECT_EQ(at_limit.cycle, first.cycle);
    expect_same(stopped, limited);
  }
  const auto go_on = [&](fabric::State& state, const RunResult& before) {
    if (before.stop != Stop::limit) return before;
    return engine::run_on_host(state.view(), before.cycle, {limit, threads, {}, block});
  };
  const RunResult end = go_on(stopped, first);
  const RunResult expected = engine::run_on_host(whole.view(), 0, {limit, 1});
  EXPECT_EQ(end.stop, expected.stop);
  EXPECT_EQ(end.cycle, expected.cycle);
  if (end.stop == Stop::fault)
    EXPECT_STREQ(fabric::fault_error(fabric::first_fault(stopped)).what(),
                 fabric::fault_error(fabric::first_fault(whole)).what());
  else
    expect_same(stopped, whole);
  return {true, first.cycle - stop.reached, end.stop};
}

TEST(Interruption, OfRandomFabricsIsAsALimit) {
  const int cases = by_effort(30, 100, 600);
  int interrupted = 0, ended[3] = {};
  std::uint64_t furthest = 0;
  for (int seed = 0; seed < cases && !testing::Test::HasFailure(); ++seed) {
    const std::uint64_t number = seed_from(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE(testing::Message() << "seed " << number);
    const Case c = seed % 3 == 0 ? random_case(number, 3, 12) : random_case(number);
    const std::uint64_t limit = std::min<std::uint64_t>(c.limit, 3000);
    const Found found = interrupt(c, limit, 1 + seed % 11, 1 + seed % 3, 1 + seed % 5);
    if (!found.interrupted) continue;
    ++interrupted;
    ++ended[static_cast<int>(found.end)];
    furthest = std::max(furthest, found.ahead);
  }
  if (!many_cases()) return;
  EXPECT_GT(interrupted, cases / 4);
  EXPECT_GT(*std::ranges::min_element(ended), 0);
  EXPECT_GT(furthest, 30U);
}

void start_again(ProgramBuilder& b) { b.activate({TaskKind::local, 0}); }

/// PE 1 computes alone, in memory, a loop of thousands of cycles, and then `last`; PE 0 has
/// something to do in each cycle.
Layout far_ahead(const std::function<void(ProgramBuilder&)>& last = start_again) {
  ProgramBuilder busy("busy");
  busy.start(busy.local_task(0));
  start_again(busy);
  busy.end();

  ProgramBuilder b("computes");
  b.reserve("count", 8);
  b.start(b.local_task(0));
  b.lw(r2, kZero, 4);  // 0, but who builds the fabric does not know: it is not put off
  b.addi(r2, r2, 300);
  const Label again = b.label();
  b.place(again);
  b.lw(r1, kZero, 0);
  b.addi(r1, r1, 1);
  b.sw(r1, kZero, 0);
  b.addi(r2, r2, -1);
  b.bne(r2, kZero, again);
  last(b);
  b.end();
  Layout layout(2, 1);
  layout.place({0, 0, 1, 1}, busy.build());
  layout.place({1, 0, 1, 1}, b.build());
  return layout;
}

std::uint32_t count_of(const Fabric& fabric) {
  std::uint32_t word[1];
  fabric.read({1, 0, 1, 1}, 0, word);
  return word[0];
}

void expect_same_counters(const FabricCounters& a, const FabricCounters& b) {
  EXPECT_EQ(a.cycle, b.cycle);
  EXPECT_EQ(a.wavelets, b.wavelets);
  EXPECT_EQ(a.hops, b.hops);
  EXPECT_EQ(a.delivered, b.delivered);
  EXPECT_EQ(a.filtered, b.filtered);
}

TEST(Interruption, CanBeReadAndGoesOn) {
  const Layout layout = far_ahead();
  FabricOptions options;
  StopAt stop{1};
  options.progress = std::ref(stop);
  Fabric stopped(layout, Machine{}, options);
  EXPECT_THROW(stopped.run_until_idle(kForEver), Enough);
  EXPECT_GT(stopped.cycle(), stop.reached);

  Fabric limited(layout, Machine{});
  limited.run(stopped.cycle());
  EXPECT_EQ(count_of(stopped), count_of(limited));
  expect_same_counters(stopped.counters(), limited.counters());

  stopped.run(12345);
  limited.run(12345);
  EXPECT_EQ(count_of(stopped), count_of(limited));
  expect_same_counters(stopped.counters(), limited.counters());
}

// PE 1 has been stepped as far as its fault, and beyond what would be a cycle to stop at.
TEST(Interruption, GoesOnToAFaultThatIsKnown) {
  const Layout layout = far_ahead([](ProgramBuilder& b) { b.sw(r1, kZero, 2); });
  fabric::State stopped = fabric::build(layout, Machine{});
  StopAt stop{20};  // both have begun
  const RunResult end = engine::run_on_host(stopped.view(), 0, options_of(kForEver, 1, &stop, 1));
  EXPECT_TRUE(end.thrown);
  EXPECT_EQ(end.stop, Stop::fault);
  EXPECT_EQ(end.cycle, fabric::first_fault(stopped).cycle + 1);
  EXPECT_GT(end.cycle, 1000U);
}

// A core that computes for ever runs ahead of the clock, but not for ever.
TEST(Interruption, ALoopWithoutEndCanBeLeft) {
  ProgramBuilder b("endless");
  b.start(b.local_task(0));
  const Label again = b.label();
  b.place(again);
  b.addi(r1, r1, 1);
  b.jump(again);
  Layout layout(8, 8);
  layout.place({0, 0, 8, 8}, b.build());
  for (const bool by_line : {false, true}) {
    FabricOptions options;
    StopAt stop{2};
    options.progress = std::ref(stop);
    Fabric fabric =
        by_line ? fabric_by_line(layout, Machine{}, options) : Fabric(layout, Machine{}, options);
    EXPECT_THROW(fabric.run_until_idle(kForEver), Enough);
    EXPECT_GT(stop.reached, 0U);
  }
}

TEST(Interruption, ByLineTheFabricIsSteppedAnewToThatCycle) {
  const std::uint32_t first[] = {7};
  StopAt stop{2};
  FabricOptions options;
  options.progress = std::ref(stop);
  Fabric stopped = fabric_by_line(far_ahead(), Machine{}, options);
  Fabric limited(far_ahead(), Machine{});
  for (Fabric* fabric : {&stopped, &limited}) fabric->write({1, 0, 1, 1}, 0, first);
  EXPECT_THROW(stopped.run_until_idle(kForEver), Enough);
  EXPECT_EQ(stopped.cycle(), stop.reached);
  limited.run(stop.reached);
  EXPECT_EQ(count_of(stopped), count_of(limited));
  expect_same_counters(stopped.counters(), limited.counters());

  stopped.run(12345);
  limited.run(12345);
  EXPECT_EQ(count_of(stopped), count_of(limited));
  expect_same_counters(stopped.counters(), limited.counters());
}

TEST(Interruption, ByLineTheNextRunGoesOnFromThatCycle) {
  StopAt stop{2};
  FabricOptions options;
  options.progress = std::ref(stop);
  Fabric stopped = fabric_by_line(far_ahead(), Machine{}, options);
  Fabric whole(far_ahead(), Machine{});
  EXPECT_THROW(stopped.run_until_idle(kForEver), Enough);
  stopped.run(777);
  whole.run(stop.reached + 777);
  EXPECT_EQ(stopped.cycle(), stop.reached + 777);
  EXPECT_EQ(count_of(stopped), count_of(whole));
  expect_same_counters(stopped.counters(), whole.counters());
}

// Where starting over fails, the next use tries once more.
TEST(Interruption, ByLineWhatWritesAgainMayThrow) {
  StopAt stop{2};
  FabricOptions options;
  options.progress = std::ref(stop);
  const std::uint32_t first[] = {7};
  int calls = 0;
  fabric::ByLineOptions by_line;
  by_line.write_again = [&](Fabric& anew) {
    if (++calls == 1) throw Enough();
    anew.write({1, 0, 1, 1}, 0, first);
  };
  Fabric stopped = fabric_by_line(far_ahead(), Machine{}, options, by_line);
  Fabric limited(far_ahead(), Machine{});
  for (Fabric* fabric : {&stopped, &limited}) fabric->write({1, 0, 1, 1}, 0, first);
  EXPECT_THROW(stopped.run_until_idle(kForEver), Enough);
  EXPECT_THROW(stopped.cycle(), Enough);
  EXPECT_EQ(stopped.cycle(), stop.reached);
  EXPECT_EQ(calls, 2);
  limited.run(stop.reached);
  EXPECT_EQ(count_of(stopped), count_of(limited));
  expect_same_counters(stopped.counters(), limited.counters());
}

TEST(Interruption, ByLineTheFirstOfManyThreadsStepsItAnew) {
  const std::uint32_t first[] = {7};
  StopAt stop{2};
  FabricOptions options;
  options.progress = std::ref(stop);
  int calls = 0;
  fabric::ByLineOptions by_line;
  by_line.write_again = [&](Fabric& anew) {
    ++calls;
    anew.write({1, 0, 1, 1}, 0, first);
  };
  Fabric stopped = fabric_by_line(far_ahead(), Machine{}, options, by_line);
  Fabric limited(far_ahead(), Machine{});
  for (Fabric* fabric : {&stopped, &limited}) fabric->write({1, 0, 1, 1}, 0, first);
  EXPECT_THROW(stopped.run_until_idle(kForEver), Enough);
  const Fabric moved = std::move(stopped);
  limited.run(stop.reached);
  const std::uint32_t expected = count_of(limited);
  std::vector<std::thread> readers;
  std::vector<std::uint32_t> counts(4);
  readers.reserve(counts.size());
  for (std::uint32_t& count : counts) readers.emplace_back([&] { count = count_of(moved); });
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(counts, std::vector(counts.size(), expected));
  EXPECT_EQ(calls, 1);
  expect_same_counters(moved.counters(), limited.counters());
}

TEST(Interruption, AFaultIsNamedAgain) {
  ProgramBuilder b("faulty");
  const MemorySpan word = b.reserve("count", 4);
  b.start(b.local_task(0));
  b.lw(r1, kZero, static_cast<std::int32_t>(word.address));
  b.sw(r1, kZero, 2);
  b.end();
  Layout layout(2, 1);
  layout.place({1, 0, 1, 1}, b.build());
  Fabric fabric(layout, Machine{});
  const auto fault_of = [](const auto& run) -> std::string {
    try {
      run();
    } catch (const FaultError& error) {
      EXPECT_EQ(error.fault().kind, FaultKind::memory_misaligned);
      return error.what();
    }
    return "none";
  };
  const std::string first = fault_of([&] { fabric.run_until_idle(kForEver); });
  const std::uint64_t cycle = fabric.cycle();
  EXPECT_EQ(fault_of([&] { fabric.run(10); }), first);
  EXPECT_EQ(fault_of([&] { fabric.run_until_idle(kForEver); }), first);
  EXPECT_EQ(fabric.cycle(), cycle);
  EXPECT_EQ(count_of(fabric), 0U);  // it can still be read
}

}  // namespace
}  // namespace weft::test::interruption_test
