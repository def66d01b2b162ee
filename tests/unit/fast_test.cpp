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

/// A strip into which a color has come from the north.
struct Came {
  static constexpr auto kIn = static_cast<std::size_t>(Port::north),
                        kOut = static_cast<std::size_t>(Port::south),
                        kRamp = static_cast<std::size_t>(Port::ramp);
  static constexpr Mask kLanes = 0b1110, kFirst = 0b0110;
  static constexpr std::uint64_t kNow = 7;
  StripState strip{};
  PortQueue queue{};
  std::unique_ptr<CoreState> core = std::make_unique<CoreState>();
  ColorState colors[2]{};  // of this strip, and of the one to the south, which has room
  ColorState& color = colors[0];
  std::uint64_t core_wake = kNever;
  by_line::Bundle bundle{};
  View v{};
  Taken taken;

  /// The color leaves by `out`.
  explicit Came(std::size_t out) {
    queue.valid[0] = kLanes;
    color.rx[kIn] = color.tx[out] = kLanes;
    color.filled = 1U << kIn;
    color.exits = 1U << kOut;
    color.inputs = 1;
    color.to_queue[0] = kLanes;
    color.beyond[kOut] = 1;
    colors[1].room[kIn] = kAllLanes;
    v.strip = &strip;
    v.core = core.get();
    v.core_wake = &core_wake;
    v.colors = colors;
    v.port_queues = &queue;
    v.timing.hop = 1;
    v.timing.ramp = 2;
    v.timing.router_depth = 2;
    v.timing.input_depth[0] = 1;
    v.bundle = &bundle;
  }
  fast::Straight way(std::uint64_t now = kNow) const {
    return fast::find_straight(v, color, kAllLanes, now);
  }
  bool pass() { return fast::pass_straight<L>(v, {}, strip, color, 0, way(), taken, kNow); }
};

/// Two colors go the same way in the same cycle: where the first took the link, the second waits.
TEST(StraightWay, ALinkTakesOneColorInACycle) {
  Came came(Came::kOut);
  EXPECT_EQ(came.way().heads, Came::kLanes);
  came.v.links_rest = true;
  came.v.timing.link_busy = 2;
  came.v.timing.link_rest = 1;  // so in each cycle but 0, 3, 6, ...
  EXPECT_EQ(came.way().heads, Came::kLanes);
  EXPECT_EQ(came.way(Came::kNow - 1).heads, 0U);
  came.taken.link[Came::kOut] = Came::kFirst;
  EXPECT_TRUE(came.pass());
  EXPECT_EQ(came.queue.valid[0], Came::kFirst);
  EXPECT_EQ(came.taken.link[Came::kOut], Came::kLanes);
}

/// The same of two colors for a core; and a wavelet for which its queue has no room waits.
TEST(StraightWay, ACoreTakesOneColorInACycle) {
  Came came(Came::kRamp);
  EXPECT_EQ(came.way().heads, Came::kLanes);
  came.taken.ramp = Came::kFirst;
  EXPECT_TRUE(came.pass());
  EXPECT_EQ(came.queue.valid[0], Came::kFirst);
  EXPECT_EQ(came.core->in[0].valid[0], Came::kLanes & ~Came::kFirst);
  EXPECT_EQ(came.taken.ramp, Came::kLanes);
  EXPECT_EQ(came.core_wake, Came::kNow + 2);
  came.taken = {};
  came.core->in[0].valid[0] = Came::kLanes;
  EXPECT_FALSE(came.pass());
}

/// A filter, a link beside the core and a control wavelet are no straight way to cores.
TEST(StraightWay, NothingElseIsOnTheWayToCores) {
  constexpr Mask kOne = 0b0100;
  Came filtered(Came::kRamp), both(Came::kRamp), control(Came::kRamp);
  filtered.color.filtered = kOne;
  both.color.tx[Came::kOut] = kOne;
  control.queue.control[0] = kOne;
  for (const Came* came : {&filtered, &both, &control}) EXPECT_EQ(came->way().heads, 0U);
}

}  // namespace
}  // namespace weft::test::fast_test
