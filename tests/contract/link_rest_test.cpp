// Links that rest in the first cycles of a period: all, those between dies, those of a crowd.
#include <gtest/gtest.h>

#include "fabric/build/timing.hpp"
#include "support/mesh.hpp"

namespace weft::test::link_rest_test {
namespace {

Machine resting(int busy) {
  Machine m = test_machine();
  m.link_busy_cycles = busy;
  return m;
}

/// A stream along a row of PEs, of which all but the first receive it.
Mesh stream(const Machine& m, int width, int count) {
  Mesh mesh = stream_along_row(m, width, count);
  mesh.trace(60 + static_cast<std::uint64_t>((3 + m.link_rest_cycles) * count));
  for (int x = 1; x < width; ++x) EXPECT_EQ(mesh.received(x, 0, 0), counting(count));
  return mesh;
}

/// The cycles in which the PE at x takes a word, less those of a machine whose links never rest.
std::vector<int> delays(const Machine& m, int width, int count, int x) {
  const auto late = stream(m, width, count).arrivals(x, 0, 0);
  const auto usual = stream(test_machine(), width, count).arrivals(x, 0, 0);
  std::vector<int> delays;
  for (std::size_t i = 0; i < usual.size(); ++i)
    delays.push_back(static_cast<int>(late.at(i)) - static_cast<int>(usual[i]));
  return delays;
}

TEST(LinkRest, AWaveletLeavesInAnyCycleButTheFirstOfAPeriod) {
  for (const int busy : {1, 2, 3, 7}) {
    // The ramp of PE 1 is two cycles after the link that the wavelet crossed.
    const auto arrivals = stream(resting(busy), 2, 40).arrivals(1, 0, 0);
    const auto crossed = [&](std::size_t i) {
      return arrivals.at(i) - static_cast<std::uint64_t>(test_machine().ramp_cycles) - 1;
    };
    for (std::size_t i = 0; i < 40; ++i)
      EXPECT_NE(crossed(i) % static_cast<std::uint64_t>(busy + 1), 0U)
          << "busy " << busy << ", wavelet " << i;
    // Links are busy in all other cycles: 40 wavelets in 40 of them.
    const std::uint64_t periods = 39 / static_cast<std::uint64_t>(busy);
    EXPECT_GE(arrivals.back() - arrivals.front(), 39 + periods) << "busy " << busy;
    EXPECT_LE(arrivals.back() - arrivals.front(), 39 + periods + 1) << "busy " << busy;
  }
}

TEST(LinkRest, LinksRestForSeveralCycles) {
  for (const int busy : {1, 2, 5})
    for (const int rest : {2, 3, 16}) {
      Machine m = resting(busy);
      m.link_rest_cycles = rest;
      const auto arrivals = stream(m, 2, 40).arrivals(1, 0, 0);
      const auto period = static_cast<std::uint64_t>(busy + rest);
      // As many as links are busy in a period, one a cycle from its cycle `rest` on.
      for (std::size_t i = 0; i < 40; ++i) {
        const std::uint64_t crossed =
            arrivals.at(i) - static_cast<std::uint64_t>(test_machine().ramp_cycles) - 1;
        EXPECT_GE(crossed % period, static_cast<std::uint64_t>(rest))
            << busy << " of " << period << ", wavelet " << i;
        const std::size_t later = i + static_cast<std::size_t>(busy);
        if (later >= 40) continue;
        EXPECT_EQ(arrivals.at(later), arrivals[i] + period)
            << busy << " of " << period << ", wavelet " << i;
      }
    }
}

TEST(LinkRest, AStreamIsNoSlowerOverManyLinks) {
  const Machine m = resting(3);
  for (const int x : {1, 5}) {
    const auto arrivals = stream(m, 6, 61).arrivals(x, 0, 0);
    EXPECT_NEAR(static_cast<double>(arrivals.back() - arrivals.front()), 60.0 * 4 / 3, 2) << x;
  }
}

TEST(LinkRest, OnlyLinksBetweenDiesRest) {
  Machine m = resting(1);
  m.die_width = 3;
  EXPECT_EQ(delays(m, 3, 20, 2), std::vector<int>(20, 0)) << "on one die";
  EXPECT_FALSE(fabric::links_rest(m, 3, 20)) << "and it is stepped as if links never rested";
  EXPECT_TRUE(fabric::links_rest(m, 4, 1));
  const std::vector<int> beyond = delays(m, 6, 20, 3);
  EXPECT_NEAR(beyond.back() - beyond.front(), 19, 1) << "beyond the link to the second die";
  m.die_width = 0;
  m.die_height = 1;
  EXPECT_EQ(delays(m, 6, 20, 5), std::vector<int>(20, 0)) << "no link of a row leads to a die";
}

TEST(LinkRest, DiesEndInAllFourDirections) {
  struct Case {
    Port out;
    int x, y;
  };
  // PE (1, 1) is the corner of a die of two by two, so east and south lead out of it.
  for (const Case& c :
       {Case{Port::east, 2, 1}, {Port::west, 0, 1}, {Port::south, 1, 2}, {Port::north, 1, 0}}) {
    const bool out = c.out == Port::east || c.out == Port::south;
    const auto duration = [&](int side) {
      Machine m = resting(1);
      m.die_width = m.die_height = side;
      Mesh mesh(3, 3, m);
      Route sink{opposite(c.out), Port::ramp};
      sink.input_queue = 0;
      mesh.route({1, 1, 1, 1}, 9, {Port::ramp, c.out}).route({c.x, c.y, 1, 1}, 9, sink);
      mesh.pe(1, 1).send(0, 9, counting(20));
      mesh.pe(c.x, c.y).receive(0, 20);
      mesh.trace(200);
      const auto arrivals = mesh.arrivals(c.x, c.y, 0);
      return arrivals.back() - arrivals.front();
    };
    EXPECT_EQ(duration(5), 19U) << "one die: port " << static_cast<int>(c.out);
    EXPECT_EQ(duration(2) > 30, out) << "dies of two: port " << static_cast<int>(c.out);
    EXPECT_EQ(duration(1) > 30, true) << "each PE a die: port " << static_cast<int>(c.out);
  }
}

TEST(LinkRest, LinksOfACrowdRestInThePeriodAfterIt) {
  // Five links carry a wavelet a cycle: a crowd of four, and none of five.
  Machine m = resting(3);
  m.crowd_wavelets = 5;
  EXPECT_EQ(delays(m, 6, 60, 5), std::vector<int>(60, 0));
  m.crowd_wavelets = 4;
  const std::vector<int> late = delays(m, 6, 60, 5);
  EXPECT_EQ(late.front(), 0) << "there is no crowd before all links carry the stream";
  EXPECT_GT(late.back(), 5);
  EXPECT_LT(late.back(), 20) << "fewer wavelets than in the first case cross";
}

TEST(LinkRest, ACrowdIsTheSameInARunInPieces) {
  Machine m = resting(4);
  m.crowd_wavelets = 2;
  expect_same_in_pieces(m, 60);
}

TEST(LinkRest, NothingWaitsForALinkForEver) {
  // A wavelet without a receiver is stuck, whether links rest or not, and the run ends.
  Mesh mesh(3, 1, resting(1));
  mesh.route({0, 0, 1, 1}, 7, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, 7, {Port::west, Port::east});
  mesh.pe(0).send(0, 7, {1, 2, 3});
  try {
    mesh.run();
    FAIL() << "it ended";
  } catch (const DeadlockError& error) {
    EXPECT_EQ(error.report().causes.front().kind, DeadlockKind::no_route);
  }
}

}  // namespace
}  // namespace weft::test::link_rest_test
