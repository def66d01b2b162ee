// Events of a fabric while it runs, to the cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "support/expect_error.hpp"
#include "support/mesh.hpp"

namespace weft::test::events_test {
namespace {

using Events = std::vector<Event>;

FabricOptions event_options(const std::vector<EventChoice>& choices = {{}}) {
  FabricOptions options = test_options();
  options.observe.events = choices;
  return options;
}

/// All events of a run until idle.
Events events_of(Mesh& mesh, const std::vector<EventChoice>& choices = {{}}) {
  Events events;
  mesh.start(event_options(choices));
  mesh.fabric().on_events(
      [&](std::span<const Event> more) { events.insert(events.end(), more.begin(), more.end()); });
  mesh.run();
  EXPECT_TRUE(std::ranges::is_sorted(events));
  return events;
}

Events of_kind(const Events& events, EventKind kind) {
  Events some;
  std::ranges::copy_if(events, std::back_inserter(some),
                       [&](const Event& e) { return e.kind == kind; });
  return some;
}

/// PE 0 sends `count` words by color 5 to PE 2, past PE 1.
Mesh passing(int count) {
  Mesh mesh(3);
  mesh.route({0, 0, 1, 1}, 5, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, 5, {Port::west, Port::east});
  mesh.route({2, 0, 1, 1}, 5, {.rx = Port::west, .tx = Port::ramp, .input_queue = 3});
  mesh.pe(0).send(0, 5, counting(count));
  mesh.pe(2).receive(3, count);
  return mesh;
}

TEST(Events, FollowAWaveletOnItsWay) {
  Mesh mesh = passing(1);
  const Events events = events_of(mesh, {{.kinds = event_kinds("wavelet")}});
  const auto ramp = static_cast<std::uint64_t>(mesh.machine().ramp_cycles),
             hop = static_cast<std::uint64_t>(mesh.machine().hop_cycles);
  const std::uint64_t sent =
      mesh.issued(0, 0, 0) + first_element(mesh.machine()) + ramp;  // as the model's timeline
  const std::uint64_t first = sent + 1;
  EXPECT_EQ(events, (Events{{sent, 0, 0, EventKind::sent, 5, 0},
                            {first, 0, 0, EventKind::hop, 5, 1},
                            {first + hop, 1, 0, EventKind::hop, 5, 1, Port::west},
                            {first + 2 * hop, 2, 0, EventKind::delivered, 5, 3, Port::west}}));
}

TEST(Events, TellTasksAndMicrothreads) {
  Mesh mesh = passing(7);
  const Events events =
      events_of(mesh, {{.pes = Rect{0, 0, 1, 1}, .kinds = event_kinds("task")},
                       {.pes = Rect{0, 0, 1, 1}, .kinds = event_kinds("microthread")}});
  const std::uint64_t issued = mesh.issued(0, 0, 0);
  const std::uint64_t last = issued + first_element(mesh.machine()) + 6;
  ASSERT_EQ(events.size(), 4U);
  EXPECT_EQ(events[0].kind, EventKind::task_start);
  EXPECT_EQ(events[0].cycle, 0U);
  EXPECT_EQ(events[1], (Event{issued, 0, 0, EventKind::microthread_start, 0, events[1].value}));
  EXPECT_EQ(events[2], (Event{last, 0, 0, EventKind::microthread_end, 0, events[1].value}));
  EXPECT_EQ(events[3].kind, EventKind::task_end);
}

/// Of 40 words, PE 2 takes the first one after 100 instructions.
TEST(Events, AWaveletThatIsHeldIsReportedOnce) {
  Mesh mesh(3);
  mesh.route({0, 0, 1, 1}, 5, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, 5, {Port::west, Port::east});
  mesh.route({2, 0, 1, 1}, 5, {.rx = Port::west, .tx = Port::ramp, .input_queue = 3});
  mesh.pe(0).send(0, 5, counting(40));
  mesh.pe(2).wait(100).receive(3, 40);
  const Events held = of_kind(events_of(mesh), EventKind::held);
  std::set<int> at;
  for (const Event& e : held) {
    EXPECT_EQ(e.value, e.x == 2 ? 2U : 1U) << "by the ramp there, by room before";
    at.insert(e.x);
  }
  EXPECT_EQ(at, (std::set<int>{0, 1, 2}));
  EXPECT_LT(held.size(), 130U) << "not in each cycle";
}

TEST(Events, CountAsTheProfileDoes) {
  Mesh mesh = passing(9);
  FabricOptions options = event_options();
  options.observe.counts = true;
  Events events;
  mesh.start(options).on_events(
      [&](std::span<const Event> more) { events.insert(events.end(), more.begin(), more.end()); });
  mesh.run();
  const Profile p = mesh.fabric().profile();
  const auto total = [&](Count count) {
    std::uint64_t all = 0;
    for (const std::uint64_t n : p.counts(count)) all += n;
    return all;
  };
  EXPECT_EQ(of_kind(events, EventKind::sent).size(), total(Count::sent));
  EXPECT_EQ(of_kind(events, EventKind::hop).size(), total(Count::link_east));
  EXPECT_EQ(of_kind(events, EventKind::delivered).size(), total(Count::delivered));
  EXPECT_EQ(of_kind(events, EventKind::task_start).size(), total(Count::tasks));
  EXPECT_EQ(of_kind(events, EventKind::microthread_start).size(), total(Count::streams));
  EXPECT_EQ(of_kind(events, EventKind::instruction).size(),
            total(Count::streams) + total(Count::scalars) + total(Count::branches) +
                total(Count::vectors) + total(Count::router_writes));
}

TEST(Events, AFilterThatRefusesIsReported) {
  Mesh mesh(2);
  mesh.route({0, 0, 1, 1}, 5, {Port::ramp, Port::east});
  mesh.route({1, 0, 1, 1}, 5, {.rx = Port::west, .tx = Port::ramp, .input_queue = 0});
  mesh.filter({1, 0, 1, 1}, 5, {.limit1 = 3, .max_counter = 0});
  mesh.pe(0).send(0, 5, counting(8));
  mesh.pe(1).receive(0, 2);
  const Events events = events_of(mesh, {{.pes = Rect{1, 0, 1, 1}, .colors = {"5"}}});
  EXPECT_EQ(of_kind(events, EventKind::refused).size(), 6U);
  EXPECT_EQ(of_kind(events, EventKind::delivered).size(), 2U);
}

TEST(Events, AFaultEndsThem) {
  Mesh mesh(1);
  mesh.pe(0).run([](ProgramBuilder& b) {
    b.li(Reg{1}, 2);
    b.lw(Reg{2}, Reg{1}, 0);
  });
  Events events;
  mesh.start(event_options()).on_events([&](std::span<const Event> more) {
    events.insert(events.end(), more.begin(), more.end());
  });
  EXPECT_THROW(mesh.run(), FaultError);
  ASSERT_FALSE(events.empty());
  const Event last = events.back();
  EXPECT_EQ(last.kind, EventKind::fault);
  EXPECT_EQ(last.value, static_cast<std::uint32_t>(FaultKind::memory_misaligned));
  EXPECT_EQ(std::ranges::count(events, std::uint64_t{last.cycle},
                               [](const Event& e) { return std::uint64_t{e.cycle}; }),
            1);
}

TEST(Events, ManyOfThemInTheCycleOfAFaultAreNotReported) {
  Mesh mesh(72, 64);  // so many PEs that those of a cycle are handed on at once
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 72; ++x)
      mesh.pe(x, y).run([](ProgramBuilder& b) {
        b.li(Reg{1}, 2);
        b.lw(Reg{2}, Reg{1}, 0);
      });
  Events events;
  mesh.start(event_options()).on_events([&](std::span<const Event> more) {
    events.insert(events.end(), more.begin(), more.end());
  });
  EXPECT_THROW(mesh.run(), FaultError);
  EXPECT_GT(events.size(), std::size_t{72 * 64});
  EXPECT_TRUE(std::ranges::is_sorted(events));
  EXPECT_EQ(events.back().kind, EventKind::fault);
  EXPECT_EQ(std::ranges::count(events, std::uint64_t{events.back().cycle},
                               [](const Event& e) { return std::uint64_t{e.cycle}; }),
            1);
}

TEST(Events, OneTakesThemAtATime) {
  Mesh mesh = passing(1);
  const auto nobody = [](std::span<const Event>) {};
  mesh.start(event_options()).on_events(nobody);
  expect_error(
      ErrorCategory::usage, [&] { mesh.fabric().on_events(nobody); }, "have a taker already");
  mesh.fabric().on_events({});
  mesh.fabric().on_events(nobody);
}

TEST(Events, AreThoseOfTheChosenCycles) {
  Mesh mesh = passing(20);
  const Events all = events_of(mesh);
  Mesh again = passing(20);
  const Events some = events_of(again, {{.from = 30, .to = 40}});
  Events expected;
  std::ranges::copy_if(all, std::back_inserter(expected),
                       [](const Event& e) { return e.cycle >= 30 && e.cycle < 40; });
  EXPECT_EQ(some, expected);
  EXPECT_FALSE(some.empty());
}

TEST(Events, OfARunInPiecesAreThoseOfARunInOne) {
  Mesh whole = passing(20);
  const Events expected = events_of(whole);
  Mesh mesh = passing(20);
  Events events;
  mesh.start(event_options()).on_events([&](std::span<const Event> more) {
    events.insert(events.end(), more.begin(), more.end());
  });
  while (mesh.fabric().run(7) == RunEnd::limit) continue;
  EXPECT_EQ(events, expected);
}

TEST(Events, WhatTheSinkThrowsEndsTheRun) {
  Mesh mesh = passing(20);
  mesh.start(event_options()).on_events([](std::span<const Event>) { throw 7; });
  EXPECT_THROW(mesh.run(), int);
}

TEST(Events, ChoicesThatNameNothingAreRefused) {
  Mesh mesh = passing(1);
  const auto refused = [&](const EventChoice& choice, const std::string& text) {
    expect_error(
        ErrorCategory::usage,
        [&] { const Fabric fabric(mesh.layout(), mesh.machine(), event_options({choice})); }, text);
  };
  FabricOptions path = event_options();
  path.observe.path = true;
  expect_error(
      ErrorCategory::usage, [&] { const Fabric fabric(mesh.layout(), mesh.machine(), path); },
      "the critical path without counts");
  refused({.pes = Rect{2, 0, 2, 1}}, "outside the mesh");
  refused({.colors = {"rows"}}, "unknown color");
  refused({.from = 9, .to = 9}, "invalid cycles");
  expect_error(
      ErrorCategory::usage, [] { static_cast<void>(event_kinds("microtread")); },
      "did you mean microthread?");
}

}  // namespace
}  // namespace weft::test::events_test
