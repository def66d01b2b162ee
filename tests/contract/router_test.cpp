// Links, queues, arbitration and multicast.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/mesh.hpp"

namespace weft::test::router_test {
namespace {

using Words = std::vector<std::uint32_t>;

Route to_core(Port from, int queue) {
  Route route{from, Port::ramp};
  route.input_queue = queue;
  return route;
}

Route pass_and_tap(Port from, Port to, int queue) {
  Route route{from, {to, Port::ramp}};
  route.input_queue = queue;
  return route;
}

/// Each is one more than the one before.
void expect_every_cycle(const std::vector<std::uint64_t>& cycles) {
  for (std::size_t i = 1; i < cycles.size(); ++i)
    ASSERT_EQ(cycles[i], cycles[i - 1] + 1) << "at " << i;
}

TEST(Router, ALinkCarriesAWaveletEveryCycle) {
  Mesh mesh(6);
  mesh.route({0, 0, 1, 1}, 2, {Port::ramp, Port::east});
  mesh.route({1, 0, 4, 1}, 2, {Port::west, Port::east});
  mesh.route({5, 0, 1, 1}, 2, to_core(Port::west, 0));
  mesh.pe(0).send(0, 2, counting(40));
  mesh.pe(5).receive(0, 40);
  mesh.trace(150);
  EXPECT_EQ(mesh.received(5, 0, 0), counting(40));
  ASSERT_EQ(mesh.arrivals(5, 0, 0).size(), 40U);
  expect_every_cycle(mesh.arrivals(5, 0, 0));
}

TEST(Router, QueuesOfOneWaveletHalveTheLink) {
  Machine m = test_machine();
  m.router_queue_depth = 1;
  Mesh mesh(4, 1, m);
  mesh.line(2);
  mesh.pe(0).send(0, 2, counting(20));
  mesh.pe(3).receive(0, 20);
  for (const int x : {1, 2}) mesh.pe(x).receive(0, 20);
  mesh.trace(200);
  const auto arrivals = mesh.arrivals(3, 0, 0);
  ASSERT_EQ(arrivals.size(), 20U);
  for (std::size_t i = 1; i < arrivals.size(); ++i) EXPECT_EQ(arrivals[i], arrivals[i - 1] + 2);
}

TEST(Router, TheFourDirectionsAreAlike) {
  struct Case {
    Port out;
    int x, y;
  };
  const Case cases[] = {
      {Port::east, 1, 0}, {Port::west, -1, 0}, {Port::south, 0, 1}, {Port::north, 0, -1}};
  // In a strip, and from the corners of two out of them.
  for (const auto& [x, y] : {std::pair{1, 1}, std::pair{15, 3}, std::pair{16, 4}})
    for (const Case& c : cases) {
      Mesh mesh(18, 6);
      const int to_x = x + c.x, to_y = y + c.y;
      mesh.route({x, y, 1, 1}, 9, {Port::ramp, c.out});
      mesh.route({to_x, to_y, 1, 1}, 9, to_core(opposite(c.out), 1));
      mesh.pe(x, y).send(0, 9, {77});
      mesh.pe(to_x, to_y).catch_data(9);
      mesh.run();
      const std::uint64_t start = mesh.issued(x, y, 0) + first_element(mesh.machine());
      EXPECT_EQ(mesh.caught(to_x, to_y),
                (std::vector<Caught>{{77, start + travel(mesh.machine(), 1)}}))
          << "from (" << x << ", " << y << ") by port " << static_cast<int>(c.out);
    }
}

TEST(Router, MulticastDuplicates) {
  Mesh mesh(4);
  mesh.line(3);
  mesh.pe(0).send(0, 3, counting(8));
  for (const int x : {1, 2, 3}) mesh.pe(x).receive(0, 8);
  mesh.run();
  for (const int x : {1, 2, 3}) EXPECT_EQ(mesh.received(x, 0, 0), counting(8)) << "PE " << x;
  const FabricCounters counters = mesh.fabric().counters();
  EXPECT_EQ(counters.wavelets, 8U);
  EXPECT_EQ(counters.hops, 24U);
  EXPECT_EQ(counters.delivered, 24U);
}

TEST(Router, MulticastGoesToAllItsOutputsOrNone) {
  // The far PE never takes: its input queue holds 2, its router 2. The near one gets no more.
  Mesh mesh(3);
  mesh.route({0, 0, 1, 1}, 3, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, 3, pass_and_tap(Port::west, Port::east, 0));
  mesh.route({2, 0, 1, 1}, 3, to_core(Port::west, 4));
  mesh.pe(0).send(0, 3, counting(20));
  mesh.pe(1).receive(0, 20);
  mesh.trace(200);
  EXPECT_EQ(mesh.received(1, 0, 0), counting(4));
}

TEST(Router, MulticastWaitsForTheOwnCoreToo) {
  // The near PE never takes: nothing beyond its 2 queued wavelets passes.
  Mesh mesh(3);
  mesh.route({0, 0, 1, 1}, 3, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, 3, pass_and_tap(Port::west, Port::east, 4));
  mesh.route({2, 0, 1, 1}, 3, to_core(Port::west, 0));
  mesh.pe(0).send(0, 3, counting(20));
  mesh.pe(2).receive(0, 20);
  mesh.trace(200);
  EXPECT_EQ(mesh.received(2, 0, 0), counting(2));
}

class BackPressure : public testing::TestWithParam<std::pair<int, unsigned>> {};

TEST_P(BackPressure, FillsEveryQueueOnTheWay) {
  const auto [queue, depth] = GetParam();
  Mesh mesh(3);
  mesh.route({0, 0, 1, 1}, 6, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, 6, {Port::west, Port::east});
  mesh.route({2, 0, 1, 1}, 6, to_core(Port::west, queue));
  mesh.pe(0).send(0, 6, counting(60));
  mesh.start().run(500);
  const FabricCounters counters = mesh.fabric().counters();
  EXPECT_EQ(counters.delivered, depth);
  EXPECT_EQ(counters.wavelets, depth + 2 + 2 + 2) << "two in each of the three routers";
  EXPECT_EQ(counters.hops, (depth + 2) + (depth + 4));
}

std::string name_of(const testing::TestParamInfo<std::pair<int, unsigned>>& given) {
  return "Queue" + std::to_string(given.param.first) + "Of" + std::to_string(given.param.second);
}

INSTANTIATE_TEST_SUITE_P(Depths, BackPressure,
                         testing::Values(std::pair{0, 6U}, std::pair{1, 6U}, std::pair{2, 4U},
                                         std::pair{3, 4U}, std::pair{4, 2U}, std::pair{7, 2U}),
                         name_of);

TEST(Router, BackPressureLosesNothing) {
  Mesh mesh(4);
  mesh.line(6, 5);
  mesh.pe(0).send(0, 6, counting(60));
  for (const int x : {1, 2}) mesh.pe(x).receive(5, 60);
  mesh.pe(3).wait(200).receive(5, 60);
  mesh.run();
  for (const int x : {1, 2, 3}) EXPECT_EQ(mesh.received(x, 0, 5), counting(60));
}

TEST(Router, BackPressureReachesOverTheEdgeOfAStrip) {
  // Strips are 16 x 4 PEs: the last of three PEs on a line takes nothing at first.
  for (const Port onward : {Port::east, Port::west, Port::south, Port::north}) {
    const bool along_x = onward == Port::east || onward == Port::west;
    const int step = onward == Port::east || onward == Port::south ? 1 : -1;
    const Port back = opposite(onward);
    for (const int middle : {2, 3, 4, 14, 15, 16, 17}) {
      const auto x = [&](int place) { return along_x ? place : 3; };
      const auto y = [&](int place) { return along_x ? 3 : place; };
      const auto at = [&](int place) { return Rect{x(place), y(place), 1, 1}; };
      Mesh mesh(20, 20);
      mesh.route(at(middle - step), 6, {Port::ramp, onward});
      mesh.route(at(middle), 6, {back, onward});
      mesh.route(at(middle + step), 6, to_core(back, 4));
      mesh.pe(x(middle - step), y(middle - step)).send(0, 6, counting(20));
      mesh.pe(x(middle + step), y(middle + step)).wait(100).receive(4, 20);
      mesh.start().run(250);
      EXPECT_EQ(mesh.fabric().counters().hops, 4U + 6U) << "by way of PE " << middle;
      mesh.run();
      EXPECT_EQ(mesh.received(x(middle + step), y(middle + step), 4), counting(20))
          << "by way of PE " << middle;
    }
  }
}

TEST(Router, AStalledColorDoesNotStallAnother) {
  // Color 6 fills all queues and stalls; color 7 takes the same links.
  Mesh mesh(3);
  for (const auto& [color, queue] : {std::pair{6, 4}, std::pair{7, 0}}) {
    mesh.route({0, 0, 1, 1}, color, {Port::ramp, Port::east});
    mesh.route({1, 0, 1, 1}, color, {Port::west, Port::east});
    mesh.route({2, 0, 1, 1}, color, to_core(Port::west, queue));
  }
  mesh.pe(0).send(2, 6, counting(60), Pe::Mode::async).wait(60).send(0, 7, counting(40, 1000));
  mesh.pe(2).receive(0, 40);
  mesh.trace(500);
  EXPECT_EQ(mesh.received(2, 0, 0), counting(40, 1000));
  expect_every_cycle(mesh.arrivals(2, 0, 0));
}

/// Of two streams that share one way, by number, the words that each brings and when they pass it.
struct Stream {
  int number;
  std::vector<std::uint64_t> passed;
};

/// Where both stream: one wavelet a cycle, of the one whose (number xor cycle mod round) is lower.
void expect_turns(const Stream& a, const Stream& b, std::uint64_t round) {
  const std::uint64_t from = std::max(a.passed.front(), b.passed.front()) + 2;
  const std::uint64_t to = std::min(a.passed.back(), b.passed.back());
  ASSERT_GE(to, from + 2 * round) << "neither waits for the other's end";
  for (std::uint64_t cycle = from; cycle < to; ++cycle) {
    const auto turn = [&](const Stream& stream) {
      return static_cast<std::uint64_t>(stream.number) ^ (cycle % round);
    };
    const bool has_a = std::ranges::count(a.passed, cycle) != 0;
    const bool has_b = std::ranges::count(b.passed, cycle) != 0;
    EXPECT_TRUE(has_a != has_b) << "cycle " << cycle;
    EXPECT_EQ(has_a, turn(a) < turn(b)) << "cycle " << cycle;
  }
}

/// All of `count` words arrived, each `later` cycles after it passed.
Stream stream_of(const Mesh& mesh, int x, int queue, int number, int count, std::uint64_t later) {
  Stream stream{number, mesh.arrivals(x, 0, queue)};
  EXPECT_EQ(mesh.received(x, 0, queue), counting(count));
  for (std::uint64_t& cycle : stream.passed) cycle -= later;
  return stream;
}

/// Two colors that share the link from PE 1 to PE 2; color `a` comes from PE 0, `b` from PE 1.
void expect_rotating_share(int a, int b) {
  const int count = 60;
  Mesh mesh(3);
  mesh.route({0, 0, 1, 1}, a, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, a, {Port::west, Port::east});
  mesh.route({2, 0, 1, 1}, a, to_core(Port::west, 0));
  mesh.route({1, 0, 1, 1}, b, {Port::ramp, Port::east});
  mesh.route({2, 0, 1, 1}, b, to_core(Port::west, 1));
  mesh.pe(0).wait(30).send(0, a, counting(count));
  mesh.pe(1).wait(30).send(0, b, counting(count));
  mesh.pe(2).receive(0, count).receive(1, count);
  mesh.trace(400);
  expect_turns(stream_of(mesh, 2, 0, a, count, 3), stream_of(mesh, 2, 1, b, count, 3), 32);
}

TEST(Router, ColorsShareALinkByRotatingPriority) {
  expect_rotating_share(0, 12);
  expect_rotating_share(20, 4);
  expect_rotating_share(7, 23);
}

TEST(Router, TwoColorsOnALinkGetHalfOfItEach) {
  Mesh mesh(3);
  for (const int color : {3, 4}) {
    mesh.route({1, 0, 1, 1}, color,
               color == 3 ? Route{Port::west, Port::east} : Route{Port::ramp, Port::east});
    mesh.route({2, 0, 1, 1}, color, to_core(Port::west, color - 3));
  }
  mesh.route({0, 0, 1, 1}, 3, {Port::ramp, Port::east});
  mesh.pe(0).wait(30).send(0, 3, counting(60));
  mesh.pe(1).wait(30).send(0, 4, counting(60));
  mesh.pe(2).receive(0, 60).receive(1, 60);
  mesh.trace(400);
  const auto one = mesh.arrivals(2, 0, 0), other = mesh.arrivals(2, 0, 1);
  ASSERT_EQ(one.size(), 60U);
  ASSERT_EQ(other.size(), 60U);
  const std::uint64_t apart =
      std::max(one.back(), other.back()) - std::min(one.back(), other.back());
  EXPECT_LE(apart, 12U) << "equal streams that start together end together";
}

TEST(Router, TheRampTakesOneWaveletACycle) {
  // Colors 1 and 2 come from two sides and end in two queues of the same core.
  Mesh mesh(3);
  mesh.route({0, 0, 1, 1}, 1, {Port::ramp, Port::east});
  mesh.route({2, 0, 1, 1}, 2, {Port::ramp, Port::west});
  mesh.route({1, 0, 1, 1}, 1, to_core(Port::west, 0));
  mesh.route({1, 0, 1, 1}, 2, to_core(Port::east, 1));
  mesh.pe(0).wait(30).send(0, 1, counting(30));
  mesh.pe(2).wait(30).send(0, 2, counting(30));
  mesh.pe(1).receive(0, 30).receive(1, 30);
  mesh.trace(300);
  auto all = mesh.arrivals(1, 0, 0);
  const auto second = mesh.arrivals(1, 0, 1);
  all.insert(all.end(), second.begin(), second.end());
  std::ranges::sort(all);
  ASSERT_EQ(all.size(), 60U);
  expect_every_cycle(all);
}

TEST(Router, TheOnRampTakesOneWaveletACycle) {
  // Two output queues, two colors, two directions: the links are free, the ramp is shared.
  Mesh mesh(3);
  mesh.route({1, 0, 1, 1}, 1, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, 2, {Port::ramp, Port::west});
  mesh.route({2, 0, 1, 1}, 1, to_core(Port::west, 0));
  mesh.route({0, 0, 1, 1}, 2, to_core(Port::east, 0));
  mesh.pe(1).send(2, 1, counting(30), Pe::Mode::async).send(3, 2, counting(30), Pe::Mode::async);
  mesh.pe(0).receive(0, 30);
  mesh.pe(2).receive(0, 30);
  mesh.start();
  std::uint64_t before = 0;
  for (int cycle = 0; cycle < 300; ++cycle) {
    mesh.fabric().run(1);
    const std::uint64_t now = mesh.fabric().counters().wavelets;
    ASSERT_LE(now - before, 1U) << "cycle " << cycle;
    before = now;
  }
  EXPECT_EQ(before, 60U);
}

TEST(Router, OutputQueuesShareTheOnRampByRotatingPriority) {
  const int count = 40;
  for (const auto& [a, b] : {std::pair{0, 1}, std::pair{3, 1}, std::pair{4, 0}, std::pair{2, 5}}) {
    Mesh mesh(3);
    mesh.route({1, 0, 1, 1}, 1, {Port::ramp, Port::east});
    mesh.route({1, 0, 1, 1}, 2, {Port::ramp, Port::west});
    mesh.route({2, 0, 1, 1}, 1, to_core(Port::west, 0));
    mesh.route({0, 0, 1, 1}, 2, to_core(Port::east, 0));
    mesh.pe(1).send(a, 1, counting(count), Pe::Mode::async).send(b, 2, counting(count));
    mesh.pe(0).receive(0, count);
    mesh.pe(2).receive(0, count);
    mesh.trace(200);
    // One cycle in each of two routers, and the ramp.
    expect_turns(stream_of(mesh, 2, 0, a, count, 4), stream_of(mesh, 0, 0, b, count, 4), 8);
  }
}

TEST(Router, AColorWithoutARampOutputPassesACoreBy) {
  Mesh mesh(3);
  mesh.route({0, 0, 1, 1}, 2, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, 2, {Port::west, Port::east});
  mesh.route({2, 0, 1, 1}, 2, to_core(Port::west, 0));
  mesh.pe(0).send(0, 2, {1, 2, 3});
  mesh.pe(2).receive(0, 3);
  mesh.run();
  EXPECT_EQ(mesh.fabric().counters().delivered, 3U);
}

TEST(Router, AWaveletCanTurnAndComeBack) {
  // East, south, west, north: a ring of four routers back to the sender.
  Mesh mesh(2, 2);
  Route home{{Port::ramp}, {Port::east}};
  mesh.route({0, 0, 1, 1}, 1, home);
  mesh.route({1, 0, 1, 1}, 1, {Port::west, Port::south});
  mesh.route({1, 1, 1, 1}, 1, {Port::north, Port::west});
  mesh.route({0, 1, 1, 1}, 1, to_core(Port::east, 2));
  mesh.pe(0, 0).send(0, 1, {11});
  mesh.pe(0, 1).catch_data(1);
  mesh.run();
  const std::uint64_t start = mesh.issued(0, 0, 0) + first_element(mesh.machine());
  EXPECT_EQ(mesh.caught(0, 1), (std::vector<Caught>{{11, start + travel(mesh.machine(), 3)}}));
}

}  // namespace
}  // namespace weft::test::router_test
