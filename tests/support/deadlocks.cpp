#include "support/deadlocks.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <utility>

#include "support/mesh.hpp"

namespace weft::test {
namespace {

constexpr int kHeight = 5;  // two rows of strips
constexpr int kColor = kLateColor;
constexpr Reg kLimit{1};
constexpr Dsr kFrom{0}, kTo{1};

Route to_core(Port from, int queue) {
  Route route{from, Port::ramp};
  route.input_queue = queue;
  return route;
}

/// Takes a word from the queue, and waits for it.
void take_one(ProgramBuilder& b, int queue) {
  b.dfabin(kFrom, queue);
  b.dlen(kFrom, 1);
  b.dbase(kTo, 0);
  b.vmov32(kTo, kFrom);
}

void send_one(ProgramBuilder& b, int queue, int color, bool control = false) {
  b.dfabout(kTo, queue, color, control);
  b.dlen(kTo, 1);
  b.vmov32r(kTo, kLimit);
}

/// Three words come to an input that the switch opens at its next position, and nobody moves it.
Layout closed_switch() {
  Mesh mesh(2, kHeight);
  Route route = to_core(Port::east, 0);
  route.positions = {SwitchPosition::receive(Port::west)};
  mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east}).route({1, 0, 1, 1}, kColor, route);
  mesh.pe(0).send(0, kColor, counting(3));
  mesh.pe(1).receive(0, 3);
  return mesh.layout();
}

/// The last PE of a row blocks the color whose words start its task, and forgets to unblock it: its
/// queue fills, then the routers of the row, then the sender's queue.
Layout blocked_task() {
  Mesh mesh(4, kHeight);
  for (int x = 0; x < 3; ++x)
    mesh.route({x, 0, 1, 1}, kColor, {x == 0 ? Port::ramp : Port::west, Port::east});
  mesh.route({3, 0, 1, 1}, kColor, to_core(Port::west, 2));
  mesh.pe(0).wait(9).send(0, kColor, counting(40));
  mesh.pe(3).catch_data(kColor).run([](ProgramBuilder& b) { b.block({TaskKind::data, kColor}); });
  return mesh.layout();
}

/// PE 0 could send on the color by its route, but its program does not.
Layout no_sender() {
  Mesh mesh(2, kHeight);
  mesh.line(kColor);
  mesh.pe(0).wait(3);
  mesh.pe(1).receive(0, 2);
  return mesh.layout();
}

Layout one_too_few() {
  Mesh mesh(3, kHeight);
  mesh.line(kColor);
  mesh.pe(0).send(0, kColor, counting(3));
  mesh.pe(1).receive(0, 3);
  mesh.pe(2).receive(0, 4);
  return mesh.layout();
}

/// PE 1 passes on, by a task for each word, what comes; one word less comes than PE 2 wants.
Layout relay_too_few() {
  constexpr int kFirst = 1, kSecond = 2;
  Mesh mesh(3, kHeight);
  mesh.route({0, 0, 1, 1}, kFirst, {Port::ramp, Port::east})
      .route({1, 0, 1, 1}, kFirst, to_core(Port::west, 2))
      .route({1, 0, 1, 1}, kSecond, {Port::ramp, Port::east})
      .route({2, 0, 1, 1}, kSecond, to_core(Port::west, 0));
  mesh.pe(0).send(0, kFirst, counting(2));
  mesh.pe(2).receive(0, 3);
  ProgramBuilder b("relay");
  b.data_task(kFirst);
  send_one(b, 1, kSecond);
  b.end();
  Layout layout = mesh.layout();
  layout.place({1, 0, 1, 1}, b.build());
  return layout;
}

/// The switch of PE 1 goes on to lead the color past the core, which still waits for a word.
Layout turned_away() {
  Mesh mesh(3, kHeight);
  Route route{Port::west, {Port::east, Port::ramp}};
  route.input_queue = 0;
  route.positions = {SwitchPosition::send(Port::east)};
  ControlWavelet advance;
  advance.slots[0].command = ControlWavelet::Command::advance;
  mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east})
      .route({1, 0, 1, 1}, kColor, route)
      .route({2, 0, 1, 1}, kColor, to_core(Port::west, 0));
  mesh.pe(0).run([advance](ProgramBuilder& b) {
    send_one(b, 1, kColor);
    b.li(kLimit, static_cast<std::int32_t>(advance.payload()));
    send_one(b, 2, kColor, true);
  });
  mesh.pe(1).receive(0, 2);
  mesh.pe(2).receive(0, 1);
  return mesh.layout();
}

