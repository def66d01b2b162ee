// The fabrics that are tried by line without being asked; a second start is exact.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "by_line/lines.hpp"
#include "fabric/access.hpp"
#include "fabric/stepper/lines_pay.hpp"
#include "support/by_line.hpp"
#include "support/mesh.hpp"

namespace weft::test::by_line_by_itself_test {
namespace {

constexpr int kRow = 3, kColumn = 6;  // colors
constexpr std::uint64_t kLimit = 100'000;

/// Programs of this size are worth copying.
void make_large(Pe& pe) {
  pe.run([](ProgramBuilder& b) { b.reserve("much", 30'000); });
}

void lay_rows(Mesh& mesh, int width, int rows) {
  Route last{Port::west, Port::ramp};
  last.input_queue = 0;
  mesh.route({0, 0, 1, rows}, kRow, {Port::ramp, Port::east});
  if (width > 2) mesh.route({1, 0, width - 2, rows}, kRow, {Port::west, Port::east});
  mesh.route({width - 1, 0, 1, rows}, kRow, last);
}

void lay_columns(Mesh& mesh, int columns, int height) {
  Route last{Port::north, Port::ramp};
  last.input_queue = 1;
  mesh.route({0, 0, columns, 1}, kColumn, {Port::ramp, Port::south});
  if (height > 2) mesh.route({0, 1, columns, height - 2}, kColumn, {Port::north, Port::south});
  mesh.route({0, height - 1, columns, 1}, kColumn, last);
}

/// Streams along some rows of a mesh.
Mesh streams(int width, int height, int rows) {
  Mesh mesh(width, height);
  lay_rows(mesh, width, rows);
  for (int y = 0; y < rows; ++y) {
    mesh.pe(0, y).send(0, kRow, counting(20, static_cast<std::uint32_t>(100 * y)));
    mesh.pe(width - 1, y).receive(0, 20);
    for (int x = 0; x < std::min(width - 1, 10); ++x) make_large(mesh.pe(x, y));
  }
  return mesh;
}

RunReport report_of(Mesh& mesh, const FabricOptions& options = {},
                    const fabric::ByLineOptions& by_line = {}) {
  Fabric fabric = FabricAccess::make(mesh.layout(), mesh.machine(), options, by_line);
  mesh.fill(fabric);
  fabric.run_until_idle(kLimit);
  return fabric.report();
}

TEST(ByLineByItself, SixteenRowsThatStreamAreEnough) {
  Mesh enough = streams(20, 20, 16), few = streams(20, 20, 15);
  EXPECT_TRUE(report_of(enough).by_line);
  EXPECT_FALSE(report_of(few).by_line);
  FabricOptions without;
  without.accelerate.by_line = false;
  EXPECT_FALSE(report_of(enough, without).by_line);
}

TEST(ByLineByItself, SmallProgramsAreNotWorthIt) {
  Mesh mesh(20, 20);
  lay_rows(mesh, 20, 20);
  for (int y = 0; y < 20; ++y) mesh.pe(0, y).send(0, kRow, counting(20));
  EXPECT_FALSE(fabric::lines_pay(mesh.layout(), true));
  // 20 of 400 PEs have the words, and 20 are a line.
  for (const int words : {9'900, 10'100}) {
    ProgramBuilder b("large");
    b.reserve("words", static_cast<std::uint32_t>(4 * words));
    b.start(b.local_task(0));
    b.end();
    Layout layout = mesh.layout();
    Layout large(20, 20);
    for (const Layout::Routing& r : layout.routings()) large.route(r.where, r.color, r.route);
    large.place({1, 0, 1, 20}, b.build());
    EXPECT_EQ(fabric::lines_pay(large, true), words > 10'000);
  }
}

// 4 TiB of arrays, of which a run without data writes nothing.
TEST(ByLineByItself, ArraysThatDoNotFitAreInTheWayWithDataOnly) {
  constexpr int kSide = 2048;
  ProgramBuilder b("large");
  b.reserve("words", 1'000'000);
  b.start(b.local_task(0));
  b.end();
  Layout layout(kSide, kSide);
  layout.place({0, 0, kSide, kSide}, b.build());
  Route last{Port::west, Port::ramp};
  last.input_queue = 0;
  layout.route({0, 0, 1, kSide}, kRow, {Port::ramp, Port::east});
  layout.route({1, 0, kSide - 2, kSide}, kRow, {Port::west, Port::east});
  layout.route({kSide - 1, 0, 1, kSide}, kRow, last);
  EXPECT_FALSE(fabric::lines_pay(layout, true));
  EXPECT_TRUE(fabric::lines_pay(layout, false));
}

// 70 rows are two bundles, which need 32.
TEST(ByLineByItself, EachBundleInUseCounts) {
  Mesh first = streams(20, 70, 17), both = streams(20, 70, 66);
  EXPECT_TRUE(fabric::lines_pay(first.layout(), true));
  EXPECT_TRUE(fabric::lines_pay(both.layout(), true));
  Mesh scattered(4, 300);
  for (int y = 0; y < 300; y += 10) scattered.route({0, y, 1, 1}, kRow, {Port::ramp, Port::east});
  EXPECT_FALSE(fabric::lines_pay(scattered.layout(), true));
}

TEST(ByLineByItself, TwoDirectionsNeedColorsThatPassInBoth) {
  for (const int width : {2, 3})
    for (const int height : {2, 3}) {
      Mesh mesh(40, 40);
      for (int at = 0; at < 20; ++at) {
        Route west{Port::west, Port::ramp}, north{Port::north, Port::ramp};
        west.input_queue = 0;
        north.input_queue = 1;
        mesh.route({0, at, 1, 1}, kRow, {Port::ramp, Port::east});
        if (width == 3) mesh.route({1, at, 1, 1}, kRow, {Port::west, Port::east});
        mesh.route({width - 1, at, 1, 1}, kRow, west);
        mesh.route({at, 0, 1, 1}, kColumn, {Port::ramp, Port::south});
        if (height == 3) mesh.route({at, 1, 1, 1}, kColumn, {Port::north, Port::south});
        mesh.route({at, height - 1, 1, 1}, kColumn, north);
        for (int y = 3; y < 6; ++y) make_large(mesh.pe(at, y));
      }
      EXPECT_EQ(fabric::lines_pay(mesh.layout(), true), width == 3 && height == 3);
    }
}

TEST(ByLineByItself, NotWithoutColors) { EXPECT_FALSE(fabric::lines_pay(Layout(64, 64), true)); }

// A phase is to last as many cycles as words of a PE are copied; its state counts as 64.
TEST(ByLineByItself, ShortPhasesDoNotPay) {
  by_line::LineFacts facts;
  facts.memory_bytes = 4000;
  EXPECT_FALSE(by_line::too_short(facts, 4 * 1064, 4));
  EXPECT_TRUE(by_line::too_short(facts, 4 * 1064 - 1, 4));
  EXPECT_FALSE(by_line::too_short(facts, 5 * 1064, 5));
  EXPECT_TRUE(by_line::too_short(facts, 4 * 1064, 5));
  EXPECT_FALSE(by_line::too_short(facts, 1, 3)) << "a transform has as many";
}

TEST(ByLineByItself, OnlyInTheFirstRunUntilIdle) {
  Mesh mesh = streams(20, 20, 16);
  Fabric fabric(mesh.layout(), mesh.machine());
  mesh.fill(fabric);
  EXPECT_EQ(fabric.run(1), RunEnd::limit);
  fabric.run_until_idle(kLimit);
  EXPECT_FALSE(fabric.report().by_line);
}

TEST(ByLineByItself, NotIfTheCopyWouldBeTooLarge) {
  Mesh mesh = streams(20, 20, 16);
  constexpr std::size_t kWords = std::size_t{16} * 20 * 4, kMore = 1 << 20;
  for (const std::size_t most : {kWords - 1, kMore}) {
    Fabric fabric = fabric_by_line(mesh.layout(), mesh.machine(), {}, {.most_kept = most});
    mesh.fill(fabric);
    fabric.run_until_idle(kLimit);
    EXPECT_EQ(fabric.report().by_line, most == kMore);
  }
}

/// A mesh whose lines meet: a row's wavelets reach a PE whose column has begun.
Mesh meeting() {
  Mesh mesh(18, 18);
  lay_rows(mesh, 18, 18);
  lay_columns(mesh, 18, 18);
  for (int n = 0; n < 18; ++n) {
    mesh.pe(0, n).wait(60).send(0, kRow, counting(9, 10)).catch_data(kRow);
    mesh.pe(n, 0).send(1, kColumn, counting(9, 50)).catch_data(kColumn);
    mesh.pe(17, n).catch_data(kRow);
    mesh.pe(n, 17).catch_data(kColumn);
    for (const int x : {15, 16}) make_large(mesh.pe(x, n));
  }
  return mesh;
}

std::vector<std::vector<Caught>> caught(const Mesh& mesh) {
  std::vector<std::vector<Caught>> all;
  for (int n = 0; n < 18; ++n) all.push_back(mesh.caught(17, n));
  return all;
}

TEST(ByLineByItself, ASecondStartIsExact) {
  FabricOptions plain;
  plain.accelerate.by_line = false;
  Mesh expected = meeting();
  expected.start(plain).run_until_idle(kLimit);
  ASSERT_TRUE(fabric::lines_pay(meeting().layout(), true));
  for (const int threads : {1, 2, 4})
    for (const bool dry_run : {true, false}) {
      Mesh mesh = meeting();
      FabricOptions options;
      options.threads = threads;
      options.accelerate.dry_run = dry_run;
      Fabric& fabric = mesh.start(options);
      fabric.run_until_idle(kLimit);
      EXPECT_FALSE(fabric.report().by_line);
      EXPECT_EQ(caught(mesh), caught(expected));
      EXPECT_EQ(fabric.counters().cycle, expected.fabric().counters().cycle);
      EXPECT_EQ(fabric.counters().wavelets, expected.fabric().counters().wavelets);
      EXPECT_EQ(fabric.counters().hops, expected.fabric().counters().hops);
      EXPECT_EQ(fabric.counters().delivered, expected.fabric().counters().delivered);
    }
}

TEST(ByLineByItself, WhatWritesAgainIsAskedOnlyWhenItStartsOver) {
  const auto calls_of = [](Mesh mesh) {
    FabricOptions plain;
    plain.accelerate.by_line = false;
    const RunReport expected = report_of(mesh, plain);
    int calls = 0;
    const RunReport report = report_of(mesh, {}, {.write_again = [&](Fabric& anew) {
                                         ++calls;
                                         mesh.fill(anew);
                                       }});
    EXPECT_EQ(report.cycles, expected.cycles);
    EXPECT_EQ(report.counters.delivered, expected.counters.delivered);
    return calls;
  };
  EXPECT_EQ(calls_of(meeting()), 1);
  EXPECT_EQ(calls_of(streams(20, 20, 16)), 0);
}

// The same on other engines, which have no lines.
TEST(ByLineByItself, TheReferenceEngineGoesWithout) {
  Mesh mesh = streams(17, 17, 16);
  FabricOptions options;
  options.engine = Engine::reference;
  const RunReport reference = report_of(mesh, options), host = report_of(mesh);
  EXPECT_FALSE(reference.by_line);
  EXPECT_TRUE(host.by_line);
  EXPECT_EQ(reference.engine, Engine::reference);
  EXPECT_EQ(reference.cycles, host.cycles);
  EXPECT_EQ(reference.counters.hops, host.counters.hops);
  EXPECT_EQ(reference.pe_cycles, host.pe_cycles);
  EXPECT_EQ(reference.time_us, host.time_us);
}

// How a run of some cycles ended.

TEST(RunEnds, AtItsLimitIdleOrStuck) {
  for (const Engine engine : {Engine::host, Engine::reference}) {
    FabricOptions options;
    options.engine = engine;
    Mesh mesh = streams(4, 1, 1);
    Fabric& fabric = mesh.start(options);
    EXPECT_EQ(fabric.run(5), RunEnd::limit);
    EXPECT_EQ(fabric.cycle(), 5U);
    EXPECT_EQ(fabric.run(kLimit), RunEnd::idle);
    EXPECT_LT(fabric.cycle(), kLimit);
    EXPECT_EQ(fabric.run(kLimit), RunEnd::idle);

    Mesh stuck(2);
    stuck.line(kRow);
    stuck.pe(0).send(0, kRow, {1});
    stuck.pe(1).receive(0, 2);
    EXPECT_EQ(stuck.start(options).run(kLimit), RunEnd::stuck);
  }
}

}  // namespace
}  // namespace weft::test::by_line_by_itself_test
