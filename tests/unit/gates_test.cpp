// Gates of rides (src/by_line/gates.hpp), on a belt of eight strips built by hand: facts that a
// run shows only when several rare things meet.
#include "by_line/gates.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "by_line/seams.hpp"

namespace weft::test::gates_test {
namespace {

using namespace by_line;
using L = LineLanes;

constexpr int kLength = 8, kSlots = 64, kColor = 0, kPlace = 4;
constexpr Mask kLines = 0b111;
constexpr auto kIn = static_cast<std::size_t>(Port::north),
               kOut = static_cast<std::size_t>(Port::south),
               kRamp = static_cast<std::size_t>(Port::ramp);

/// Strips that pass a color on to the south; the first is a gate.
struct Belt {
  std::vector<StripState> strips = std::vector<StripState>(kLength);
  std::vector<ColorState> colors = std::vector<ColorState>(kLength);
  std::vector<PortQueue> queues = std::vector<PortQueue>(kLength);
  FilterState filter{};
  std::uint64_t gates = 0, changed = 0, taken = 0;
  std::array<std::int32_t, kLength> gate_before{}, gate_after{};
  std::array<std::uint64_t, kLength> next_ride{}, last_start{}, next_accepted{}, next_uncounted{},
      accepted_at{}, coming{}, stepped_until{}, stopped{}, from{};
  std::uint64_t fault = kNever;
  Rides r{};
  Bundle b{};
  View v{};

  Belt() {
    for (std::size_t place = 0; place < kLength; ++place) {
      strips[place].color_state[kColor] = static_cast<std::int32_t>(place);
      ColorState& c = colors[place];
      c.rx[kIn] = kLines;
      c.tx[kOut] = place + 1 < kLength ? kLines : 0;
      c.queue[kIn] = static_cast<std::int32_t>(place);
      c.filter = -1;
    }
    for (auto* each : {&next_accepted, &accepted_at, &stopped}) each->fill(kNever);
    filter.count_data = kLines;
    r.in = Port::north;
    r.out = Port::south;
    r.south = true;
    r.length = kLength;
    r.all = kLines;
    r.slots = kSlots;
    r.gates = &gates;
    r.changed = &changed;
    r.taken = &taken;
    r.gate_before = gate_before.data();
    r.gate_after = gate_after.data();
    r.next_ride = next_ride.data();
    r.last_start = last_start.data();
    r.next_accepted = next_accepted.data();
    r.next_uncounted = next_uncounted.data();
    r.accepted_at = accepted_at.data();
    r.coming = coming.data();
    r.soonest = kNever;
    b.ridden = 1U << kColor;
    b.rides = &r;
    b.stepped_until = stepped_until.data();
    b.stopped = stopped.data();
    b.from = from.data();
    b.fault = &fault;
    v.strip = strips.data();
    v.colors = colors.data();
    v.port_queues = queues.data();
    v.filters = &filter;
    v.bundle = &b;
    set_gate(0, kLength);
  }
  Belt(const Belt&) = delete;  // it points to itself
  Belt& operator=(const Belt&) = delete;

