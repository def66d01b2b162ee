// Stepped strips (src/by_line/stepped_strips.hpp), on a delay line of eight strips built by hand:
// facts that a run shows only when several rare things meet.
#include "by_line/stepped_strips.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "by_line/hooks.hpp"

namespace weft::test::stepped_strips_test {
namespace {

using namespace by_line;
using L = LineLanes;

constexpr int kLength = 8, kSlots = 64, kColor = 0, kPlace = 4;
constexpr Mask kLines = 0b111;
constexpr auto kIn = static_cast<std::size_t>(Port::north),
               kOut = static_cast<std::size_t>(Port::south),
               kRamp = static_cast<std::size_t>(Port::ramp);

/// Strips that pass a color on to the south; the first is a stepped strip.
struct DelayedColor {
  std::vector<StripState> strips = std::vector<StripState>(kLength);
  std::vector<ColorState> colors = std::vector<ColorState>(kLength);
  std::vector<PortQueue> queues = std::vector<PortQueue>(kLength);
  FilterState filter{};
  std::uint64_t stepped = 0, changed = 0, taken = 0;
  std::array<std::int32_t, kLength> stepped_before{}, stepped_after{};
  std::array<std::uint64_t, kLength> next_entry{}, last_start{}, next_accepted{}, next_uncounted{},
      accepted_at{}, coming{}, stepped_until{}, stopped{}, from{};
  std::uint64_t fault = kNever;
  DelayLine r{};
  Bundle b{};
  View v{};

  DelayedColor() {
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
    r.stepped = &stepped;
    r.changed = &changed;
    r.taken = &taken;
    r.stepped_before = stepped_before.data();
    r.stepped_after = stepped_after.data();
    r.next_entry = next_entry.data();
    r.last_start = last_start.data();
    r.next_accepted = next_accepted.data();
    r.next_uncounted = next_uncounted.data();
    r.accepted_at = accepted_at.data();
    r.coming = coming.data();
    r.soonest = kNever;
    b.delayed_colors = 1U << kColor;
    b.delay_lines = &r;
    b.stepped_until = stepped_until.data();
    b.stopped = stopped.data();
    b.from = from.data();
    b.fault = &fault;
    v.strip = strips.data();
    v.colors = colors.data();
    v.port_queues = queues.data();
    v.filters = &filter;
    v.bundle = &b;
    set_stepped(0, kLength);
  }
  DelayedColor(const DelayedColor&) = delete;  // it points to itself
  DelayedColor& operator=(const DelayedColor&) = delete;

