// Switch positions and the control wavelets that move them.
#include <gtest/gtest.h>

#include "isa/control.hpp"
#include "support/mesh.hpp"

namespace weft::test::switches_test {
namespace {

using Words = std::vector<std::uint32_t>;
using Command = ControlWavelet::Command;

constexpr int kColor = 8;

std::uint32_t commands(std::initializer_list<Command> list) {
  ControlWavelet wavelet;
  std::size_t slot = 0;
  for (const Command command : list) wavelet.slots[slot++].command = command;
  return wavelet.payload();
}

std::uint32_t advance() { return commands({Command::advance}); }

Route forwarder(std::vector<SwitchPosition> positions, PopMode pop = PopMode::no_pop) {
  Route route{Port::west, {Port::east, Port::ramp}};
  route.positions = std::move(positions);
  route.pop = pop;
  route.input_queue = 0;
  return route;
}

/// First {in WEST, out EAST and RAMP}, then {out EAST}: a PE at position 1 no longer hears.
Route deafening(PopMode pop = PopMode::no_pop) {
  return forwarder({SwitchPosition::send(Port::east)}, pop);
}

/// A line: PE 0 is the source, the last PE a sink, those between have `between`.
Mesh switched_line(int width, const Route& between, PopMode pop = PopMode::no_pop) {
  Mesh mesh(width);
  Route source{Port::ramp, Port::east};
  source.pop = pop;
  Route sink{Port::west, Port::ramp};
  sink.input_queue = 0;
  mesh.route({0, 0, 1, 1}, kColor, source).route({1, 0, width - 2, 1}, kColor, between);
  mesh.route({width - 1, 0, 1, 1}, kColor, sink);
  for (int x = 1; x < width; ++x) mesh.pe(x).receive(0, 8);
  return mesh;
}

/// For each PE but the source: whether it heard anything.
std::vector<bool> hearers(const Mesh& mesh, int width) {
  std::vector<bool> heard;
  for (int x = 1; x < width; ++x) heard.push_back(!mesh.received(x, 0, 0).empty());
  return heard;
}

class FoldRule : public testing::TestWithParam<int> {};

TEST_P(FoldRule, APositionKeepsTheSideItDoesNotName) {
  Route route = forwarder({SwitchPosition::receive(Port::ramp), SwitchPosition::send(Port::ramp),
                           SwitchPosition::receive(Port::west)});
  route.initial = GetParam();
  Mesh mesh = switched_line(3, route);
  mesh.pe(0).send(0, kColor, {100});
  mesh.pe(1).send(1, kColor, {200});
  mesh.trace(300);
  const bool from_west[] = {true, false, false, true};
  const bool to_east[] = {true, true, false, false};
  const Words heard{from_west[GetParam()] ? 100U : 200U};
  EXPECT_EQ(mesh.received(1, 0, 0), heard) << "every position taps; the other input waits";
  EXPECT_EQ(mesh.received(2, 0, 0), to_east[GetParam()] ? heard : Words{});
}

INSTANTIATE_TEST_SUITE_P(Positions, FoldRule, testing::Range(0, 4),
                         testing::PrintToStringParamName());

TEST(ControlWavelet, PayloadHasTheMachinesLayout) {
  EXPECT_EQ(advance(), 0x095f9249U);
  EXPECT_EQ(commands({Command::teardown}), 0x09df9249U);
  EXPECT_EQ(ControlWavelet{}.payload() & 0xffffU, 0x9249U);
  ControlWavelet task;
  task.slots[0].no_core = false;
  task.entry = 5;
  EXPECT_EQ(task.payload() >> 16U & 63U, 5U);
  EXPECT_EQ(task.payload() >> 22U & 7U, 0U);
}

TEST(ControlWavelet, PoppingMovesTheCommandsUp) {
  EXPECT_EQ(isa::popped(0x09df9249U), 0x091f9249U);
  ControlWavelet eight, seven;
  for (std::size_t i = 0; i < 8; ++i) {
    const ControlWavelet::Slot slot{static_cast<Command>(i % 3), i % 2 == 0};
    eight.slots[i] = slot;
    if (i > 0) seven.slots[i - 1] = slot;
  }
  seven.slots[7] = {};
  EXPECT_EQ(isa::popped(eight.payload()), seven.payload());
}

TEST(Switch, AControlWaveletIsRoutedByTheOldPosition) {
  // At position 0 the core taps, so it hears the control wavelet that ends its tapping.
  ControlWavelet wavelet;
  wavelet.slots[0] = {Command::advance, false};
  wavelet.entry = 4;
  Mesh catcher(3);
  Route sink{Port::west, Port::ramp};
  sink.input_queue = 0;
  catcher.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east})
      .route({1, 0, 1, 1}, kColor, deafening());
  catcher.route({2, 0, 1, 1}, kColor, sink);
  catcher.pe(0).send_control(0, kColor, {wavelet.payload(), wavelet.payload()});
  for (const int x : {1, 2}) catcher.pe(x).catch_control(4).unblock(kColor);
  catcher.run();
  EXPECT_EQ(catcher.caught(1).size(), 1U) << "the second meets position 1";
  EXPECT_EQ(catcher.caught(2).size(), 2U);
}

