// Counter filters: what the core gets of what passes its router.
#include <gtest/gtest.h>

#include "support/mesh.hpp"

namespace weft::test::filters_test {
namespace {

using Words = std::vector<std::uint32_t>;

/// The words of 0, 1, 2, ... that each PE of a line with these filters receives.
Words accepted(const CounterFilter& filter, int sent, int wanted) {
  Mesh mesh(3);
  mesh.line(4).filter({1, 0, 1, 1}, 4, filter);
  Words words;
  for (int i = 0; i < sent; ++i) words.push_back(static_cast<std::uint32_t>(i));
  mesh.pe(0).send(0, 4, words);
  mesh.pe(1).receive(0, wanted);
  mesh.pe(2).receive(0, sent);
  mesh.run();
  EXPECT_EQ(mesh.received(2, 0, 0), words) << "a filter must not touch what goes on";
  EXPECT_EQ(mesh.fabric().counters().filtered, static_cast<std::uint64_t>(sent - wanted));
  return mesh.received(1, 0, 0);
}

TEST(CounterFilter, EveryBrickOfAStreamFindsItsPe) {
  // Window of B wavelets, period of T; brick k starts at (T - k B) mod T.
  constexpr int kT = 12, kB = 3;
  for (int k = 0; k < 4; ++k) {
    const std::uint32_t start = static_cast<std::uint32_t>((kT - k * kB) % kT);
    Words expected;
    for (std::uint32_t n = 0; n < 2 * kT; ++n)
      if ((start + n) % kT <= kB - 1) expected.push_back(n);
    EXPECT_EQ(accepted({start, kT - 1, kB - 1}, 2 * kT, 2 * kB), expected) << "brick " << k;
  }
}

TEST(CounterFilter, BothEndsAreInclusive) {
  EXPECT_EQ(accepted({0, 4, 0}, 10, 2), (Words{0, 5}));
  EXPECT_EQ(accepted({0, 4, 3}, 10, 8), (Words{0, 1, 2, 3, 5, 6, 7, 8}));
  EXPECT_EQ(accepted({0, 4, 4}, 10, 10).size(), 10U);
  EXPECT_EQ(accepted({4, 4, 0}, 6, 1), (Words{1}));
}

TEST(CounterFilter, AStillCounterAcceptsAll) { EXPECT_EQ(accepted({0, 0, 0}, 7, 7).size(), 7U); }

TEST(CounterFilter, WaveletsOfAClassThatIsNotCountedPass) {
  CounterFilter filter{3, 4, 0};
  filter.count_data = false;
  EXPECT_EQ(accepted(filter, 7, 7).size(), 7U);
}

TEST(CounterFilter, CountsControlWaveletsOnlyIfAsked) {
  for (const bool count_control : {false, true}) {
    Mesh mesh(2);
    CounterFilter filter{0, 9, 1};
    filter.count_control = count_control;
    mesh.line(4).filter({1, 0, 1, 1}, 4, filter);
    ControlWavelet control;
    control.slots[0].no_core = false;
    control.entry = 3;
    mesh.pe(0)
        .send_control(0, 4, {control.payload(), control.payload(), control.payload()})
        .send(0, 4, {1, 2, 3});
    mesh.pe(1).catch_data(4).catch_control(3);
    mesh.run();
    // Counted: the third is past the window, and so is all data. Else: two words of data.
    EXPECT_EQ(mesh.caught(1).size(), count_control ? 2U : 3U + 2U);
    EXPECT_EQ(mesh.fabric().counters().filtered, count_control ? 4U : 1U) << "all that it refused";
  }
}

TEST(CounterFilter, DoesNotCountWhatTheSwitchKeepsFromTheCore) {
  Mesh mesh(3);
  Route route{Port::west, {Port::east, Port::ramp}};
  route.positions = {SwitchPosition::send(Port::east), SwitchPosition::send(Port::ramp)};
  route.input_queue = 0;
  Route end{Port::west, Port::ramp};
  end.input_queue = 0;
  mesh.route({0, 0, 1, 1}, 4, {Port::ramp, Port::east}).route({1, 0, 1, 1}, 4, route);
  mesh.route({2, 0, 1, 1}, 4, end).filter({1, 0, 1, 1}, 4, {0, 9, 3});
  ControlWavelet advance;
  advance.slots[0].command = ControlWavelet::Command::advance;
  // Two pass with a tap, three without, then the tap is back: the counter stands at 2, not 5.
  mesh.pe(0).send(0, 4, {1, 2}).send_control(0, 4, {advance.payload()}).send(0, 4, {3, 4, 5});
  mesh.pe(0).send_control(0, 4, {advance.payload()}).send(0, 4, {6, 7, 8});
  mesh.pe(1).receive(0, 4);
  mesh.pe(2).receive(0, 5);
  mesh.run();
  EXPECT_EQ(mesh.received(1, 0, 0), (Words{1, 2, 6, 7}));
  EXPECT_EQ(mesh.received(2, 0, 0), (Words{1, 2, 3, 4, 5}));
}

TEST(CounterFilter, ARefusedWaveletNeedsNoRoomAtTheCore) {
  // The core takes nothing; its queue of two is full of the first two words, and refused ones pass.
  Mesh mesh(3);
  mesh.line(4, 4).filter({1, 0, 1, 1}, 4, {0, 99, 1});
  mesh.pe(0).send(0, 4, counting(20));
  mesh.pe(2).receive(4, 20);
  mesh.trace(300);
  EXPECT_EQ(mesh.received(2, 0, 4), counting(20));
}

TEST(CounterFilter, ProgramsSetItAtRunTime) {
  Mesh mesh(2);
  mesh.line(4).filter({1, 0, 1, 1}, 4, {0, 9, 0});
  mesh.pe(0).wait(60).send(0, 4, counting(10));
  mesh.pe(1).receive(0, 4).run([](ProgramBuilder& b) {
    b.li(Reg{1}, 4);
    b.flimit(4, Reg{1});  // period 5
    b.li(Reg{1}, 1);
    b.fmax(4, Reg{1});  // window 2
    b.li(Reg{1}, 3);
    b.fcount(4, Reg{1});  // the third word is the first of the window
  });
  mesh.run();
  EXPECT_EQ(mesh.received(1, 0, 0), (Words{3, 4, 8, 9}));
}

}  // namespace
}  // namespace weft::test::filters_test
