// Small programs that end in a deadlock: the first cause is found and told, and the report is the
// same however the fabric is stepped.
#include <gtest/gtest.h>

#include "support/deadlocks.hpp"

namespace weft::test {
namespace {

TEST(Deadlock, TheFirstCauseIsFound) {
  for (const PlantedDeadlock& planted : planted_deadlocks()) {
    SCOPED_TRACE(planted.name);
    const DeadlockReport report = report_of(planted.layout);
    ASSERT_EQ(report.causes.size(), 1U) << explain(report);
    const DeadlockCause& cause = report.causes.front();
    EXPECT_EQ(name(cause.kind), name(planted.kind));
    EXPECT_EQ(cause.pes.front(), planted.pe);
    EXPECT_EQ(cause.color, planted.color);
    EXPECT_EQ(cause.waits, report.waits);
    EXPECT_EQ(cause.stuck.size(), cause.waits);
  }
}

TEST(Deadlock, TheMessageTellsIt) {
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
  EXPECT_EQ(why(without.causes.at(0)).find("refused"), std::string::npos);
}

TEST(Deadlock, AFilterTellsWhatItDecided) {
  const DeadlockReport report = report_of(late_limit());
  const DeadlockCause& cause = report.causes.at(0);
  EXPECT_EQ(cause.pes, (std::vector<DeadlockPlace>{{1, 0}, {2, 0}, {3, 0}}));
  ASSERT_TRUE(cause.filter);
  EXPECT_EQ(cause.filter, (DeadlockFilter{kLateColor, 8, 2, 0, true, 1, 0, 7, false}));
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

}  // namespace
}  // namespace weft::test