  /// A gate, and the gate before it for the places up to `end`.
  void set_gate(int place, int end) {
    r.set(r.gates, place, true);
    r.gate_after[place] = end;
    for (int beyond = place + 1; beyond < end; ++beyond) r.gate_before[beyond] = place;
    if (end < kLength) r.gate_before[end] = place;
  }
  /// Place kPlace has a filter, and its core takes what that lets through.
  void tap() {
    ColorState& c = colors[kPlace];
    c.tx[kRamp] = c.filtered = kLines;
    c.filter = 0;
  }
  /// Links rest: between dies of so many rows, or all (0).
  void rest(std::uint32_t die_height) {
    v.links_rest = true;
    v.timing.link_busy = 1;
    v.timing.die_height = die_height;
  }
  bool passes() const { return passes_rides<L>(v, r, kPlace, kColor); }
};

TEST(Gates, AStripPassesRidesOnIfAllItsLanesDoSoAndNothingElse) {
  EXPECT_TRUE(Belt().passes());
  Belt tapped;
  tapped.tap();
  EXPECT_TRUE(tapped.passes());
  struct Change {
    std::string name;
    std::function<void(Belt&)> make;
  };
  for (const auto& [name, make] : {
           Change{"stopped", [](Belt& t) { t.stopped[kPlace] = 3; }},
           {"has no such color", [](Belt& t) { t.strips[kPlace].color_state[kColor] = -1; }},
           {"held in a lane", [](Belt& t) { t.colors[kPlace].torn_down = 0b010; }},
           {"closed in a lane", [](Belt& t) { t.colors[kPlace].rx[kIn] = 0b011; }},
           {"open to its core", [](Belt& t) { t.colors[kPlace].rx[kRamp] = 0b001; }},
           {"goes to the side", [](Belt& t) { t.colors[kPlace].tx[1] = 0b001; }},
           {"goes on in some lanes", [](Belt& t) { t.colors[kPlace].tx[kOut] = 0b110; }},
           {"taps in some lanes", [](Belt& t) { t.colors[kPlace].tx[kRamp] = 0b011; }},
           {"taps without a filter", [](Belt& t) { t.colors[kPlace].filtered = 0b011; }},
           {"shares its queue", [](Belt& t) { t.colors[kPlace].shares = 0b100; }},
           {"range", [](Belt& t) { t.filter.range = 0b100; }},
           {"sparse", [](Belt& t) { t.filter.sparse = 0b100; }},
           {"takes control wavelets", [](Belt& t) { t.filter.filter_control = 0b100; }},
           {"does not count", [](Belt& t) { t.filter.count_data = 0b011; }},
           {"counter past its limit", [](Belt& t) { t.filter.counter.at[1] = 1; }},
           {"its link rests", [](Belt& t) { t.rest(0); }},
           {"its link leads to another die", [](Belt& t) { t.rest(kPlace + 1); }},
       }) {
    Belt changed;
    changed.tap();
    make(changed);
    EXPECT_FALSE(changed.passes()) << name;
  }
}

TEST(Gates, ALinkThatMayRestMattersWhereRidesGoOn) {
  Belt belt;
  ColorState& last = belt.colors[kLength - 1];
  last.tx[kRamp] = last.filtered = kLines;
  last.filter = 0;
  belt.rest(kLength);
  for (int place = 1; place < kLength; ++place)
    EXPECT_TRUE(passes_rides<L>(belt.v, belt.r, place, kColor)) << place;
}

/// A ride is between two gates when the second one opens: it will pass the strips beyond it.
TEST(Gates, StripsBeyondAnOpenedGateKnowTheRideThatComesToIt) {
  constexpr std::uint64_t kNow = 20;
  Belt belt;
  belt.set_gate(0, kPlace);
  belt.set_gate(kPlace, kLength);
  belt.next_ride[0] = 1;
  belt.last_start[0] = kNow - 2;
  belt.r.under_way = 1;
  belt.r.set(belt.r.taken, belt.r.slot(3, kNow), true);  // place 0 in cycle kNow - 3
  open_gate<L>(belt.v, belt.r, kPlace, kColor, kNow);
  EXPECT_FALSE(belt.r.is_gate(kPlace));
  for (std::size_t place = kPlace; place < kLength; ++place)
    EXPECT_EQ(belt.stepped_until[place], kNow - 3 + place + 1) << place;
  for (std::size_t place = 0; place < kPlace; ++place) EXPECT_EQ(belt.stepped_until[place], 0U);
}

/// A ride that has not come to the new gate has not begun there either.
TEST(Gates, ANewGateKnowsNoRideThatIsStillOnItsWay) {
  constexpr std::uint64_t kNow = 20;
  Belt belt;
  belt.next_ride[0] = 1;
  belt.last_start[0] = kNow - 1;  // it was at place 0 in cycle kNow - 2
  belt.r.under_way = 1;
  belt.r.set(belt.r.taken, belt.r.slot(2, kNow), true);
  make_gate<L>(belt.v, belt.r, kPlace, kColor, kNow);
  EXPECT_TRUE(belt.r.is_gate(kPlace));
  EXPECT_EQ(belt.last_start[kPlace], kNow);
  EXPECT_EQ(belt.next_ride[kPlace], 0U);  // the ride number 0 is next
  EXPECT_EQ(belt.gate_after[0], kPlace);
  EXPECT_EQ(belt.gate_after[kPlace], kLength);
}

}  // namespace
}  // namespace weft::test::gates_test