/// The color is torn down from the start in PE 1, whose program never lets it go.
Layout torn_down() {
  Mesh mesh(3, kHeight);
  Route held{Port::west, Port::east};
  held.teardown = true;
  mesh.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east})
      .route({1, 0, 1, 1}, kColor, held)
      .route({2, 0, 1, 1}, kColor, to_core(Port::west, 0));
  mesh.pe(0).send(0, kColor, {1});
  mesh.pe(1).wait(1);
  mesh.pe(2).receive(0, 1);
  return mesh.layout();
}

/// Each of two PEs waits for the other's word before it sends its own.
Layout after_you() {
  constexpr int kEast = 1, kWest = 2;
  Mesh mesh(2, kHeight);
  mesh.route({0, 0, 1, 1}, kEast, {Port::ramp, Port::east})
      .route({1, 0, 1, 1}, kEast, to_core(Port::west, 0))
      .route({1, 0, 1, 1}, kWest, {Port::ramp, Port::west})
      .route({0, 0, 1, 1}, kWest, to_core(Port::east, 0));
  for (const int x : {0, 1})
    mesh.pe(x).run([x](ProgramBuilder& b) {
      take_one(b, 0);
      send_one(b, 1, x == 0 ? kEast : kWest);
    });
  return mesh.layout();
}

/// PE 1 sends what it pops from its second FIFO, into which nothing is put.
Layout empty_fifo() {
  Mesh mesh(3, kHeight);
  mesh.route({1, 0, 1, 1}, kColor, {Port::ramp, Port::east})
      .route({2, 0, 1, 1}, kColor, to_core(Port::west, 0));
  mesh.pe(1).run([](ProgramBuilder& b) {
    b.fifo("other", 4);
    b.dfifo(kFrom, b.fifo("fifo", 4));
    b.dlen(kFrom, 7);
    b.dfabout(kTo, 3, kColor);
    VectorOptions options;
    options.async = true;
    b.vmov32(kTo, kFrom, options);
  });
  mesh.pe(2).receive(0, 7);
  return mesh.layout();
}

}  // namespace

Layout late_limit() {
  constexpr int kWords = 8;
  Mesh mesh(4, kHeight);
  mesh.line(kColor);
  CounterFilter filter;
  filter.limit1 = 99;
  mesh.filter({1, 0, 3, 1}, kColor, filter);  // lets in the first word, then none up to its limit
  mesh.pe(0).send(0, kColor, counting(kWords));
  for (int x = 1; x < 4; ++x)
    mesh.pe(x).run([](ProgramBuilder& b) {
      take_one(b, 0);
      for (int slow = 0; slow < 20; ++slow) b.li(kLimit, 2);
      b.flimit(kColor, kLimit);  // of wavelets 3, 6, ... each first one would come in
      take_one(b, 0);
    });
  return mesh.layout();
}

