// Everything that a Layout refuses, alone or when the fabric is built.
#include "weft/layout.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "weft/fabric.hpp"

namespace weft::test::layout_test {
namespace {

constexpr Rect kOne{1, 1, 1, 1};

Program nothing(std::uint32_t bytes = 4) {
  ProgramBuilder b("nothing");
  b.reserve("memory", bytes);
  b.start(b.local_task(0));
  b.end();
  return b.build();
}

Route to_core(int queue = 0) {
  Route route{Port::west, Port::ramp};
  route.input_queue = queue;
  return route;
}

void expect_refused(const std::function<void(Layout&)>& add,
                    const std::vector<std::string>& parts) {
  expect_error_with(
      ErrorCategory::layout,
      [&] {
        Layout layout(4, 3);
        add(layout);
      },
      parts);
}

/// Refused only when all of it is known.
void expect_not_built(const std::function<void(Layout&)>& add,
                      const std::vector<std::string>& parts) {
  Layout layout(4, 3);
  ASSERT_NO_THROW(add(layout));
  expect_error_with(
      ErrorCategory::layout, [&] { Fabric(layout, Machine{}); }, parts);
}

TEST(Layout, RefusesImpossibleSides) {
  for (const auto& [width, height] : {std::pair{0, 1}, {1, 0}, {-3, 1}, {4097, 1}, {1, 4097}})
    expect_error(
        ErrorCategory::layout, [&] { Layout(width, height); }, "invalid size of a fabric", "4096");
}

TEST(Layout, RefusesRectanglesOutside) {
  for (const Rect& where :
       {Rect{-1, 0, 1, 1}, Rect{0, -1, 1, 1}, Rect{4, 0, 1, 1}, Rect{0, 2, 1, 2}, Rect{3, 0, 2, 1},
        Rect{0, 0, 0, 1}, Rect{0, 0, 1, 0}}) {
    expect_refused([&](Layout& l) { l.place(where, nothing()); }, {"a program", "inside"});
    expect_refused([&](Layout& l) { l.route(where, 1, to_core()); }, {"a route", "inside"});
    expect_refused([&](Layout& l) { l.filter(where, 1, CounterFilter{}); }, {"a filter", "inside"});
  }
}

TEST(Layout, RefusesUnknownColors) {
  for (const int color : {-1, 24}) {
    expect_refused([&](Layout& l) { l.route(kOne, color, to_core()); },
                   {std::to_string(color), "0 to 23"});
    expect_refused([&](Layout& l) { l.filter(kOne, color, CounterFilter{}); },
                   {std::to_string(color), "0 to 23"});
  }
}

TEST(Layout, RefusesRoutesWithoutAnInputOrOutput) {
  expect_refused(
      [](Layout& l) {
        l.route(kOne, 1, {{}, Port::east});
      },
      {"PE (1, 1)", "at least one port"});
  expect_refused(
      [](Layout& l) {
        l.route(kOne, 1, {Port::east, {}});
      },
      {"PE (1, 1)", "at least one port"});
}

TEST(Layout, RefusesPositionsThatASwitchDoesNotHave) {
  Route four{Port::west, Port::east};
  four.positions.assign(4, SwitchPosition::receive(Port::ramp));
  expect_refused([&](Layout& l) { l.route(kOne, 1, four); }, {"4 positions", "at most three"});
  for (const int initial : {-1, 2}) {
    Route start{Port::west, Port::east};
    start.positions = {SwitchPosition::receive(Port::ramp)};
    start.initial = initial;
    expect_refused([&](Layout& l) { l.route(kOne, 1, start); },
                   {"position " + std::to_string(initial)});
  }
}

TEST(Layout, RefusesRoutesOffEachEdge) {
  const std::pair<Port, Rect> edges[] = {{Port::west, {0, 0, 2, 1}},
                                         {Port::east, {2, 1, 2, 1}},
                                         {Port::north, {1, 0, 1, 3}},
                                         {Port::south, {1, 2, 1, 1}}};
  const char* names[] = {"west", "east", "north", "south"};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& [port, where] = edges[i];
    expect_refused(
        [&](Layout& l) {
          l.route(where, 1, {Port::ramp, port});
        },
        {"off the fabric", names[i]});
    Route later{Port::ramp, opposite(port)};
    later.positions = {SwitchPosition::send(port)};
    const Rect inside{where.x, where.y, 1, 1};
    if (i == 0)
      expect_refused([&](Layout& l) { l.route(inside, 1, later); }, {"off the fabric", names[i]});
  }
}

TEST(Layout, RefusesARampOutputWithoutQueue) {
  expect_refused([](Layout& l) { l.route(kOne, 1, {Port::west, Port::ramp}); }, {"input_queue"});
  Route later{Port::west, Port::east};
  later.positions = {SwitchPosition::send(Port::ramp)};
  expect_refused([&](Layout& l) { l.route(kOne, 1, later); }, {"input_queue"});
  for (const int queue : {-1, 8})
    expect_refused([&](Layout& l) { l.route(kOne, 1, to_core(queue)); },
                   {"input queue " + std::to_string(queue), "0 to 7"});
}

TEST(Layout, RefusesACounterPastItsLimit) {
  expect_refused(
      [](Layout& l) {
        l.filter(kOne, 1, CounterFilter{5, 4, 0});
      },
      {"counter 5", "limit1 = 4"});
  Layout layout(4, 3);
  EXPECT_NO_THROW(layout.filter(kOne, 1, CounterFilter{4, 4, 0}));
}

TEST(Layout, OnePeHasOneProgram) {
  expect_not_built(
      [](Layout& l) {
        l.place({0, 0, 3, 3}, nothing());
        l.place({2, 1, 2, 1}, nothing());
      },
      {"PE (2, 1)", "a program already"});
}

TEST(Layout, PlacesOneProgramManyTimes) {
  Layout layout(4, 3);
  const ProgramHandle program = layout.add(nothing()), other = layout.add(nothing(8));
  for (int x = 0; x < 4; ++x) layout.place({x, 0}, program);
  layout.place({0, 1, 4, 2}, other);
  ASSERT_EQ(layout.placements().size(), 5u);
  for (int x = 1; x < 4; ++x)
    EXPECT_EQ(layout.placements()[static_cast<std::size_t>(x)].program,
              layout.placements()[0].program);
  EXPECT_EQ(*layout.placements()[0].program, nothing());
  EXPECT_EQ(*layout.placements()[4].program, nothing(8));
  EXPECT_NO_THROW(Fabric(layout, Machine{}).run_until_idle(100));
}

TEST(Layout, RefusesAProgramThatWasNotAdded) {
  expect_refused(
      [](Layout& l) {
        l.place({0, 0}, ProgramHandle{0});
      },
      {"unknown program: 0", "0 were added", "add()"});
  expect_refused([](Layout& l) { l.place({4, 0}, l.add(nothing())); }, {"a program", "inside"});
}

TEST(Layout, OnePeHasOneRoutePerColor) {
  expect_not_built(
      [](Layout& l) {
        l.route({0, 0, 3, 1}, 4, {Port::ramp, Port::east});
        l.route({2, 0, 1, 1}, 4, to_core());
      },
      {"PE (2, 0)", "color 4", "already"});
}

TEST(Layout, OnePeHasOneFilterPerColor) {
  expect_not_built(
      [](Layout& l) {
        l.route(kOne, 4, to_core());
        l.filter(kOne, 4, CounterFilter{});
        l.filter(kOne, 4, CounterFilter{});
      },
      {"PE (1, 1)", "a filter for color 4 already"});
}

TEST(Layout, AnInputQueueMayServeSeveralColors) {
  Layout layout(4, 2);
  layout.route({0, 0, 4, 2}, 4, to_core(3));
  layout.route(kOne, 9, to_core(3));
  EXPECT_NO_THROW(Fabric(layout, Machine{}, {}));
}

TEST(Layout, AFilterNeedsARouteToTheCore) {
  expect_not_built([](Layout& l) { l.filter(kOne, 4, CounterFilter{}); },
                   {"PE (1, 1)", "color 4", "nothing to filter"});
  expect_not_built(
      [](Layout& l) {
        l.route(kOne, 4, to_core());
        l.filter({1, 1, 2, 1}, 4, CounterFilter{});
      },
      {"PE (2, 1)", "nothing to filter"});
}

TEST(Layout, AProgramMustFitTheMachine) {
  Layout layout(4, 3);
  layout.place(kOne, nothing(4000));
  Machine small;
  small.pe_memory_bytes = 2048;
  expect_error(
      ErrorCategory::layout, [&] { Fabric(layout, small); }, "nothing", "2048", "pe_memory_bytes");
  EXPECT_NO_THROW(Fabric(layout, Machine{}));
}

TEST(Layout, AnImpossibleMachineIsRefused) {
  Machine machine;
  machine.ramp_cycles = 0;
  expect_error(
      ErrorCategory::machine_profile, [&] { Fabric(Layout(1, 1), machine); }, "ramp_cycles");
}

}  // namespace
}  // namespace weft::test::layout_test
