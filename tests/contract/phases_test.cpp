// Phases of programs: what is counted in each, to the cycle; and what errors keep of a run.
#include <gtest/gtest.h>

#include <numeric>

#include "support/expect_error.hpp"
#include "support/mesh.hpp"

namespace weft::test::phases_test {
namespace {

FabricOptions counting_options() {
  FabricOptions options;
  options.engine = Engine::reference;  // no other one counts phases
  options.observe.counts = true;
  return options;
}

const PhaseCounts& phase(const Profile& p, const std::string& name) {
  for (const PhaseCounts& each : p.phases)
    if (each.name == name) return each;
  throw std::out_of_range(name);
}

std::uint64_t count(const PhaseCounts& phase, Count what, std::size_t pe = 0) {
  return phase.counts[static_cast<std::size_t>(what)].at(pe);
}

std::uint64_t cycles(const PhaseCounts& phase, std::size_t pe = 0) {
  std::uint64_t all = 0;
  for (const Count state :
       {Count::computing, Count::moving, Count::waits_data, Count::waits_room, Count::idle})
    all += count(phase, state, pe);
  return all;
}

Profile run_code(const std::function<void(ProgramBuilder&)>& code) {
  ProgramBuilder b("alone");
  b.start(b.local_task(0));
  code(b);
  Fabric fabric(alone(b.build()), test_machine(), counting_options());
  fabric.run_until_idle(10000);
  return fabric.profile();
}

void add(ProgramBuilder& b, int times) {
  for (int n = 0; n < times; ++n) b.add(Reg{1}, Reg{1}, Reg{2});
}

const auto kStart = static_cast<std::uint64_t>(test_machine().task_start_cycles),
           kScalar = static_cast<std::uint64_t>(test_machine().scalar_cycles);

TEST(Phases, HaveTheCyclesOfTheirInstructions) {
  const Profile p = run_code([](ProgramBuilder& b) {
    b.phase("first");
    add(b, 4);
    b.phase("second");
    add(b, 3);
    b.no_phase();
    b.end();
  });
  ASSERT_EQ(p.phases.size(), 2U);
  EXPECT_EQ(p.phases[0].name, "first");
  const PhaseCounts &first = p.phases[0], &second = p.phases[1];
  EXPECT_EQ(cycles(first), kStart + 4 * kScalar);
  EXPECT_EQ(cycles(second), 3 * kScalar);
  EXPECT_EQ(first.first.front(), 0U);
  EXPECT_EQ(first.last.front() + 1, kStart + 4 * kScalar);
  EXPECT_EQ(second.first.front(), kStart + 4 * kScalar);
  EXPECT_EQ(second.last.front() + 1, kStart + 7 * kScalar);
  EXPECT_EQ(count(first, Count::tasks), 1U);
  EXPECT_EQ(count(second, Count::tasks), 0U);
}

TEST(Phases, CostNothing) {
  const auto code = [](bool named) {
    return [named](ProgramBuilder& b) {
      if (named) b.phase("first");
      add(b, 4);
      if (named) b.phase("second");
      add(b, 3);
      b.end();
    };
  };
  EXPECT_EQ(run_code(code(true)).cycles, run_code(code(false)).cycles);
}

TEST(Phases, ThatComeAgainAddUp) {
  const Profile p = run_code([](ProgramBuilder& b) {
    for (int n = 0; n < 3; ++n) {
      b.phase("even");
      add(b, 2);
      b.phase("odd");
      add(b, 1);
    }
    b.no_phase();
    b.end();
  });
  ASSERT_EQ(p.phases.size(), 2U);
  EXPECT_EQ(cycles(phase(p, "even")), kStart + 6 * kScalar);
  EXPECT_EQ(cycles(phase(p, "odd")), 3 * kScalar);
}

/// A subroutine that two phases call, and code of none.
TEST(Phases, SharedCodeIsOfThePhaseThatThePeIsIn) {
  const Profile p = run_code([](ProgramBuilder& b) {
    const Label shared = b.label();
    b.phase("one");
    b.call(Reg{9}, shared);
    b.phase("two");
    b.call(Reg{9}, shared);
    b.call(Reg{9}, shared);
    b.no_phase();
    add(b, 1);
    b.end();
    b.shared_by_phases();
    b.place(shared);
    add(b, 5);
    b.ret(Reg{9});
  });
  EXPECT_EQ(cycles(phase(p, "two")), 2 * (cycles(phase(p, "one")) - kStart));
  EXPECT_GT(cycles(phase(p, "one")), kStart + 5 * kScalar);
}

/// PE 0 sends 40 words in the background of another phase.
TEST(Phases, EndWithTheStreamsThatTheyStarted) {
  Mesh mesh(2);
  mesh.line(5);
  mesh.pe(0)
      .run([](ProgramBuilder& b) { b.phase("send"); })
      .send(0, 5, counting(40), Pe::Mode::async)
      .run([](ProgramBuilder& b) { b.phase("other"); })
      .wait(3);
  mesh.pe(1).run([](ProgramBuilder& b) { b.phase("receive"); }).receive(0, 40);
  mesh.start(counting_options());
  mesh.run();
  const Profile p = mesh.fabric().profile();
  const PhaseCounts& send = phase(p, "send");
  EXPECT_GT(send.last[0], phase(p, "other").first[0] + 30);
  EXPECT_EQ(send.first[1], PhaseCounts::kNever);
  EXPECT_EQ(count(phase(p, "receive"), Count::delivered, 1), 40U);
  EXPECT_EQ(count(send, Count::link_east) + count(phase(p, "other"), Count::link_east), 40U);
  EXPECT_EQ(phase(p, "receive").counts[static_cast<std::size_t>(Count::elements)].size(), 0U);
}

TEST(Phases, OfAPeAddUpToItsCounts) {
  Mesh mesh(3);
  mesh.line(5);
  mesh.pe(0).run([](ProgramBuilder& b) { b.phase("a"); }).send(0, 5, counting(9)).wait(4);
  for (const int x : {1, 2}) mesh.pe(x).run([](ProgramBuilder& b) { b.phase("a"); }).receive(0, 9);
  mesh.start(counting_options());
  mesh.run();
  const Profile p = mesh.fabric().profile();
  ASSERT_EQ(p.phases.size(), 1U);
  for (std::size_t pe = 0; pe < 3; ++pe)
    EXPECT_LE(p.cycles - cycles(p.phases.front(), pe), p.phases.front().first[pe] + 20);
}

TEST(Phases, AreTheSameInPieces) {
  const auto profile = [](std::uint64_t piece) {
    Mesh mesh(3);
    mesh.line(5);
    mesh.pe(0).run([](ProgramBuilder& b) { b.phase("a"); }).send(0, 5, counting(9)).wait(4);
    mesh.pe(1).run([](ProgramBuilder& b) { b.phase("b"); }).receive(0, 9);
    mesh.pe(2).wait(3).run([](ProgramBuilder& b) { b.phase("a"); }).receive(0, 9);
    mesh.start(counting_options());
    while (mesh.fabric().run(piece) == RunEnd::limit) continue;
    return mesh.fabric().profile();
  };
  const Profile whole = profile(100000);
  EXPECT_EQ(whole.phases.size(), 2U);
  for (const std::uint64_t piece : {1, 7, 50}) EXPECT_EQ(profile(piece), whole) << piece;
}

TEST(Phases, FillTheReportOfAFabricThatCounts) {
  ProgramBuilder b("alone");
  b.start(b.local_task(0));
  b.phase("first");
  add(b, 4);
  b.phase("second");
  b.end();
  Fabric fabric(alone(b.build()), test_machine(), counting_options());
  fabric.run_until_idle(10000);
  const std::vector<RunPhase> phases = fabric.report().phases;
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[0].name, "first");
  EXPECT_EQ(phases[0].cycles, kStart + 4 * kScalar);
  EXPECT_EQ(phases[1].cycles, 1U);
}

/// PE 1 wants a wavelet more than PE 0 sends.
Mesh one_too_few() {
  Mesh mesh(2);
  mesh.line(5);
  mesh.pe(0).send(0, 5, counting(3));
  mesh.pe(1).receive(0, 4);
  return mesh;
}

TEST(StuckRuns, KeepTheirProfileWithWhoWaits) {
  Mesh mesh = one_too_few();
  mesh.start(counting_options());
  try {
    mesh.fabric().run_until_idle(10000);
    FAIL() << "it ended";
  } catch (const DeadlockError& error) {
    ASSERT_NE(error.profile(), nullptr);
    const Profile& p = *error.profile();
    EXPECT_EQ(p.counts(Count::delivered)[1], 3U);
    ASSERT_TRUE(p.stuck);
    EXPECT_EQ(p.stuck->error, error.what());
    ASSERT_EQ(p.stuck->causes.size(), error.report().causes.size());
    ASSERT_FALSE(p.stuck->waits.empty());
    const StuckWait& first = p.stuck->waits.front();
    EXPECT_TRUE(first.first);
    EXPECT_EQ(first.x, 1);
    EXPECT_EQ(first.color, 5);
    EXPECT_NE(explanation_text(p).find("Who waits for whom"), std::string::npos);
  }
}

TEST(StuckRuns, AtALimitTellTheWaitsAlone) {
  Mesh mesh = one_too_few();
  mesh.pe(0).wait(2000);
  mesh.start(counting_options());
  try {
    mesh.fabric().run_until_idle(500);
    FAIL() << "it ended";
  } catch (const LimitError& error) {
    ASSERT_NE(error.profile(), nullptr);
    ASSERT_TRUE(error.profile()->stuck);
    EXPECT_TRUE(error.profile()->stuck->causes.empty());
    ASSERT_FALSE(error.profile()->stuck->waits.empty());
    EXPECT_EQ(error.profile()->stuck->waits.front().waits_for, -1);
  }
}

TEST(StuckRuns, HaveNoProfileWhereNobodyCounts) {
  Mesh mesh = one_too_few();
  mesh.start();
  try {
    mesh.fabric().run_until_idle(10000);
    FAIL() << "it ended";
  } catch (const DeadlockError& error) {
    EXPECT_EQ(error.profile(), nullptr);
  }
}

}  // namespace
}  // namespace weft::test::phases_test
