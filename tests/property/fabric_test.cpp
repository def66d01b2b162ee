// Things that must not matter: how a run is cut, how many threads step it, where strips end, and
// the heading.
#include <gtest/gtest.h>

#include <utility>

#include "engine/engine.hpp"
#include "fabric/build/state.hpp"
#include "support/broadcast.hpp"
#include "support/mesh.hpp"

namespace weft::test::fabric_test {
namespace {

constexpr std::uint64_t kLimit = 100000;

Fabric fabric_of(const Broadcast& broadcast, int threads = 1) {
  FabricOptions options;
  options.threads = threads;
  return Fabric(broadcast.layout(), Machine{}, std::move(options));
}

std::vector<std::uint64_t> all(const FabricCounters& c) {
  return {c.cycle, c.wavelets, c.hops, c.delivered, c.filtered};
}

class Lengths : public testing::TestWithParam<int> {};

TEST_P(Lengths, EveryPeHearsTheBroadcastAndItsNeighbour) {
  for (const Heading heading : {Heading::east, Heading::west, Heading::south, Heading::north}) {
    const Broadcast broadcast{GetParam(), 5, 5, heading};
    Fabric fabric = fabric_of(broadcast);
    fabric.run_until_idle(kLimit);
    const std::vector<std::uint32_t> words = counting(5, 999);
    const bool backwards = heading == Heading::west || heading == Heading::north;
    for (int line = 0; line < broadcast.lines; ++line)
      for (int place = 1; place < broadcast.length; ++place) {
        const BroadcastResult result = result_of(fabric, broadcast, line, place);
        const int before = backwards ? broadcast.length - place : place - 1;
        ASSERT_EQ(result.heard, words) << "place " << place << " of line " << line;
        ASSERT_EQ(result.shifted, 500U + static_cast<std::uint32_t>(before)) << "place " << place;
      }
  }
}

TEST_P(Lengths, TheFourHeadingsTakeTheSameCycles) {
  const auto run = [&](Heading heading) {
    const Broadcast broadcast{GetParam(), 5, 5, heading};
    Fabric fabric = fabric_of(broadcast);
    fabric.run_until_idle(kLimit);
    std::vector<std::uint32_t> finished;
    for (const BroadcastResult& result : results_of(fabric, broadcast))
      finished.push_back(result.finished);
    return std::pair{finished, all(fabric.counters())};
  };
  const auto east = run(Heading::east);
  EXPECT_EQ(run(Heading::west), east);
  EXPECT_EQ(run(Heading::south), east);
  EXPECT_EQ(run(Heading::north), east);
}

TEST_P(Lengths, NothingIsLost) {
  const Broadcast broadcast{GetParam(), 5, 5, Heading::east};
  Fabric fabric = fabric_of(broadcast);
  fabric.run_until_idle(kLimit);
  const FabricCounters counters = fabric.counters();
  const auto length = static_cast<std::uint64_t>(GetParam()), lines = std::uint64_t{5};
  const std::uint64_t broadcast_words = length > 1 ? 5 : 0;
  EXPECT_EQ(counters.wavelets, lines * (broadcast_words + (length - 1)));
  EXPECT_EQ(counters.hops, lines * (broadcast_words + 1) * (length - 1));
  EXPECT_EQ(counters.delivered, counters.hops) << "each link leads to one more tap";
  EXPECT_EQ(counters.filtered, 0U);
}

INSTANTIATE_TEST_SUITE_P(AroundStrips, Lengths,
                         testing::Values(1, 2, 3, 4, 5, 8, 15, 16, 17, 33, 65),
                         testing::PrintToStringParamName());

TEST(Property, WhatAFilterRefusesIsCounted) {
  Mesh mesh(6);
  mesh.line(3);
  for (int x = 1; x < 6; ++x)
    mesh.filter({x, 0, 1, 1}, 3, {0, 9, static_cast<std::uint32_t>(x)});  // x + 1 of each ten
  mesh.pe(0).send(0, 3, counting(50));
  for (int x = 1; x < 6; ++x) mesh.pe(x).receive(0, 5 * (x + 1));
  mesh.run();
  const FabricCounters counters = mesh.fabric().counters();
  EXPECT_EQ(counters.wavelets, 50U);
  EXPECT_EQ(counters.delivered, 5U * (2 + 3 + 4 + 5 + 6));
  EXPECT_EQ(counters.delivered + counters.filtered, counters.wavelets * 5);
}

TEST(Property, ARunMayBeCutAnywhere) {
  const Broadcast broadcast{67, 5, 6, Heading::east};
  for (const std::uint64_t total :
       {std::uint64_t{20}, std::uint64_t{57}, std::uint64_t{90}, std::uint64_t{121}}) {
    Fabric whole = fabric_of(broadcast);
    whole.run(total);
    for (const std::uint64_t piece : {std::uint64_t{1}, std::uint64_t{7}}) {
      Fabric cut = fabric_of(broadcast);
      for (std::uint64_t done = 0; done < total; done += piece)
        cut.run(std::min(piece, total - done));
      EXPECT_EQ(cut.cycle(), total);
      EXPECT_EQ(results_of(cut, broadcast), results_of(whole, broadcast))
          << total << " by " << piece;
      EXPECT_EQ(all(cut.counters()), all(whole.counters())) << total << " by " << piece;
    }
  }
}

TEST(Property, ARunInPiecesEndsAsAWholeOne) {
  const Broadcast broadcast{35, 17, 6, Heading::south};
  Fabric whole = fabric_of(broadcast), cut = fabric_of(broadcast);
  whole.run_until_idle(kLimit);
  while (cut.cycle() < whole.cycle()) cut.run(1);
  EXPECT_EQ(results_of(cut, broadcast), results_of(whole, broadcast));
  EXPECT_EQ(all(cut.counters()), all(whole.counters()));
}

TEST(Property, AnIdleFabricsClockStands) {
  Fabric fabric = fabric_of({3, 1, 2, Heading::east});
  fabric.run_until_idle(kLimit);
  const std::uint64_t end = fabric.cycle();
  fabric.run(5);
  EXPECT_EQ(fabric.cycle(), end);
  fabric.run_until_idle(kLimit);
  EXPECT_EQ(fabric.cycle(), end);
}

TEST(Property, ThreadsDoNotMatter) {
  for (const Heading heading : {Heading::east, Heading::north}) {
    const Broadcast broadcast{35, 28, 6, heading};
    Fabric one = fabric_of(broadcast);
    one.run_until_idle(kLimit);
    for (const int threads : {2, 3, 5, 64}) {
      Fabric many = fabric_of(broadcast, threads);
      many.run_until_idle(kLimit);
      EXPECT_EQ(results_of(many, broadcast), results_of(one, broadcast)) << threads << " threads";
      EXPECT_EQ(all(many.counters()), all(one.counters())) << threads << " threads";
    }
  }
}

/// Ends a run of a broadcast on the engine, `block` cycles between meetings of its threads.
std::pair<std::uint64_t, std::vector<std::uint32_t>> end_of_run(const Broadcast& broadcast,
                                                                int threads, int block,
                                                                std::uint64_t limit) {
  Machine machine;
  machine.pe_memory_bytes = 2048;  // all of it is compared
  fabric::State state = fabric::build(broadcast.layout(), machine);
  const engine::RunResult result =
      engine::run_on_host(state.view(), 0, {limit, threads, {}, block});
  const std::uint32_t* memory = state.memory.data();
  return {result.cycle, {memory, memory + state.memory.size()}};
}

TEST(Property, HowFarApartRowsAreSteppedDoesNotMatter) {
  for (const Heading heading : {Heading::east, Heading::north})
    for (const std::uint64_t limit : {std::uint64_t{61}, kLimit}) {
      const Broadcast broadcast{35, 28, 6, heading};
      const auto together = end_of_run(broadcast, 1, 1, limit);
      for (const int threads : sanitized() ? std::vector{3} : std::vector{1, 2, 3, 7})
        for (const int block : {2, 3, 7, 32})
          EXPECT_EQ(end_of_run(broadcast, threads, block, limit), together)
              << threads << " threads, blocks of " << block;
    }
}

TEST(Property, ThreadsDoNotMatterForAFault) {
  // The same fault in two rows, in the same cycle.
  ProgramBuilder b("faulty");
  b.reserve("nothing", 4);
  b.start(b.local_task(0));
  b.sw(Reg{0}, Reg{0}, 2);
  b.end();
  const Program faulty = b.build();
  for (const int threads : {1, 2, 3, 5}) {
    Layout layout(80, 20);
    layout.place({67, 18, 1, 1}, faulty);
    layout.place({71, 2, 1, 1}, faulty);
    layout.place({3, 3, 1, 1}, faulty);  // of the same row of strips, and a strip before
    FabricOptions options;
    options.threads = threads;
    Fabric fabric(layout, Machine{}, std::move(options));
    try {
      fabric.run_until_idle(kLimit);
      ADD_FAILURE() << "no fault";
    } catch (const FaultError& error) {
      EXPECT_EQ(error.fault().x, 71);
      EXPECT_EQ(error.fault().y, 2);
    }
  }
}

TEST(Property, AnExceptionOfTheProgressFunctionEndsTheRun) {
  ProgramBuilder b("endless");
  b.start(b.local_task(0));
  b.activate({TaskKind::local, 0});
  b.end();
  Layout layout(1, 8);
  layout.place({0, 0, 1, 8}, b.build());
  FabricOptions options;
  options.threads = 2;
  options.progress = [](std::uint64_t) { throw std::runtime_error("enough"); };
  Fabric fabric(layout, Machine{}, std::move(options));
  EXPECT_THROW(fabric.run(std::uint64_t{1} << 40U), std::runtime_error);
}

}  // namespace
}  // namespace weft::test::fabric_test