std::vector<PlantedDeadlock> planted_deadlocks() {
  std::vector<PlantedDeadlock> all = {
      {"late limit",
       late_limit(),
       DeadlockKind::filter_never_opens,
       {1, 0},
       kColor,
       "nothing can move any more after cycle 130 (microthread 0 of PE (1, 0) waits for 1 more "
       "wavelet of color 5, but the filter there lets nothing in any more: its counter is past "
       "limit1, from where it would return to 0, because limit1 was lowered too late. The filter "
       "let in 1 wavelet of data and refused 7; it would refuse the next one (counter 8, "
       "max_counter 0, limit1 2); alike at 2 more PEs; all 6 waits come from this); set limit1 "
       "while the counter is at most the new value: sooner, or let the stream come later"},
      {"closed switch",
       closed_switch(),
       DeadlockKind::switch_stays,
       {1, 0},
       kColor,
       "nothing can move any more after cycle 42 (2 wavelets of color 5 at the west input of PE "
       "(1, 0): its switch is at position 0, which keeps this input closed, and nothing is left "
       "that would move it; all 3 waits come from this); send the control wavelet that advances "
       "the switch, or set its position before these come"},
      {"blocked task",
       blocked_task(),
       DeadlockKind::color_blocked,
       {3, 0},
       kColor,
       "nothing can move any more after cycle 75 (4 wavelets of color 5 in input queue 2 of PE (3, "
       "0): the color is blocked, and no task is left that would unblock it; all 8 waits come from "
       "this); receive them, or bind a task to the color and unblock it, or send no more than is "
       "taken"},
      {"no sender",
       no_sender(),
       DeadlockKind::nobody_sends,
       {1, 0},
       kColor,
       "nothing can move any more after cycle 39 (microthread 0 of PE (1, 0) waits for 2 more "
       "wavelets of color 5, but routes lead here only from PE (0, 0), which never sends on "
       "it); add the routes from the sender to here, and to its program a descriptor for output "
       "with this color"},
      {"one too few",
       one_too_few(),
       DeadlockKind::no_more_wavelets,
       {2, 0},
       kColor,
       "nothing can move any more after cycle 42 (microthread 0 of PE (2, 0) waits for 1 more "
       "wavelet of color 5, but none is on its way, and PE (0, 0), which could send it, has "
       "nothing left to do); send as many as are waited for, or look at which filters took those "
       "that were sent"},
      {"relay too few",
       relay_too_few(),
       DeadlockKind::no_more_wavelets,
       {2, 0},
       2,
       "nothing can move any more after cycle 91 (microthread 0 of PE (2, 0) waits for 1 more "
       "wavelet of color 2, but none is on its way, and PE (1, 0), which could send it, has "
       "nothing left to do until a wavelet comes of color 1); send as many as are waited for, or "
       "look at which filters took those that were sent"},
      {"turned away",
       turned_away(),
       DeadlockKind::switch_turned_away,
       {1, 0},
       kColor,
       "nothing can move any more after cycle 45 (microthread 0 of PE (1, 0) waits for 1 more "
       "wavelet of color 5, but its router's switch is at position 1, which does not lead the "
       "color to the core, and nothing else is left that would move it); let the switch move on "
       "only after the core has all that it waits for; if a filter refused some of it, set the "
       "filter sooner"},
      {"torn down",
       torn_down(),
       DeadlockKind::torn_down,
       {1, 0},
       kColor,
       "nothing can move any more after cycle 40 (1 wavelet of color 5 at the west input of PE (1, "
       "0): the color is torn down there, and no task is left that would let it go; all 2 waits "
       "come from this); let the color go in the task that handles teardowns (texit)"},
      {"after you",
       after_you(),
       DeadlockKind::circular_wait,
       {0, 0},
       2,
       "nothing can move any more after cycle 27 (PE (0, 0) waits for PE (1, 0) to send color 2, "
       "PE (1, 0) for PE (0, 0) to send color 1; all 4 waits come from this); start the receive "
       "before the send, or send asynchronously, so that neither waits for the other; receive in "
       "the order of the sends; where all receive first, let one send first; let a task end where "
       "it waits, so that others may run"},
      {"empty FIFO",
       empty_fifo(),
       DeadlockKind::fifo_stays_empty,
       {1, 0},
       -1,
       "nothing can move any more after cycle 39 (microthread 3 of PE (1, 0) (7 elements to go) "
       "waits for FIFO 1, which is empty, and nothing is left that would push to it; all 2 waits "
       "come from this); push as many elements as are popped, or pop fewer"},
  };
  for (PlantedDeadlock& planted : deadlocks_in_circles()) all.push_back(std::move(planted));
  return all;
}

namespace {

std::optional<DeadlockError> error_of(const Layout& layout, FabricOptions options) {
  Fabric fabric(layout, test_machine(), test_options(std::move(options)));
  try {
    fabric.run_until_idle(5000);
  } catch (const DeadlockError& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace

DeadlockReport report_of(const Layout& layout, FabricOptions options) {
  const std::optional<DeadlockError> error = error_of(layout, std::move(options));
  EXPECT_TRUE(error) << "no deadlock";
  return error ? error->report() : DeadlockReport{};
}

std::string message_of(const Layout& layout) {
  const std::optional<DeadlockError> error = error_of(layout, {});
  EXPECT_TRUE(error) << "no deadlock";
  return error ? error->what() : "";
}

}  // namespace weft::test