TEST(Switch, TheNextWaveletMeetsTheNewPosition) {
  Mesh mesh = switched_line(3, deafening());
  mesh.pe(0).send(0, kColor, {1}).send_control(0, kColor, {advance()}).send(0, kColor, {2});
  mesh.trace(300);
  EXPECT_EQ(mesh.received(1, 0, 0), (Words{1}));
  EXPECT_EQ(mesh.received(2, 0, 0), (Words{1, 2}));
}

TEST(Switch, TheFftSentinelMovesOnlyTheNextPe) {
  // Twice [NOP, ADV, NOP ...] under always_pop: the sender stays, the next PE goes to position 2
  // and becomes the source, and those beyond still listen.
  const Route turn = forwarder(
      {SwitchPosition::send(Port::east), SwitchPosition::receive(Port::ramp)}, PopMode::always_pop);
  Mesh mesh(4);
  Route source{Port::ramp, {Port::east}};
  source.positions = {SwitchPosition::receive(Port::east)};
  source.pop = PopMode::always_pop;
  Route sink{Port::west, Port::ramp};
  sink.input_queue = 0;
  mesh.route({0, 0, 1, 1}, kColor, source)
      .route({1, 0, 2, 1}, kColor, turn)
      .route({3, 0, 1, 1}, kColor, sink);
  mesh.pe(0).send(0, kColor, {1}).send_control(0, kColor, {0x8b009249U, 0x8b009249U});
  mesh.pe(1).receive(0, 8).send(1, kColor, {2});
  mesh.pe(2).receive(0, 8).send(1, kColor, {3});
  mesh.pe(3).receive(0, 8);
  mesh.trace(400);
  EXPECT_EQ(mesh.received(1, 0, 0), (Words{1}));
  EXPECT_EQ(mesh.received(2, 0, 0), (Words{1, 2})) << "PE 1 sends now, PE 2 does not yet";
  EXPECT_EQ(mesh.received(3, 0, 0), (Words{1, 2}));
}

TEST(Switch, OneFftSentinelMakesTheNextPeDeaf) {
  const Route turn = forwarder(
      {SwitchPosition::send(Port::east), SwitchPosition::receive(Port::ramp)}, PopMode::always_pop);
  Mesh mesh = switched_line(4, turn, PopMode::always_pop);
  mesh.pe(0).send_control(0, kColor, {0x8b009249U}).send(0, kColor, {7});
  mesh.trace(300);
  EXPECT_EQ(hearers(mesh, 4), (std::vector<bool>{false, true, true}));
}

TEST(Switch, WithoutPopOneAdvanceMovesEveryRouterOnItsPath) {
  Mesh mesh = switched_line(6, deafening());
  mesh.pe(0).send_control(0, kColor, {advance()}).send(0, kColor, {7});
  mesh.trace(300);
  EXPECT_EQ(hearers(mesh, 6), (std::vector<bool>{false, false, false, false, true}));
}

