// What a fabric counts of each PE, to the cycle.
#include <gtest/gtest.h>

#include <numeric>

#include "support/expect_error.hpp"
#include "support/mesh.hpp"

namespace weft::test::counts_test {
namespace {

FabricOptions counting_options(int windows = 0) {
  FabricOptions options;
  options.observe = {true, windows};
  return test_options(options);
}

Profile run(Mesh& mesh, int windows = 0) {
  mesh.start(counting_options(windows));
  mesh.run();
  return mesh.fabric().profile();
}

std::uint64_t sum(const std::vector<std::uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

using Values = std::vector<std::uint64_t>;

TEST(Counts, ATaskComputesFromItsStartToItsEnd) {
  ProgramBuilder b("adds");
  b.start(b.local_task(0));
  for (int n = 0; n < 4; ++n) b.add(Reg{1}, Reg{1}, Reg{2});
  const Label on = b.label();
  b.jump(on);
  b.place(on);
  b.end();
  const Machine machine = test_machine();
  Fabric fabric(alone(b.build()), machine, counting_options());
  fabric.run_until_idle(1000);
  const Profile p = fabric.profile();
  const auto start = static_cast<std::uint64_t>(machine.task_start_cycles),
             scalar = static_cast<std::uint64_t>(machine.scalar_cycles),
             taken = static_cast<std::uint64_t>(machine.branch_taken_cycles);
  EXPECT_EQ(p.counts(Count::computing), Values{start + 4 * scalar + taken + 1});
  EXPECT_EQ(p.counts(Count::idle), Values{p.cycles - p.counts(Count::computing).front()});
  EXPECT_EQ(p.counts(Count::tasks), Values{1});
  EXPECT_EQ(p.counts(Count::scalars), Values{5});
  EXPECT_EQ(p.counts(Count::branches), Values{1});
  const std::vector<LineCounts> lines = p.lines("adds");
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[0].cycles, start + scalar);
  EXPECT_EQ(lines[1].cycles, scalar);
  EXPECT_EQ(lines[4].cycles, taken);
  EXPECT_EQ(lines[5].cycles, 1U);
}

TEST(Counts, AWaveletCountsAtEachLinkAndRampThatItLeavesBy) {
  Mesh mesh(3);
  mesh.line(5);
  mesh.pe(0).send(0, 5, counting(7));
  mesh.pe(1).receive(0, 7);
  mesh.pe(2).receive(0, 7);
  const Profile p = run(mesh);
  EXPECT_EQ(p.links(Port::east), (Values{7, 7, 0}));
  EXPECT_EQ(p.links(Port::east, 5), (Values{7, 7, 0}));
  EXPECT_EQ(p.links(Port::west), (Values{0, 0, 0}));
  EXPECT_EQ(p.links(Port::ramp, 5), (Values{0, 7, 7}));
  EXPECT_EQ(p.counts(Count::sent), (Values{7, 0, 0}));
  EXPECT_EQ(p.counts(Count::elements), (Values{7, 7, 7}));
  EXPECT_EQ(p.counts(Count::streams), (Values{1, 1, 1}));
}

/// The receive is asynchronous: its core executes two instructions more, then waits.
TEST(Counts, AReceiverWaitsForDataUntilTheFirstWaveletComes) {
  Mesh mesh(2);
  mesh.line(5);
  mesh.pe(0).wait(20).send(0, 5, counting(1));
  mesh.pe(1).receive(0, 1);
  mesh.start(counting_options());
  mesh.trace(300);
  const Profile p = mesh.fabric().profile();
  const auto scalar = static_cast<std::uint64_t>(mesh.machine().scalar_cycles);
  const std::uint64_t ends = mesh.issued(1, 0, 0) + 2 * scalar;
  EXPECT_EQ(p.counts(Count::waits_data)[1], mesh.arrivals(1, 0, 0).front() - (ends + 1));
  EXPECT_EQ(p.counts(Count::moving), (Values{1, 1}));
  EXPECT_EQ(p.counts(Count::waits_room), (Values{0, 0}));
}

/// The send is synchronous: until its first element may come, its core computes, then it moves.
TEST(Counts, ACoreComputesWhileItsMicrothreadStarts) {
  Mesh mesh(2);
  mesh.line(5);
  mesh.pe(0).send(0, 5, counting(1));
  mesh.pe(1).receive(0, 1);
  mesh.start(counting_options(1024));
  mesh.trace(300);
  const Profile p = mesh.fabric().profile();
  ASSERT_EQ(p.window_cycles, 1U);
  const std::uint64_t sends = mesh.issued(0, 0, 0) + first_element(mesh.machine());
  for (std::uint64_t cycle = 0; cycle < sends; ++cycle)
    EXPECT_EQ(p.counts(Count::computing, static_cast<int>(cycle))[0], 1U) << cycle;
  EXPECT_EQ(p.counts(Count::moving, static_cast<int>(sends))[0], 1U);
  EXPECT_EQ(p.counts(Count::computing, static_cast<int>(sends) + 1)[0], 1U);
}

/// PE 0 sends 40 words, of which PE 2 takes the first one after 100 instructions.
TEST(Counts, WhatIsNotTakenIsHeldAllTheWay) {
  Mesh mesh(3);
  mesh.route({0, 0, 1, 1}, 5, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, 5, {Port::west, Port::east});
  mesh.route({2, 0, 1, 1}, 5, {.rx = Port::west, .tx = Port::ramp, .input_queue = 0});
  mesh.pe(0).send(0, 5, counting(40));
  mesh.pe(2).wait(100).receive(0, 40);
  const Profile p = run(mesh);
  EXPECT_GT(p.counts(Count::waits_room)[0], 200U);
  EXPECT_GT(p.counts(Count::held_room)[0], 200U);
  EXPECT_GT(p.counts(Count::held_room)[1], 200U);
  EXPECT_GT(p.counts(Count::held_ramp)[2], 200U);
  EXPECT_EQ(p.counts(Count::held_room)[2], 0U);
  EXPECT_EQ(sum(p.counts(Count::held_link)), 0U);
  EXPECT_EQ(p.colors.front().held, p.counts(Count::held));
}

/// PE 1 sends where the stream of PE 0 passes: each waits for the other in turn.
TEST(Counts, TwoColorsHoldEachOtherOnALink) {
  Mesh mesh(3);
  for (const auto& [x, color] : {std::pair{0, 5}, std::pair{1, 6}}) {
    mesh.route({x, 0, 1, 1}, color, {Port::ramp, Port::east});
    mesh.route({2, 0, 1, 1}, color, {.rx = Port::west, .tx = Port::ramp, .input_queue = color - 5});
    mesh.pe(x).send(0, color, counting(60), Pe::Mode::async);
  }
  mesh.route({1, 0, 1, 1}, 5, {Port::west, Port::east});
  mesh.pe(2).receive(0, 60).receive(1, 60);
  const Profile p = run(mesh);
  EXPECT_GT(p.counts(Count::held_link)[1], 0U);
  EXPECT_EQ(p.counts(Count::link_east)[1], 120U);
}

TEST(Counts, LinksThatRestHoldWavelets) {
  Machine machine = test_machine();
  machine.link_busy_cycles = 1;
  Mesh mesh(2, 1, machine);
  mesh.line(5);
  mesh.pe(0).send(0, 5, counting(50));
  mesh.pe(1).receive(0, 50);
  const Profile p = run(mesh);
  EXPECT_GE(p.counts(Count::held_rest)[0], 49U);
  EXPECT_EQ(p.counts(Count::held_rest)[1], 0U);
}

TEST(Counts, FiltersLetInAndRefuse) {
  Mesh mesh(3);
  mesh.line(4).filter({1, 0, 1, 1}, 4, {0, 4, 1});
  mesh.pe(0).send(0, 4, counting(10));
  mesh.pe(1).receive(0, 4);
  mesh.pe(2).receive(0, 10);
  const Profile p = run(mesh);
  EXPECT_EQ(p.counts(Count::let_in), (Values{0, 4, 0}));
  EXPECT_EQ(p.counts(Count::refused), (Values{0, 6, 0}));
}

TEST(Counts, WindowsDoubleInLength) {
  for (const int instructions : {1, 5, 40, 300}) {
    Mesh mesh(1);
    mesh.pe(0).wait(instructions);
    const Profile p = run(mesh, 16);
    EXPECT_GE(16 * p.window_cycles, p.cycles);
    if (p.window_cycles > 1) {
      EXPECT_LT(8 * p.window_cycles, p.cycles);
    }
    EXPECT_EQ(static_cast<std::uint64_t>(p.windows),
              (p.cycles + p.window_cycles - 1) / p.window_cycles);
    // The core computes from the first cycle on.
    EXPECT_EQ(p.counts(Count::computing, 0), Values{p.window_cycles});
    EXPECT_EQ(p.counts(Count::computing, 1), Values{p.window_cycles});
  }
}

/// Other cores have run ahead when the fault comes.
TEST(Counts, AFaultEndsThemWithItsCycle) {
  constexpr int kPes = 70;  // more than a strip
  const auto loops = [](int turns, bool faults) {
    ProgramBuilder b(faults ? "faults" : "loops");
    b.start(b.local_task(0));
    b.li(Reg{1}, turns);
    const Label again = b.label();
    b.place(again);
    b.addi(Reg{1}, Reg{1}, -1);
    b.bne(Reg{1}, Reg{15}, again);
    if (faults) b.lw(Reg{2}, Reg{15}, -4);
    b.end();
    return b.build();
  };
  Layout layout(kPes, 1);
  layout.place({0, 0, kPes - 1, 1}, loops(1000, false));
  layout.place({kPes - 1, 0, 1, 1}, loops(100, true));
  const auto counted = [&](Engine engine) {
    FabricOptions options = counting_options(16);
    options.engine = engine;
    Fabric fabric(layout, test_machine(), options);
    EXPECT_THROW(fabric.run_until_idle(100'000), FaultError);
    return fabric.profile();
  };
  const Profile p = counted(Engine::host);
  EXPECT_EQ(p, counted(Engine::reference));
  EXPECT_EQ(p.counts(Count::computing)[0], p.cycles);
  EXPECT_LT(p.cycles, 1000U);
}

/// PE 0 executes 300 instructions, and sends nothing.
TEST(Counts, ADeadlockEndsThemWithTheLastThingDone) {
  const auto counted = [](Engine engine) {
    Mesh mesh(2);
    mesh.line(5);
    mesh.pe(0).wait(300);
    mesh.pe(1).receive(0, 4);
    FabricOptions options = counting_options(16);
    options.engine = engine;
    mesh.start(options);
    EXPECT_THROW(mesh.run(), DeadlockError);
    return mesh.fabric().profile();
  };
  const Profile p = counted(Engine::host);
  EXPECT_EQ(p, counted(Engine::reference));
  EXPECT_GT(p.counts(Count::waits_data)[1], 200U);
}

TEST(Counts, WrongQuestionsAreErrors) {
  Mesh mesh(1);
  mesh.pe(0).wait(1);
  const Profile p = run(mesh, 16);
  expect_error(
      ErrorCategory::usage, [&] { p.counts(Count::computing, p.windows); }, "invalid window: ");
  expect_error(
      ErrorCategory::usage, [&] { p.counts(Count::idle, 0); }, "idle is not kept");
  expect_error(
      ErrorCategory::usage, [&] { p.links(Port::east, 3); }, "no router has color 3");
  expect_error(
      ErrorCategory::usage, [&] { p.lines("pe-0-1"); }, "there is no program 'pe-0-1'");
}

TEST(Counts, AProfileSaysWhyItHasNoWindows) {
  const auto fails = [](const Profile& p, const std::string& why) {
    expect_error(
        ErrorCategory::usage, [&] { p.counts(Count::computing, 0); }, "invalid window: 0", why);
  };
  Mesh mesh(1);
  mesh.pe(0).wait(1);
  mesh.start(counting_options(16));
  fails(mesh.fabric().profile(), "no cycle of the run has been");
  fails(run(mesh), "counted without windows");
}

TEST(Counts, WrongWishesAreErrors) {
  const Layout layout = alone(counting_task());
  const auto wish = [&](const FabricOptions& options) {
    return [&layout, options] { Fabric(layout, test_machine(), options); };
  };
  for (const int windows : {-16, 8, 100, 2048})
    expect_error(ErrorCategory::usage, wish(counting_options(windows)),
                 "invalid windows of time: ");
  FabricOptions options = counting_options(16);
  options.observe.counts = false;
  expect_error(ErrorCategory::usage, wish(options), "windows of time without");
  options = counting_options();
  options.engine = Engine::cuda;
  options.observe.path = true;
  expect_error(ErrorCategory::usage, wish(options), "the engine cuda finds no critical path");
  options.engine = Engine::host;
  options.observe = {};
  expect_error(
      ErrorCategory::usage, [&] { Fabric(layout, test_machine(), options).profile(); },
      "the fabric has no profile");
}

}  // namespace
}  // namespace weft::test::counts_test
