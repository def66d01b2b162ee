#include <string>

#include "support/deadlocks.hpp"
#include "support/mesh.hpp"

/// Planted deadlocks of things that wait for each other, go round, or would go on with what is
/// below.
namespace weft::test {
namespace {

constexpr int kTwoStrips = 5;  // the height of two rows of strips
constexpr int kRound = 5;      // a color
constexpr int kMany = 64;      // words, more than all queues on the way hold

Route into_queue(Port from, int queue) {
  Route route{from, Port::ramp};
  route.input_queue = queue;
  return route;
}

/// PEs of a row, each of which sends to the next one before it receives from the one before; the
/// last one sends to the first. Color k is PE k's own.
Layout send_before_receive(int length) {
  Mesh mesh(length, kTwoStrips);
  for (int x = 0; x < length; ++x) {
    const bool last = x + 1 == length;
    const Port out = last ? Port::west : Port::east, in = opposite(out);
    const int to = (x + 1) % length;
    mesh.route({x, 0, 1, 1}, x, {Port::ramp, out}).route({to, 0, 1, 1}, x, into_queue(in, 0));
    for (int passing = 1; last && passing < x; ++passing)
      mesh.route({passing, 0, 1, 1}, x, {in, out});
    mesh.pe(x).send(1, x, counting(kMany)).receive(0, kMany);
  }
  return mesh.layout();
}

/// PE 1 waits for a color that nobody sends; its next line takes the words that are there.
Layout wait_above() {
  constexpr int kAwaited = 1, kThere = 2;
  Mesh mesh(2, kTwoStrips);
  for (const int color : {kAwaited, kThere})
    mesh.route({0, 0, 1, 1}, color, {Port::ramp, Port::east})
        .route({1, 0, 1, 1}, color, into_queue(Port::west, color));
  mesh.pe(0).send(3, kThere, counting(6));
  mesh.pe(1).run([](ProgramBuilder& b) {
    for (const int queue : {kAwaited, kThere}) {
      b.dfabin(Dsr{0}, queue);
      b.dlen(Dsr{0}, queue == kAwaited ? 4 : 6);
      b.dbase(Dsr{1}, 0);
      b.vmov32(Dsr{1}, Dsr{0});
    }
  });
  return mesh.layout();
}

/// Routes from PE to PE in a circle of four, into which PE (0, 0) sends; `tapped`: PE (1, 1) gets
/// each wavelet too.
Layout routes_in_circle(bool tapped) {
  Mesh mesh(2, kTwoStrips);
  Route corner{Port::north, Port::west};
  if (tapped) {
    corner = {Port::north, {Port::west, Port::ramp}};
    corner.input_queue = 2;
    mesh.pe(1, 1).wait(1);
  }
  mesh.route({0, 0, 1, 1}, kRound, {{Port::ramp, Port::south}, Port::east})
      .route({1, 0, 1, 1}, kRound, {Port::west, Port::south})
      .route({1, 1, 1, 1}, kRound, corner)
      .route({0, 1, 1, 1}, kRound, {Port::east, Port::north});
  mesh.pe(0).send(0, kRound, counting(2));
  return mesh.layout();
}

/// The task of PE 0 that would send what PE 1 wants is activated, and stays blocked.
Layout blocked_for_ever() {
  constexpr int kTask = 7;
  Mesh mesh(2, kTwoStrips);
  mesh.line(kRound);
  mesh.pe(1).receive(0, 1);
  ProgramBuilder b("forgets");
  const Task later = b.local_task(kTask);
  b.dfabout(Dsr{1}, 1, kRound);
  b.dlen(Dsr{1}, 1);
  b.vmov32r(Dsr{1}, Reg{1});
  b.end();
  b.start(b.local_task(0));
  b.activate(later);
  b.end();
  b.start_blocked(later);
  Layout layout = mesh.layout();
  layout.place({0, 0, 1, 1}, b.build());
  return layout;
}

}  // namespace

Layout wavelets_in_circle() { return routes_in_circle(false); }

std::vector<PlantedDeadlock> deadlocks_in_circles() {
  using Kind = DeadlockKind;
  const std::string apart =
      "; start the receive before the send, or send asynchronously, so that neither waits for the "
      "other; receive in the order of the sends; where all receive first, let one send first; let "
      "a task end where it waits, so that others may run";
  const std::string end_it =
      "; end the color at one of these PEs: a route that leads to its core only, or no route";
  return {
      {"two send, then receive",
       send_before_receive(2),
       Kind::circular_wait,
       {0, 0},
       0,
       "nothing can move any more after cycle 46 (PE (0, 0) waits for PE (1, 0) to receive color "
       "0, PE (1, 0) for PE (0, 0) to receive color 1; all 12 waits come from this)" +
           apart},
      {"four send, then receive",
       send_before_receive(4),
       Kind::circular_wait,
       {0, 0},
       0,
       "nothing can move any more after cycle 50 (PE (0, 0) waits for PE (1, 0) to receive color "
       "0, PE (1, 0) for PE (2, 0) to receive color 1, PE (2, 0) for PE (3, 0) to receive color 2, "
       "PE (3, 0) for PE (0, 0) to receive color 3; all 26 waits come from this)" +
           apart},
      {"wait above",
       wait_above(),
       Kind::nobody_sends,
       {1, 0},
       1,
       "nothing can move any more after cycle 45 (microthread 1 of PE (1, 0) waits for 4 more "
       "wavelets of color 1, but routes lead here only from PE (0, 0), which never sends on it; "
       "all 4 waits come from this); add the routes from the sender to here, and to its program a "
       "descriptor for output with this color"},
      {"routes in a circle",
       routes_in_circle(false),
       Kind::routes_in_circle,
       {0, 0},
       kRound,
       "at cycle 4999 nothing moves but wavelets that go round in a circle (1 wavelet of color 5 "
       "at the south input of PE (0, 0): the routes of the color lead in a circle over PE (0, 0), "
       "PE (1, 0), PE (1, 1), PE (0, 1), and back, so wavelets go round and come again without "
       "end; alike at 1 more PE)" +
           end_it},
      {"routes in a circle, tapped",
       routes_in_circle(true),
       Kind::routes_in_circle,
       {1, 1},
       kRound,
       "nothing can move any more after cycle 47 (4 wavelets of color 5 in input queue 2 of PE (1, "
       "1): the routes of the color lead in a circle over PE (1, 1), PE (0, 1), PE (0, 0), PE (1, "
       "0), and back, so wavelets go round and come again without end; all 2 waits come from "
       "this)" +
           end_it},
      {"task blocked",
       blocked_for_ever(),
       Kind::task_blocked,
       {0, 0},
       -1,
       "nothing can move any more after cycle 39 (local task 7 of PE (0, 0) is active, but "
       "blocked, and nothing "
       "is left that would unblock it; all 2 waits come from this); unblock the task, or do not "
       "activate it"},
  };
}

}  // namespace weft::test
