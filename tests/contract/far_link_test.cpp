// Links between dies that take longer than others: when wavelets come, and how many are under way.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/mesh.hpp"

namespace weft::test::far_link_test {
namespace {

/// Dies of so many columns, with links between them that take so many cycles more than others.
Machine far_machine(int die_width, int cycles) {
  Machine m = test_machine();
  m.die_width = die_width;
  m.die_link_cycles = cycles;
  return m;
}

/// When each PE of a row takes the words of a stream that the first one sends.
std::vector<std::vector<std::uint64_t>> stream(const Machine& m, int width, int count) {
  Mesh mesh = stream_along_row(m, width, count);
  mesh.trace(120 + 4 * static_cast<std::uint64_t>(count + width * m.die_link_cycles));
  std::vector<std::vector<std::uint64_t>> arrivals(1);
  for (int x = 1; x < width; ++x) {
    EXPECT_EQ(mesh.received(x, 0, 0), counting(count)) << x;
    arrivals.push_back(mesh.arrivals(x, 0, 0));
  }
  return arrivals;
}

TEST(FarLink, EachWaveletIsLateByTheCyclesOfTheFarLinksOnItsWay) {
  for (const int hop : {1, 2})
    for (const int cycles : {1, 2, 7, 30}) {
      Machine m = far_machine(3, cycles), usual = test_machine();
      m.hop_cycles = usual.hop_cycles = hop;
      m.router_queue_depth = usual.router_queue_depth = 3;  // keeps a link busy with both hops
      const auto late = stream(m, 8, 40), in_time = stream(usual, 8, 40);
      for (std::size_t x = 1; x < 8; ++x)
        for (std::size_t i = 0; i < 40; ++i)
          EXPECT_EQ(late[x].at(i), in_time[x].at(i) + x / 3 * static_cast<std::size_t>(cycles))
              << "PE " << x << ", wavelet " << i << ", " << cycles << " cycles, hop " << hop;
    }
}

TEST(FarLink, AllLinksAreFarWhereDiesHaveNoSize) {
  const auto late = stream(far_machine(0, 5), 4, 10), usual = stream(test_machine(), 4, 10);
  for (std::size_t x = 1; x < 4; ++x)
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(late[x].at(i), usual[x].at(i) + 5 * x);
}

TEST(FarLink, OneDieHasNone) {
  EXPECT_EQ(stream(far_machine(4, 9), 4, 10), stream(test_machine(), 4, 10));
}

TEST(FarLink, TheFourDirectionsAreAlike) {
  struct Case {
    Port out;
    int x, y;
  };
  // PE (1, 1) is the corner of a die of two by two, so east and south lead out of it.
  for (const Case& c :
       {Case{Port::east, 2, 1}, {Port::west, 0, 1}, {Port::south, 1, 2}, {Port::north, 1, 0}}) {
    const auto taken = [&](int side) {
      Machine m = far_machine(side, 11);
      m.die_height = side;
      Mesh mesh(3, 3, m);
      Route sink{opposite(c.out), Port::ramp};
      sink.input_queue = 0;
      mesh.route({1, 1, 1, 1}, 9, {Port::ramp, c.out}).route({c.x, c.y, 1, 1}, 9, sink);
      mesh.pe(1, 1).send(0, 9, {77});
      mesh.pe(c.x, c.y).catch_data(9);
      mesh.run();
      return mesh.caught(c.x, c.y).at(0).cycle;
    };
    const bool out = c.out == Port::east || c.out == Port::south;
    const int port = static_cast<int>(c.out);
    EXPECT_EQ(taken(2), taken(3) + (out ? 11 : 0)) << "dies of two: port " << port;
    EXPECT_EQ(taken(1), taken(3) + 11) << "each PE a die: port " << port;
  }
}

TEST(FarLink, TheQueueBeyondHoldsAsManyMoreWavelets) {
  for (const int depth : {1, 2, 4})
    for (const int cycles : {0, 1, 6}) {
      Machine m = far_machine(1, cycles);
      m.router_queue_depth = depth;
      Mesh mesh(3, 1, m);
      mesh.route({0, 0, 1, 1}, 7, {Port::ramp, Port::east});
      mesh.route({1, 0, 1, 1}, 7, {Port::west, Port::east});  // and no route beyond it
      mesh.pe(0).send(0, 7, counting(40));
      EXPECT_THROW(mesh.run(), DeadlockError);
      EXPECT_EQ(mesh.fabric().counters().hops, static_cast<std::uint64_t>(depth + cycles))
          << "depth " << depth << ", " << cycles << " cycles";
    }
}

TEST(FarLink, AReportNamesWhatAFullQueueBeyondWaitsFor) {
  Mesh mesh(3, 1, far_machine(1, 6));
  mesh.route({0, 0, 1, 1}, 7, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, 7, {Port::west, Port::east});
  mesh.pe(0).send(0, 7, counting(40));
  try {
    mesh.run();
    FAIL() << "it ended";
  } catch (const DeadlockError& error) {
    ASSERT_EQ(error.report().causes.size(), 1U);
    EXPECT_EQ(error.report().causes.front().kind, DeadlockKind::no_route);
  }
}

TEST(FarLink, AWaveletThatIsLongUnderWayIsNoDeadlock) {
  const auto late = stream(far_machine(1, 4096), 2, 3), usual = stream(test_machine(), 2, 3);
  EXPECT_EQ(late[1].at(2), usual[1].at(2) + 4096);
}

TEST(FarLink, AStreamIsNoSlowerThanItsRate) {
  Machine m = far_machine(2, 25);
  m.link_busy_cycles = 1;
  m.link_rest_cycles = 3;
  const auto arrivals = stream(m, 4, 50);
  EXPECT_NEAR(static_cast<double>(arrivals[3].back() - arrivals[3].front()), 49 * 4, 1);
}

TEST(FarLink, ARunInPiecesIsTheSame) { expect_same_in_pieces(far_machine(2, 9), 30); }

TEST(FarLink, TheEngineCudaRefusesIt) {
  Mesh mesh(2, 1, far_machine(1, 6));
  FabricOptions options;
  options.engine = Engine::cuda;
  expect_error(
      ErrorCategory::usage, [&] { Fabric(mesh.layout(), mesh.machine(), options); }, "engine cuda",
      "die_link_cycles is 6", "engine host");
}

}  // namespace
}  // namespace weft::test::far_link_test
