// Routes and switches that programs rewrite, mostly while their color is torn down.
#include <gtest/gtest.h>

#include "support/mesh.hpp"

namespace weft::test::rewrite_test {
namespace {

using Words = std::vector<std::uint32_t>;
using Command = ControlWavelet::Command;

constexpr int kColor = 8;
constexpr Reg r1{1}, kZero{15};
constexpr unsigned kWest = 1, kEast = 2, kSouth = 4, kRamp = 16;  // bits of the route register
constexpr unsigned kIn = 5;                                       // where its input mask begins

// Codes of the switch register.
constexpr unsigned kToEast = 1, kFromWest = 0 | 8, kFromRamp = 4 | 8, kInvalid = 5, kRing = 1 << 12;

constexpr unsigned positions(unsigned one, unsigned two, unsigned three, unsigned present = 0) {
  return one | two << 4 | three << 8 | present << 13;
}

std::uint32_t command(Command first) {
  ControlWavelet wavelet;
  wavelet.slots[0].command = first;
  return wavelet.payload();
}

Route to_core(Port from) {
  Route route{from, Port::ramp};
  route.input_queue = 0;
  return route;
}

Route held(Route route) {
  route.teardown = true;
  return route;
}

void set_route(ProgramBuilder& b, unsigned value) {
  b.li(r1, static_cast<std::int32_t>(value));
  b.setroute(kColor, r1);
}

void set_switch(ProgramBuilder& b, unsigned value) {
  b.li(r1, static_cast<std::int32_t>(value));
  b.setswitch(kColor, r1);
}

/// A line of three: PE 0 sends, PE 1 has `middle` and rewrites it, PE 2 is a sink.
Mesh line(const Route& middle, const std::function<void(ProgramBuilder&)>& rewrite) {
  Mesh mesh(3);
  mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, kColor, middle);
  mesh.route({2, 0, 1, 1}, kColor, to_core(Port::west));
  mesh.pe(1).receive(0, 20).run([=](ProgramBuilder& b) {
    rewrite(b);
    b.texit(kColor, kZero);
  });
  mesh.pe(2).receive(0, 20);
  return mesh;
}

TEST(Rewrite, AHeldColorTakesANewRoute) {
  Mesh mesh = line(held(to_core(Port::west)),
                   [](ProgramBuilder& b) { set_route(b, kEast | kWest << kIn); });
  mesh.pe(0).send(0, kColor, counting(12));
  mesh.trace(500);
  EXPECT_EQ(mesh.received(1, 0, 0), Words{});
  EXPECT_EQ(mesh.received(2, 0, 0), counting(12));
}

TEST(Rewrite, ANewRouteMayMulticast) {
  Mesh mesh = line(held(to_core(Port::west)),
                   [](ProgramBuilder& b) { set_route(b, kEast | kRamp | kWest << kIn); });
  mesh.pe(0).send(0, kColor, counting(12));
  mesh.trace(500);
  EXPECT_EQ(mesh.received(1, 0, 0), counting(12));
  EXPECT_EQ(mesh.received(2, 0, 0), counting(12));
}

TEST(Rewrite, ANewRouteMayTurn) {
  Mesh mesh(2, 2);
  mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, kColor, held(to_core(Port::west)));
  mesh.route({1, 1, 1, 1}, kColor, to_core(Port::north));
  mesh.pe(0, 0).send(0, kColor, counting(5));
  mesh.pe(1, 0).run([](ProgramBuilder& b) {
    set_route(b, kSouth | kWest << kIn);
    b.texit(kColor, kZero);
  });
  mesh.pe(1, 1).receive(0, 5);
  mesh.run();
  EXPECT_EQ(mesh.received(1, 1, 0), counting(5));
}

TEST(Rewrite, ANewRouteMayOpenAnInputThatTheLayoutNeverOpens) {
  Route route{Port::ramp, Port::east};
  route.input_queue = 0;
  Mesh mesh(3);
  mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, kColor, route);
  mesh.route({2, 0, 1, 1}, kColor, to_core(Port::west));
  mesh.pe(0).send(0, kColor, counting(9));
  mesh.pe(1).wait(60).run([](ProgramBuilder& b) {
    b.li(r1, static_cast<std::int32_t>(kEast | kWest << kIn));
    b.tsc(Reg{2});
    b.setroute(kColor, r1);
    b.sw(Reg{2}, kZero, 2048);
  });
  mesh.pe(2).receive(0, 9);
  mesh.trace(500);
  const std::uint64_t set = mesh.word(1, 0, 2048) + 3U;
  EXPECT_EQ(mesh.received(2, 0, 0), counting(9));
  ASSERT_FALSE(mesh.arrivals(2, 0, 0).empty());
  // The room is seen the cycle after: PEs 0, 1 and 2 route, then the ramp.
  EXPECT_EQ(mesh.arrivals(2, 0, 0).front(), set + 3 + 2);
}