  /// A stepped strip, and the stepped strip before it for the places up to `end`.
  void set_stepped(int place, int end) {
    r.set(r.stepped, place, true);
    r.stepped_after[place] = end;
    for (int beyond = place + 1; beyond < end; ++beyond) r.stepped_before[beyond] = place;
    if (end < kLength) r.stepped_before[end] = place;
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
    v.timing.link_rest = 1;
    v.timing.die_height = die_height;
  }
  bool passes() const { return passes_on<L>(v, r, kPlace, kColor); }
};

TEST(SteppedStrips, AStripPassesWaveletsOnIfAllItsLanesDoSoAndNothingElse) {
  EXPECT_TRUE(DelayedColor().passes());
  DelayedColor tapped;
  tapped.tap();
  EXPECT_TRUE(tapped.passes());
  struct Change {
    std::string name;
    std::function<void(DelayedColor&)> make;
  };
  for (const auto& [name, make] : {
           Change{"stopped", [](DelayedColor& t) { t.stopped[kPlace] = 3; }},
           {"has no such color",
            [](DelayedColor& t) { t.strips[kPlace].color_state[kColor] = -1; }},
           {"held in a lane", [](DelayedColor& t) { t.colors[kPlace].torn_down = 0b010; }},
           {"closed in a lane", [](DelayedColor& t) { t.colors[kPlace].rx[kIn] = 0b011; }},
           {"open to its core", [](DelayedColor& t) { t.colors[kPlace].rx[kRamp] = 0b001; }},
           {"goes to the side", [](DelayedColor& t) { t.colors[kPlace].tx[1] = 0b001; }},
           {"goes on in some lanes", [](DelayedColor& t) { t.colors[kPlace].tx[kOut] = 0b110; }},
           {"taps in some lanes", [](DelayedColor& t) { t.colors[kPlace].tx[kRamp] = 0b011; }},
           {"taps without a filter", [](DelayedColor& t) { t.colors[kPlace].filtered = 0b011; }},
           {"shares its queue", [](DelayedColor& t) { t.colors[kPlace].shares = 0b100; }},
           {"range", [](DelayedColor& t) { t.filter.range = 0b100; }},
           {"sparse", [](DelayedColor& t) { t.filter.sparse = 0b100; }},
           {"takes control wavelets", [](DelayedColor& t) { t.filter.filter_control = 0b100; }},
           {"does not count", [](DelayedColor& t) { t.filter.count_data = 0b011; }},
           {"counter past its limit", [](DelayedColor& t) { t.filter.counter.at[1] = 1; }},
           {"its link rests", [](DelayedColor& t) { t.rest(0); }},
           {"its link leads to another die", [](DelayedColor& t) { t.rest(kPlace + 1); }},
       }) {
    DelayedColor changed;
    changed.tap();
    make(changed);
    EXPECT_FALSE(changed.passes()) << name;
  }
}

TEST(SteppedStrips, ALinkThatMayRestMattersWhereWaveletsGoOn) {
  DelayedColor line;
  ColorState& last = line.colors[kLength - 1];
  last.tx[kRamp] = last.filtered = kLines;
  last.filter = 0;
  line.rest(kLength);
  for (int place = 1; place < kLength; ++place)
    EXPECT_TRUE(passes_on<L>(line.v, line.r, place, kColor)) << place;
}

/// A delayed wavelet is between two stepped strips when the second one opens: it will pass the
/// strips beyond it.
TEST(SteppedStrips, StripsBeyondOneThatEndsKnowTheWaveletThatComesToIt) {
  constexpr std::uint64_t kNow = 20;
  DelayedColor line;
  line.set_stepped(0, kPlace);
  line.set_stepped(kPlace, kLength);
  line.next_entry[0] = 1;
  line.last_start[0] = kNow - 2;
  line.r.under_way = 1;
  line.r.set(line.r.taken, line.r.slot(3, kNow), true);  // place 0 in cycle kNow - 3
  end_stepping(line.v, line.r, kPlace, kColor, kNow);
  EXPECT_FALSE(line.r.is_stepped(kPlace));
  for (std::size_t place = kPlace; place < kLength; ++place)
    EXPECT_EQ(line.stepped_until[place], kNow - 3 + place + 1) << place;
  for (std::size_t place = 0; place < kPlace; ++place) EXPECT_EQ(line.stepped_until[place], 0U);
}

/// A delayed wavelet that has not come to the new stepped strip has not begun there either.
TEST(SteppedStrips, ANewOneKnowsNoWaveletThatIsStillOnItsWay) {
  constexpr std::uint64_t kNow = 20;
  DelayedColor line;
  line.next_entry[0] = 1;
  line.last_start[0] = kNow - 1;  // it was at place 0 in cycle kNow - 2
  line.r.under_way = 1;
  line.r.set(line.r.taken, line.r.slot(2, kNow), true);
  begin_stepping(line.v, line.r, kPlace, kColor, kNow);
  EXPECT_TRUE(line.r.is_stepped(kPlace));
  EXPECT_EQ(line.last_start[kPlace], kNow);
  EXPECT_EQ(line.next_entry[kPlace], 0U);  // the delayed wavelet number 0 is next
  EXPECT_EQ(line.stepped_after[0], kPlace);
  EXPECT_EQ(line.stepped_after[kPlace], kLength);
}

}  // namespace
}  // namespace weft::test::stepped_strips_test
