// Small programs that end in a deadlock: the first cause is found and told, and the report is the
// same however the fabric is stepped.
#include <gtest/gtest.h>

#include "support/by_line.hpp"
#include "support/deadlocks.hpp"
#include "support/mesh.hpp"

namespace weft::test::deadlock_test {
namespace {

TEST(Deadlock, TheFirstCauseIsFound) {
  for (const PlantedDeadlock& planted : planted_deadlocks()) {
    SCOPED_TRACE(planted.name);
    const DeadlockReport report = report_of(planted.layout);
    ASSERT_EQ(report.causes.size(), 1U) << explain(report);
    const DeadlockCause& cause = report.causes.front();
    EXPECT_EQ(to_string(cause.kind), to_string(planted.kind));
    EXPECT_EQ(cause.pes.front(), planted.pe);
    EXPECT_EQ(cause.color, planted.color);
    EXPECT_EQ(cause.waits, report.waits);
    EXPECT_EQ(cause.stuck.size(), cause.waits);
  }
}

TEST(Deadlock, TheMessageNamesIt) {
  for (const PlantedDeadlock& planted : planted_deadlocks())
    EXPECT_EQ(message_of(planted.layout), planted.message) << planted.name;
}

TEST(Deadlock, ThreadsChangeNothing) {
  for (const PlantedDeadlock& planted : planted_deadlocks()) {
    const DeadlockReport one = report_of(planted.layout);
    FabricOptions two;
    two.threads = 2;
    EXPECT_EQ(report_of(planted.layout, two), one) << planted.name;
  }
}

TEST(Deadlock, NorDoesLeavingDataOut) {
  for (const PlantedDeadlock& planted : planted_deadlocks()) {
    const DeadlockReport with = report_of(planted.layout);
    FabricOptions without;
    without.data = false;
    EXPECT_EQ(report_of(planted.layout, without), with) << planted.name;
  }
}

TEST(Deadlock, WithoutTheTalliesItIsTheSame) {
  DeadlockReport with = report_of(late_limit());
  FabricOptions options;
  options.tally = false;
  const DeadlockReport without = report_of(late_limit(), options);
  DeadlockCause& cause = with.causes.at(0);
  const auto forget = [](DeadlockFilter& filter) {
    filter.tallied = false;
    filter.let_in = filter.refused = 0;
  };
  forget(cause.filter.value());
  for (DeadlockReceiver& receiver : cause.receivers) forget(receiver.filter.value());
  EXPECT_EQ(without, with);
  EXPECT_EQ(explain(without.causes.at(0)).find("refused"), std::string::npos);
}

TEST(Deadlock, AFilterReportsWhatItDecided) {
  const DeadlockReport report = report_of(late_limit());
  const DeadlockCause& cause = report.causes.at(0);
  EXPECT_EQ(cause.pes, (std::vector<DeadlockPlace>{{1, 0}, {2, 0}, {3, 0}}));
  ASSERT_TRUE(cause.filter);
  EXPECT_EQ(cause.filter, (DeadlockFilter{kLateColor, 8, 2, 0, true, 1, 0, 7, false, true}));
  ASSERT_EQ(cause.senders.size(), 1U);
  EXPECT_EQ(cause.senders[0], (DeadlockSender{0, 0, 1, true, true, false, {}}));
  ASSERT_EQ(cause.receivers.size(), 2U);
  EXPECT_EQ(cause.receivers[1].filter, cause.filter);
}

TEST(Deadlock, AStreamIsFollowedBackToItsSender) {
  const DeadlockReport report = report_of(planted_deadlocks().at(2).layout);
  const std::vector<DeadlockWait>& stuck = report.causes.at(0).stuck;
  using What = DeadlockWait::What;
  EXPECT_EQ(stuck.front(), (DeadlockWait{What::input_queue, 3, 0, 2, 5, 4, 0}));
  EXPECT_EQ(stuck.back().what, What::core);
  EXPECT_EQ(stuck.back().x, 0);
  for (std::size_t n = 1; n < stuck.size(); ++n) EXPECT_EQ(stuck[n].waits_for, n - 1);
}

/// Of two colors in one queue, one never comes in any more; the other could, but nobody sends it.
TEST(Deadlock, AnotherColorOfTheQueueCouldStillCome) {
  Layout layout = late_limit();
  constexpr int kOther = kLateColor + 1;
  Route other{Port::west, Port::ramp};
  other.input_queue = 0;
  layout.route({1, 0, 3, 1}, kOther, other);
  const DeadlockReport report = report_of(layout);
  ASSERT_EQ(report.causes.size(), 1U);
  EXPECT_EQ(report.causes[0].kind, DeadlockKind::nobody_sends);
  EXPECT_EQ(report.causes[0].color, kOther);
  EXPECT_NE(explain(report).find("no route leads here from any core"), std::string::npos)
      << explain(report);
}

/// PE 1 opens the ramp of a color that its route leads to no queue.
TEST(Deadlock, ARampWithoutAQueue) {
  Mesh mesh(3, 5);
  Route end{Port::west, Port::ramp};
  end.input_queue = 0;
  mesh.route({0, 0, 1, 1}, kLateColor, {Port::ramp, Port::east})
      .route({1, 0, 1, 1}, kLateColor, {Port::west, Port::east})
      .route({2, 0, 1, 1}, kLateColor, end);
  mesh.pe(0).wait(60).send(0, kLateColor, {1});
  mesh.pe(1).run([](ProgramBuilder& b) {
    const auto bit = [](Port port) { return 1 << static_cast<int>(port); };
    b.li(Reg{1}, bit(Port::west) << 5 | bit(Port::ramp));
    b.setroute(kLateColor, Reg{1});
  });
  const DeadlockReport report = report_of(mesh.layout());
  ASSERT_EQ(report.causes.size(), 1U) << explain(report);
  EXPECT_EQ(report.causes[0].kind, DeadlockKind::no_route);
  EXPECT_EQ(report.causes[0].port, static_cast<int>(Port::ramp));
  EXPECT_NE(explain(report.causes[0]).find("the route has no input queue"), std::string::npos)
      << explain(report.causes[0]);
}

// Long before its limit, at a cycle that does not depend on the engine.
TEST(Deadlock, WaveletsThatGoRoundAreFoundSoon) {
  FabricOptions reference;
  reference.engine = Engine::reference;
  for (const FabricOptions& options : {test_options(), reference}) {
    Fabric fabric(wavelets_in_circle(), test_machine(), options);
    try {
      fabric.run_until_idle(1'000'000'000);
      FAIL() << "it ended";
    } catch (const DeadlockError& error) {
      EXPECT_TRUE(error.report().circling);
      EXPECT_EQ(error.report().cycle, (1U << 17U) - 1) << error.what();
      EXPECT_EQ(error.report().causes.at(0).circle,
                (std::vector<DeadlockPlace>{{0, 0}, {1, 0}, {1, 1}, {0, 1}}));
    }
  }
}

// A run of so many cycles is no run to rest.
TEST(Deadlock, WaveletsMayGoRoundForSoManyCycles) {
  Fabric fabric(wavelets_in_circle(), test_machine(), test_options());
  EXPECT_EQ(fabric.run(100'000), RunEnd::limit);
  EXPECT_EQ(fabric.run(100'000), RunEnd::limit);
  EXPECT_EQ(fabric.cycle(), 200'000U);
}

// The run by line counts nothing: it starts over.
TEST(Deadlock, ByLineFiltersAreTalliedToo) {
  const Layout layout = late_limit();
  Fabric fabric = fabric_by_line(layout, test_machine());
  try {
    fabric.run_until_idle(100000);
    FAIL() << "it ended";
  } catch (const DeadlockError& error) {
    EXPECT_EQ(explain(error.report()), explain(report_of(layout)));
    EXPECT_TRUE(error.report().causes.at(0).filter.value().tallied);
  }
}

TEST(Deadlock, AListIsAsLongAsAsked) {
  const DeadlockReport report = report_of(late_limit());
  EXPECT_NE(explain(report, 2).find("and 4 more"), std::string::npos) << explain(report, 2);
  EXPECT_EQ(explain(report, 6), explain(report));
}

}  // namespace
}  // namespace weft::test::deadlock_test