TEST(Switch, WithPopOnAdvanceEachAdvanceMovesOneRouter) {
  Mesh mesh = switched_line(6, deafening(PopMode::pop_on_advance), PopMode::pop_on_advance);
  mesh.pe(0).send_control(0, kColor, {commands({Command::advance, Command::advance})});
  mesh.pe(0).send(0, kColor, {7});
  mesh.trace(300);
  EXPECT_EQ(hearers(mesh, 6), (std::vector<bool>{false, false, true, true, true}));
}

TEST(Switch, WithPopOnAdvanceRoutersThatCannotAdvanceAreSkipped) {
  // PE 1 stands on its last position: [ADV, ADV] moves PEs 2 and 3.
  Mesh mesh(6);
  Route source{Port::ramp, Port::east};
  source.pop = PopMode::pop_on_advance;
  Route last = forwarder({SwitchPosition::receive(Port::west)}, PopMode::pop_on_advance);
  last.initial = 1;
  Route sink{Port::west, Port::ramp};
  sink.input_queue = 0;
  mesh.route({0, 0, 1, 1}, kColor, source).route({1, 0, 1, 1}, kColor, last);
  mesh.route({2, 0, 3, 1}, kColor, deafening(PopMode::pop_on_advance))
      .route({5, 0, 1, 1}, kColor, sink);
  for (int x = 1; x < 6; ++x) mesh.pe(x).receive(0, 8);
  mesh.pe(0).send_control(0, kColor, {commands({Command::advance, Command::advance})});
  mesh.pe(0).send(0, kColor, {7});
  mesh.trace(300);
  EXPECT_EQ(hearers(mesh, 6), (std::vector<bool>{true, false, false, true, true}));
}

/// The low 16 bits of a control wavelet after it crossed one router with these settings.
std::uint32_t low_bits_beyond(Route router, std::uint32_t payload) {
  Mesh mesh(3);
  Route sink{Port::west, Port::ramp};
  sink.input_queue = 0;
  mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east}).route({1, 0, 1, 1}, kColor, router);
  mesh.route({2, 0, 1, 1}, kColor, sink);
  mesh.pe(0).send_control(0, kColor, {payload});
  for (const int x : {1, 2}) mesh.pe(x).catch_control(9).unblock(kColor);
  mesh.run();
  return mesh.caught(2).size() == 1 ? mesh.caught(2).front().payload : 0xffffffff;
}

std::uint32_t with_data(Command command, std::uint32_t data) {
  ControlWavelet wavelet;
  wavelet.slots[0] = {command, false};
  wavelet.slots[1].no_core = false;
  wavelet.entry = 9;
  return (wavelet.payload() & 0xffff0000U) | data;
}

TEST(Switch, OnTheLastPositionNothingMovesAndNothingPops) {
  Route last = deafening(PopMode::pop_on_advance);
  last.initial = 1;
  EXPECT_EQ(low_bits_beyond(last, with_data(Command::advance, 0x1234)), 0x1234U);
}

TEST(Switch, PopModesPopAsTheySay) {
  struct Case {
    PopMode mode;
    Command command;
    bool pops;
  };
  for (const Case& c : {Case{PopMode::no_pop, Command::advance, false},
                        {PopMode::always_pop, Command::nop, true},
                        {PopMode::always_pop, Command::reset, true},
                        {PopMode::pop_on_advance, Command::nop, false},
                        {PopMode::pop_on_advance, Command::advance, true},
                        {PopMode::pop_on_advance_nop, Command::nop, true},
                        {PopMode::pop_on_advance_nop, Command::advance, true},
                        {PopMode::pop_on_advance_nop, Command::reset, false}}) {
    const std::uint32_t payload = with_data(c.command, 0x1234);
    const std::uint32_t expected = (c.pops ? isa::popped(payload) : payload) & 0xffffU;
    EXPECT_EQ(low_bits_beyond(deafening(c.mode), payload), expected)
        << static_cast<int>(c.mode) << ", " << static_cast<int>(c.command);
  }
}

