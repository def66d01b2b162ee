// Parts of accelerations (src/fast/) that decide alone, on states built by hand.
#include <gtest/gtest.h>

#include <memory>

#include "by_line/hooks.hpp"
#include "fast/late_ends.hpp"
#include "fast/straight.hpp"

namespace weft::test::fast_test {
namespace {

using namespace model;
using L = by_line::LineLanes;

/// A core's task ends in cycle 10, and the next one is there already: it is picked in cycle 11.
TEST(LateEnds, TheNextTaskIsPickedInTheCycleAfterTheEnd) {
  constexpr Mask kLane = 0b100;
  constexpr std::uint64_t kEnd = 10;
  const auto core = std::make_unique<CoreState>();
  core->ending = core->placed = kLane;
  core->wake[2] = kEnd;
  EXPECT_EQ(fast::next_after_end(*core, 7), kNever);  // no task is there
  core->local_any = 1;
  core->local_active[0] = kLane;
  EXPECT_EQ(fast::next_after_end(*core, 7), kEnd + 1);
  EXPECT_EQ(fast::next_after_end(*core, kEnd + 5), kEnd + 6);
  core->local_blocked[0] = kLane;
  EXPECT_EQ(fast::next_after_end(*core, 7), kNever);
}

/// Two colors go the same way in the same cycle: where the first took the link, the second waits.
TEST(StraightWay, ALinkTakesOneColorInACycle) {
  constexpr auto kIn = static_cast<std::size_t>(Port::north),
                 kOut = static_cast<std::size_t>(Port::south);
  constexpr Mask kLanes = 0b1110, kFirst = 0b0110;
  constexpr std::uint64_t kNow = 7;
  StripState strip{};
  PortQueue queue{};
  queue.valid[0] = kLanes;
  ColorState colors[2]{};  // of this strip, and of the one to the south, which has room
  ColorState& color = colors[0];
  color.rx[kIn] = color.tx[kOut] = kLanes;
  color.filled = 1U << kIn;
  color.exits = 1U << kOut;
  color.beyond[kOut] = 1;
  colors[1].room[kIn] = kAllLanes;
  View v{};
  v.strip = &strip;
  v.colors = colors;
  v.port_queues = &queue;
  v.timing.hop = 1;
  v.timing.router_depth = 2;
  by_line::Bundle bundle{};
  v.bundle = &bundle;
  const fast::Straight way = fast::find_straight(v, color, kAllLanes, kNow);
  EXPECT_EQ(way.heads, kLanes);
  v.links_rest = true;
  v.timing.link_busy = 2;  // in each cycle but 0, 3, 6, ...
  EXPECT_EQ(fast::find_straight(v, color, kAllLanes, kNow).heads, kLanes);
  EXPECT_EQ(fast::find_straight(v, color, kAllLanes, kNow - 1).heads, 0U);
  Taken taken;
  taken.link[kOut] = kFirst;
  EXPECT_TRUE(fast::pass_straight<L>(v, {}, strip, color, 0, way, taken, kNow));
  EXPECT_EQ(queue.valid[0], kFirst);
  EXPECT_EQ(taken.link[kOut], kLanes);
}

}  // namespace
}  // namespace weft::test::fast_test