TEST(Rewrite, NewPositionsFoldOntoTheRoute) {
  // Position 1 names the output only; the ring leads back.
  Mesh mesh = line(held(to_core(Port::west)), [](ProgramBuilder& b) {
    set_switch(b, positions(kToEast, kInvalid, kInvalid) | kRing);
  });
  const std::uint32_t advance = command(Command::advance);
  mesh.pe(0).send(0, kColor, {1}).send_control(0, kColor, {advance}).send(0, kColor, {2});
  mesh.pe(0).send_control(0, kColor, {advance}).send(0, kColor, {3});
  mesh.trace(600);
  EXPECT_EQ(mesh.received(1, 0, 0), (Words{1, 3}));
  EXPECT_EQ(mesh.received(2, 0, 0), (Words{2}));
}

TEST(Rewrite, APositionMayNameTheInput) {
  // PE 1 passes on its own words at position 1, those from the west at position 0.
  Route route{Port::west, Port::east};
  route.input_queue = 0;
  Mesh mesh = line(held(route), [](ProgramBuilder& b) {
    set_switch(b, positions(kFromRamp, kFromWest, kInvalid, 1));
  });
  mesh.pe(0).send(0, kColor, {1, 2});
  mesh.pe(1).send(1, kColor, {101}).send_control(1, kColor, {command(Command::advance)});
  mesh.trace(600);
  EXPECT_EQ(mesh.received(2, 0, 0), (Words{101, 1, 2}));
}

TEST(Rewrite, TheSwitchStartsAtTheWrittenPosition) {
  for (const unsigned present : {0U, 1U}) {
    Mesh mesh = line(held(to_core(Port::west)), [=](ProgramBuilder& b) {
      set_switch(b, positions(kToEast, kInvalid, kInvalid, present));
    });
    mesh.pe(0).send(0, kColor, {7});
    mesh.trace(500);
    EXPECT_EQ(mesh.received(1, 0, 0), present == 0 ? Words{7} : Words{});
    EXPECT_EQ(mesh.received(2, 0, 0), present == 1 ? Words{7} : Words{});
  }
}

TEST(Rewrite, PositionsEndBeforeTheFirstInvalidOne) {
  // Position 3 has a valid code, but 2 has not: the ring is 0, 1.
  Mesh mesh = line(held(to_core(Port::west)), [](ProgramBuilder& b) {
    set_switch(b, positions(kToEast, kInvalid, kToEast, 1) | kRing);
  });
  mesh.pe(0).send(0, kColor, {1}).send_control(0, kColor, {command(Command::advance)});
  mesh.pe(0).send(0, kColor, {2});
  mesh.trace(500);
  EXPECT_EQ(mesh.received(2, 0, 0), (Words{1}));
  EXPECT_EQ(mesh.received(1, 0, 0), (Words{2}));
}

TEST(Rewrite, ANewRouteKeepsThePosition) {
  Route route = to_core(Port::west);
  route.positions = {SwitchPosition::send(Port::east)};
  Mesh mesh = line(held(route), [](ProgramBuilder& b) {
    b.li(r1, 1);
    b.setpos(kColor, r1);
    set_route(b, kEast | kRamp | kWest << kIn);
  });
  mesh.pe(0).send(0, kColor, {1}).send_control(0, kColor, {command(Command::reset)});
  mesh.pe(0).send(0, kColor, {2});
  mesh.trace(500);
  EXPECT_EQ(mesh.received(1, 0, 0), (Words{2})) << "position 1, then the new position 0";
  EXPECT_EQ(mesh.received(2, 0, 0), (Words{1, 2}));
}

TEST(Rewrite, ANewPosition0ReachesThePositionsThatKeepItsSide) {
  // Position 1 = {in from the ramp} keeps position 0's output, which the new route changes.
  Route route = to_core(Port::west);
  route.positions = {SwitchPosition::receive(Port::ramp)};
  route.initial = 1;
  Mesh mesh = line(held(route), [](ProgramBuilder& b) { set_route(b, kEast | kWest << kIn); });
  mesh.pe(0).send(0, kColor, {1});
  mesh.pe(1).send(1, kColor, {101});
  mesh.trace(500);
  EXPECT_EQ(mesh.received(1, 0, 0), Words{});
  EXPECT_EQ(mesh.received(2, 0, 0), (Words{101}));
}

TEST(Rewrite, APositionThatIsNotThereIsAFault) {
  for (const unsigned value :
       {positions(kToEast, kInvalid, kInvalid, 2), positions(kInvalid, kToEast, kToEast, 1),
        positions(kToEast, kToEast, kInvalid, 3)}) {
    Mesh mesh = line(to_core(Port::west), [=](ProgramBuilder& b) { set_switch(b, value); });
    try {
      mesh.run();
      ADD_FAILURE() << "nothing was caught";
    } catch (const FaultError& error) {
      EXPECT_EQ(error.fault().kind, FaultKind::bad_switch_position) << error.what();
      EXPECT_EQ(error.fault().color, kColor);
      EXPECT_EQ(error.fault().x, 1);
    }
  }
}

TEST(Rewrite, AColorWithoutARouteCannotBeRewritten) {
  for (const bool exits : {false, true}) {
    Mesh mesh = line(to_core(Port::west), [=](ProgramBuilder& b) {
      b.li(r1, static_cast<std::int32_t>(kEast | kWest << kIn));
      exits ? b.texit(3, r1) : b.setroute(3, r1);
    });
    EXPECT_THROW(mesh.run(), FaultError);
  }
}

}  // namespace
}  // namespace weft::test::rewrite_test