TEST(Switch, ARingGoesFromTheLastPositionToTheFirst) {
  Route ring = deafening();
  ring.ring = true;
  Mesh mesh = switched_line(3, ring);
  mesh.pe(0).send(0, kColor, {1}).send_control(0, kColor, {advance()}).send(0, kColor, {2});
  mesh.pe(0).send_control(0, kColor, {advance()}).send(0, kColor, {3});
  mesh.trace(400);
  EXPECT_EQ(mesh.received(1, 0, 0), (Words{1, 3}));
}

TEST(Switch, WithoutRingItStaysOnTheLastPosition) {
  Mesh mesh = switched_line(3, deafening());
  mesh.pe(0)
      .send(0, kColor, {1})
      .send_control(0, kColor, {advance(), advance()})
      .send(0, kColor, {2});
  mesh.trace(400);
  EXPECT_EQ(mesh.received(1, 0, 0), (Words{1}));
}

TEST(Switch, AResetGoesBackToTheInitialPosition) {
  for (const int initial : {0, 1}) {
    Route route = deafening();
    route.initial = initial;
    Mesh mesh = switched_line(3, route);
    mesh.pe(0)
        .send_control(0, kColor, {advance(), commands({Command::reset})})
        .send(0, kColor, {3});
    mesh.trace(400);
    EXPECT_EQ(mesh.received(1, 0, 0), initial == 0 ? Words{3} : Words{}) << "initially " << initial;
  }
}

TEST(Switch, ProgramsSetAPosition) {
  Mesh mesh = switched_line(3, deafening());
  mesh.pe(0).wait(80).send(0, kColor, {5});
  mesh.pe(1).run([](ProgramBuilder& b) {
    b.li(Reg{1}, 1);
    b.setpos(kColor, Reg{1});
  });
  mesh.trace(500);
  EXPECT_EQ(hearers(mesh, 3), (std::vector<bool>{false, true}));
}

TEST(Switch, AClosedInputKeepsItsWaveletsInOrderUntilItOpens) {
  // PE 1 first hears its own core only; PE 0's words wait, then come in order.
  Route route{Port::ramp, Port::east};
  route.positions = {SwitchPosition::receive(Port::west)};
  Mesh mesh(3);
  Route sink{Port::west, Port::ramp};
  sink.input_queue = 0;
  mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east}).route({1, 0, 1, 1}, kColor, route);
  mesh.route({2, 0, 1, 1}, kColor, sink);
  mesh.pe(0).send(0, kColor, counting(12));
  mesh.pe(1).wait(50).send(0, kColor, {101, 102}).send_control(0, kColor, {advance()});
  mesh.pe(2).receive(0, 14);
  mesh.start();
  mesh.trace(400);
  Words expected{101, 102};
  for (const std::uint32_t word : counting(12)) expected.push_back(word);
  EXPECT_EQ(mesh.received(2, 0, 0), expected);
  EXPECT_GT(mesh.arrivals(2, 0, 0).front(), mesh.issued(0, 0, 0) + 50) << "PE 0 sent long before";
}

TEST(Switch, AnOpenedInputLeavesTheNextCycle) {
  Route route{Port::ramp, Port::east};
  route.positions = {SwitchPosition::receive(Port::west)};
  Mesh mesh(3);
  Route sink{Port::west, Port::ramp};
  sink.input_queue = 0;
  mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east}).route({1, 0, 1, 1}, kColor, route);
  mesh.route({2, 0, 1, 1}, kColor, sink);
  mesh.pe(0).send(0, kColor, {1});
  mesh.pe(1).wait(50).run([](ProgramBuilder& b) {
    b.li(Reg{1}, 1);
    b.tsc(Reg{2});
    b.setpos(kColor, Reg{1});
    b.sw(Reg{2}, Reg{15}, 0);
  });
  mesh.pe(2).receive(0, 1);
  mesh.trace(400);
  const std::uint64_t set = mesh.word(1, 0, 0) + 3U;
  // Routed at PE 1 the cycle after, at PE 2 one later, then the ramp.
  EXPECT_EQ(mesh.arrivals(2, 0, 0), (std::vector<std::uint64_t>{set + 1 + 1 + 2}));
}

}  // namespace
}  // namespace weft::test::switches_test
