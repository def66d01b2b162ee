// Colors that change to their partner, which differs in bit 0, as they come in.
#include <gtest/gtest.h>

#include "support/mesh.hpp"

namespace weft::test::swap_test {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr int kEven = 4, kOdd = 5;

struct Swap {
  bool north_south, east_west;
};

constexpr Swap kNone{false, false}, kNorthSouth{true, false}, kEastWest{false, true},
    kBoth{true, true};

Route swapping(Route route, Swap swap) {
  route.swap_north_south = swap.north_south;
  route.swap_east_west = swap.east_west;
  return route;
}

/// The even color ends in queue 0, the odd one in queue 1.
Route to_core(Port from, int color, int first_queue = 0) {
  Route route{from, Port::ramp};
  route.input_queue = first_queue + color % 2;
  return route;
}

struct Case {
  Port out;
  int x, y;  ///< of the receiver, the sender is at (1, 1)
};

constexpr Case kSides[] = {
    {Port::east, 2, 1}, {Port::west, 0, 1}, {Port::south, 1, 2}, {Port::north, 1, 0}};

/// Whether what leaves (1, 1) through this port as `color` arrives as its partner.
bool arrives_swapped(const Case& side, int color, Swap swap) {
  Mesh mesh(3, 3);
  mesh.route({1, 1, 1, 1}, color, {Port::ramp, side.out});
  for (const int c : {kEven, kOdd})
    mesh.route({side.x, side.y, 1, 1}, c, swapping(to_core(opposite(side.out), c), swap));
  mesh.pe(1, 1).send(0, color, counting(9));
  mesh.pe(side.x, side.y).receive(0, 9).receive(1, 9);
  mesh.trace(200);
  const Words own = mesh.received(side.x, side.y, color % 2);
  const Words partner = mesh.received(side.x, side.y, 1 - color % 2);
  EXPECT_TRUE(own.empty() || partner.empty());
  EXPECT_EQ(own.empty() ? partner : own, counting(9)) << "nothing is lost or reordered";
  return own.empty();
}

TEST(Swap, EachFlagIsForItsTwoSides) {
  for (const Case& side : kSides) {
    const bool vertical = side.out == Port::south || side.out == Port::north;
    for (const int color : {kEven, kOdd}) {
      SCOPED_TRACE(testing::Message()
                   << "port " << static_cast<int>(side.out) << " color " << color);
      EXPECT_FALSE(arrives_swapped(side, color, kNone));
      EXPECT_EQ(arrives_swapped(side, color, kNorthSouth), vertical);
      EXPECT_EQ(arrives_swapped(side, color, kEastWest), !vertical);
      EXPECT_TRUE(arrives_swapped(side, color, kBoth));
    }
  }
}

TEST(Swap, TheRampSwapsOnlyWithBothFlags) {
  for (const Swap swap : {kNone, kNorthSouth, kEastWest, kBoth}) {
    Mesh mesh(2);
    for (const int color : {kEven, kOdd}) {
      mesh.route({0, 0, 1, 1}, color, swapping({Port::ramp, Port::east}, swap));
      mesh.route({1, 0, 1, 1}, color, to_core(Port::west, color));
    }
    mesh.pe(0).send(0, kEven, counting(9));
    mesh.pe(1).receive(0, 9).receive(1, 9);
    mesh.trace(200);
    const bool swapped = swap.north_south && swap.east_west;
    EXPECT_EQ(mesh.received(1, 0, swapped ? 1 : 0), counting(9));
    EXPECT_EQ(mesh.received(1, 0, swapped ? 0 : 1), Words{});
  }
}

TEST(Swap, TakesNoTimeOfItsOwn) {
  Mesh mesh(2);
  mesh.route({0, 0, 1, 1}, kEven, {Port::ramp, Port::east});
  for (const int color : {kEven, kOdd})
    mesh.route({1, 0, 1, 1}, color, swapping(to_core(Port::west, color), kEastWest));
  mesh.pe(0).send(0, kEven, {42});
  mesh.pe(1).catch_data(kEven).catch_data(kOdd);
  mesh.run();
  const std::uint64_t start = mesh.issued(0, 0, 0) + first_element(mesh.machine());
  EXPECT_EQ(mesh.caught(1), (std::vector<Caught>{{42, start + travel(mesh.machine(), 1)}}));
}

TEST(Swap, AlongALineColorsAlternate) {
  // Across more than one strip, with both colors on the way at the same time.
  constexpr int kWidth = 68;
  Mesh mesh(kWidth);
  for (const int color : {kEven, kOdd}) {
    Route pass{Port::west, {Port::east, Port::ramp}};
    pass.input_queue = color % 2;
    mesh.route({0, 0, 1, 1}, color, {Port::ramp, Port::east});
    mesh.route({1, 0, kWidth - 2, 1}, color, swapping(pass, kEastWest));
    mesh.route({kWidth - 1, 0, 1, 1}, color, swapping(to_core(Port::west, color), kEastWest));
  }
  mesh.pe(0).send(2, kEven, counting(20), Pe::Mode::async);
  mesh.pe(0).send(3, kOdd, counting(20, 1000), Pe::Mode::async);
  for (int x = 1; x < kWidth; ++x) mesh.pe(x).receive(0, 20).receive(1, 20);
  mesh.run();
  for (int x = 1; x < kWidth; ++x) {
    EXPECT_EQ(mesh.received(x, 0, x % 2), counting(20)) << "PE " << x;
    EXPECT_EQ(mesh.received(x, 0, 1 - x % 2), counting(20, 1000)) << "PE " << x;
  }
}

TEST(Swap, OnlyRoutersWithTheFlagSwap) {
  // PE 1 swaps, PEs 2 and 3 do not: their color is odd from there on.
  Mesh mesh(4);
  mesh.route({0, 0, 1, 1}, kEven, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, kEven, swapping({Port::west, Port::east}, kEastWest));
  mesh.route({1, 0, 2, 1}, kOdd, {Port::west, Port::east});
  mesh.route({3, 0, 1, 1}, kOdd, to_core(Port::west, kOdd));
  mesh.pe(0).send(0, kEven, counting(12));
  mesh.pe(3).receive(1, 12);
  mesh.run();
  EXPECT_EQ(mesh.received(3, 0, 1), counting(12));
}

TEST(Swap, ControlWaveletsSwapToo) {
  Mesh mesh(2);
  mesh.route({0, 0, 1, 1}, kEven, {Port::ramp, Port::east});
  for (const int color : {kEven, kOdd})
    mesh.route({1, 0, 1, 1}, color, swapping(to_core(Port::west, color), kEastWest));
  ControlWavelet wavelet;
  wavelet.slots[0].no_core = false;
  wavelet.entry = 6;
  mesh.pe(0).send_control(0, kEven, {wavelet.payload()});
  mesh.pe(1).catch_control(6).unblock(kOdd);  // the even color stays blocked
  mesh.run();
  EXPECT_EQ(mesh.caught(1).size(), 1U);
}

TEST(Swap, TheSenderSeesTheRoomOfTheTargetsQueue) {
  // The odd color's core never takes; the even one's would.
  Mesh mesh(2);
  mesh.route({0, 0, 1, 1}, kEven, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, kEven, swapping(to_core(Port::west, kEven, 4), kEastWest));
  mesh.route({1, 0, 1, 1}, kOdd, to_core(Port::west, kOdd, 4));
  mesh.pe(0).send(0, kEven, counting(40));
  mesh.pe(1).receive(4, 40);
  mesh.start().run(500);
  const FabricCounters counters = mesh.fabric().counters();
  EXPECT_EQ(counters.delivered, 2U) << "the input queue of the odd color";
  EXPECT_EQ(counters.hops, 2U + 2U) << "and the queue of the odd color in PE 1's router";
  EXPECT_EQ(counters.wavelets, 2U + 2U + 2U) << "and the queue of the even color in PE 0's";
}

TEST(Swap, AFullQueueOfTheOwnColorDoesNotMatter) {
  // At PE 1 the even color comes from the south only, and is stuck; the odd one takes all from PE
  // 0.
  Mesh mesh(2, 2);
  mesh.route({0, 0, 1, 1}, kEven, {Port::ramp, Port::east});
  mesh.route({1, 1, 1, 1}, kEven, {Port::ramp, Port::north});
  mesh.route({1, 0, 1, 1}, kEven, swapping(to_core(Port::south, kEven, 4), kEastWest));
  mesh.route({1, 0, 1, 1}, kOdd, to_core(Port::west, kOdd));
  mesh.pe(1, 1).send(0, kEven, counting(40), Pe::Mode::async);
  mesh.pe(0, 0).wait(40).send(0, kEven, counting(40, 1000));
  mesh.pe(1, 0).receive(1, 40);
  mesh.trace(500);
  EXPECT_EQ(mesh.received(1, 0, 1), counting(40, 1000));
  const std::vector<std::uint64_t> arrivals = mesh.arrivals(1, 0, 1);
  ASSERT_EQ(arrivals.size(), 40U);
  EXPECT_EQ(arrivals.back() - arrivals.front(), 39U) << "one a cycle";
}

TEST(Swap, BothColorsShareTheTargetsQueueWithoutLoss) {
  // The even color swaps into the odd one's queue, which the odd color itself fills too.
  Mesh mesh(2);
  for (const int color : {kEven, kOdd}) mesh.route({0, 0, 1, 1}, color, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, kEven, swapping(to_core(Port::west, kEven), kEastWest));
  mesh.route({1, 0, 1, 1}, kOdd, to_core(Port::west, kOdd));
  mesh.pe(0).send(2, kEven, counting(30), Pe::Mode::async);
  mesh.pe(0).send(3, kOdd, counting(30, 1000), Pe::Mode::async);
  mesh.pe(1).wait(60).receive(1, 60);
  mesh.run();
  Words even, odd;
  for (const std::uint32_t word : mesh.received(1, 0, 1))
    (word < 1000 ? even : odd).push_back(word);
  EXPECT_EQ(even, counting(30));
  EXPECT_EQ(odd, counting(30, 1000));
}

TEST(Swap, WithoutATargetsQueueThereIsNeverRoom) {
  // The partner has no route there, or one that does not open this input.
  for (const bool routed : {false, true}) {
    Mesh mesh(2);
    mesh.route({0, 0, 1, 1}, kEven, {Port::ramp, Port::east});
    mesh.route({1, 0, 1, 1}, kEven, swapping(to_core(Port::west, kEven), kEastWest));
    if (routed) mesh.route({1, 0, 1, 1}, kOdd, to_core(Port::ramp, kOdd));
    mesh.pe(0).send(0, kEven, counting(12));
    mesh.pe(1).receive(0, 12);
    mesh.start().run(300);
    EXPECT_EQ(mesh.fabric().counters().hops, 0U);
    EXPECT_EQ(mesh.fabric().counters().wavelets, 2U);
  }
}

}  // namespace
}  // namespace weft::test::swap_test
