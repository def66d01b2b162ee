// A hop of two cycles, as in the vendor's simulator, and the profiles that say how long it is.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/mesh.hpp"
#include "support/temporary_folder.hpp"

namespace weft::test::hop_test {
namespace {

/// The test machine with a hop and router queues of its own.
Machine machine(int hop_cycles, int depth) {
  Machine m = test_machine();
  m.hop_cycles = hop_cycles;
  m.router_queue_depth = depth;
  return m;
}

/// Cycles from a first element until a core `hops` links away can take it, by docs/model.md.
std::uint64_t latency(const Machine& m, int hops) {
  return static_cast<std::uint64_t>(2 * m.ramp_cycles + 1 + hops * m.hop_cycles);
}

std::uint64_t start_of(const Mesh& mesh, int x = 0, int y = 0) {
  return mesh.issued(x, y, 0) + first_element(mesh.machine());
}

/// The cycles in which the last PE of a line receives a stream.
std::vector<std::uint64_t> stream(const Machine& m, int width, int count) {
  Mesh mesh = stream_along_row(m, width, count);
  mesh.trace(600);
  EXPECT_EQ(mesh.received(width - 1, 0, 0), counting(count));
  return mesh.arrivals(width - 1, 0, 0);
}

TEST(Hop, EachLinkTakesTheCyclesOfTheProfile) {
  for (const std::string_view profile : machine_profiles()) {
    const Machine m = machine_profile(profile);
    Mesh mesh(6, 1, m);
    mesh.line(7);
    mesh.pe(0).send(0, 7, {42});
    for (int x = 1; x < 6; ++x) mesh.pe(x).catch_data(7);
    mesh.run();
    for (int x = 1; x < 6; ++x)
      EXPECT_EQ(mesh.caught(x), (std::vector<Caught>{{42, start_of(mesh) + latency(m, x)}}))
          << profile << ", PE " << x;
  }
}

TEST(Hop, NeighboursHearTwoCyclesApartAsInTheVendorsSimulator) {
  // Published: receivers at one, two and three links print at cycles 1156, 1158 and 1160.
  Mesh mesh(4, 1, machine_profile("wse2-simfab"));
  mesh.line(7);
  mesh.pe(0).send(0, 7, {1});
  for (int x = 1; x < 4; ++x) mesh.pe(x).catch_data(7);
  mesh.run();
  const std::uint64_t first = mesh.caught(1).front().cycle;
  EXPECT_EQ(mesh.caught(2).front().cycle - first, 1158U - 1156U);
  EXPECT_EQ(mesh.caught(3).front().cycle - first, 1160U - 1156U);
}

TEST(Hop, TheFourDirectionsAreAlike) {
  struct Case {
    Port out;
    int x, y;
  };
  const Machine m = machine(2, 3);
  for (const Case& c :
       {Case{Port::east, 2, 1}, {Port::west, 0, 1}, {Port::south, 1, 2}, {Port::north, 1, 0}}) {
    Mesh mesh(3, 3, m);
    Route sink{opposite(c.out), Port::ramp};
    sink.input_queue = 1;
    mesh.route({1, 1, 1, 1}, 9, {Port::ramp, c.out}).route({c.x, c.y, 1, 1}, 9, sink);
    mesh.pe(1, 1).send(0, 9, {77});
    mesh.pe(c.x, c.y).catch_data(9);
    mesh.run();
    EXPECT_EQ(mesh.caught(c.x, c.y),
              (std::vector<Caught>{{77, start_of(mesh, 1, 1) + latency(m, 1)}}))
        << "port " << static_cast<int>(c.out);
  }
}

TEST(Hop, TheRampIsNoHop) {
  const Machine m = machine(2, 3);
  Mesh mesh(1, 1, m);
  Route loop{Port::ramp, Port::ramp};
  loop.input_queue = 0;
  mesh.route({0, 0, 1, 1}, 3, loop);
  mesh.pe(0).send(4, 3, {9}, Pe::Mode::async).catch_data(3);
  mesh.run();
  EXPECT_EQ(mesh.caught(0), (std::vector<Caught>{{9, start_of(mesh) + latency(m, 0)}}));
}

TEST(Hop, TheProfileKeepsLinksBusyEveryCycle) {
  const std::vector<std::uint64_t> arrivals = stream(machine_profile("wse2-simfab"), 6, 60);
  ASSERT_EQ(arrivals.size(), 60U);
  EXPECT_EQ(arrivals.back() - arrivals.front(), 59U);
}

TEST(Hop, AQueueHoldsAWaveletOneCycleLongerThanTheHop) {
  // So `depth` wavelets pass in hop + 1 cycles, but not more than one a cycle.
  for (const int hop : {1, 2})
    for (const int depth : {1, 2, 3, 4}) {
      const std::vector<std::uint64_t> arrivals = stream(machine(hop, depth), 6, 61);
      ASSERT_EQ(arrivals.size(), 61U);
      const int passing = std::min(depth, hop + 1);
      EXPECT_EQ(arrivals.back() - arrivals.front(),
                static_cast<std::uint64_t>(60 * (hop + 1) / passing))
          << "hop " << hop << ", depth " << depth;
    }
}

TEST(Hop, AWaveletThatWaitedLeavesAtOnce) {
  // The second half of the hop is over when the held color is let go.
  Mesh mesh(3, 1, machine(2, 3));
  Route pass{Port::west, Port::east}, sink{Port::west, Port::ramp};
  pass.teardown = true;
  sink.input_queue = 0;
  mesh.route({0, 0, 1, 1}, 7, {Port::ramp, Port::east}).route({1, 0, 1, 1}, 7, pass);
  mesh.route({2, 0, 1, 1}, 7, sink);
  mesh.pe(0).send(0, 7, counting(9));
  mesh.pe(1).wait(60).run([](ProgramBuilder& b) {
    b.tsc(Reg{1});
    b.texit(7, Reg{15});
    b.sw(Reg{1}, Reg{15}, 2048);
  });
  mesh.pe(2).receive(0, 9);
  mesh.trace(500);
  const std::uint64_t exit = mesh.word(1, 0, 2048) + 3U;
  EXPECT_EQ(mesh.received(2, 0, 0), counting(9));
  EXPECT_EQ(mesh.arrivals(2, 0, 0).front(), exit + 1 + 2 + 2) << "PE 1, one hop, the ramp";
}

TEST(Profile, TheBuiltInOnesAreNamed) {
  ASSERT_EQ(machine_profiles().size(), 3U);
  EXPECT_EQ(machine_profile("wse2"), Machine{});
  const Machine simfab = machine_profile("wse2-simfab");
  Machine expected;
  expected.name = "wse2-simfab";
  expected.hop_cycles = 2;
  expected.router_queue_depth = 3;
  EXPECT_EQ(simfab, expected);
  Machine pencils;
  pencils.name = "wse2-pencils";
  pencils.move32_rate = 2;
  pencils.branch_taken_cycles = 3;
  EXPECT_EQ(machine_profile("wse2-pencils"), pencils);
  for (const std::string_view profile : machine_profiles()) {
    EXPECT_EQ(machine_profile(profile).name, profile);
    EXPECT_NO_THROW(check_machine(machine_profile(profile)));
  }
  expect_error(
      ErrorCategory::usage, [] { machine_profile("wse4"); }, "wse4", "wse2", "wse2-simfab");
}

TEST(Profile, IsFoundByNameOrPath) {
  for (const std::string_view profile : machine_profiles())
    EXPECT_EQ(find_machine(std::string(profile)), machine_profile(profile));
  const TemporaryFolder folder;
  const std::string path = folder.write("slow.json", R"({"name": "slow", "hop_cycles": 2})");
  const Machine slow = find_machine(path);
  EXPECT_EQ(slow.name, "slow");
  EXPECT_EQ(slow.hop_cycles, 2);
  EXPECT_EQ(slow.router_queue_depth, Machine{}.router_queue_depth);
  EXPECT_THROW(find_machine(folder.file("none.json")), Error);
  // A name without folder and suffix is a slip; a path is not.
  expect_error(
      ErrorCategory::usage, [] { find_machine("wse3"); }, "wse3", "name wse2");
  const std::string bare = folder.write("bare", R"({"hop_cycles": 2})");
  EXPECT_EQ(find_machine(bare).hop_cycles, 2);
}

}  // namespace
}  // namespace weft::test::hop_test
