// Within a phase of the cycle, strips may be stepped in any order and at the same time: what the
// GPU's warps do, with threads of the host and in orders that a seed gives.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <barrier>
#include <functional>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

#include "differential/case.hpp"
#include "differential/dice.hpp"
#include "engine/engine.hpp"
#include "engine/result.hpp"
#include "model/rows.hpp"
#include "support/mesh.hpp"
#include "support/same_state.hpp"
#include "support/strip_steps.hpp"

namespace weft::test::strip_order_test {
namespace {

using engine::BlockFacts;
using engine::Clock;
using engine::RunResult;
using engine::Stop;
using model::kNever;
using model::View;

/// Steps 2 and 3, between which nothing passes from strip to strip.
void deliver_and_core(const View& v, int strip, std::uint64_t now, engine::Activity& activity) {
  deliver_strip(v, strip, When::due, now, activity);
  core_strip(v, strip, When::due, now, activity);
}

int strips_of(const View& v) { return static_cast<int>(v.strip_count()); }

BlockFacts facts_of(const View& v, engine::Activity activity) {
  BlockFacts facts;
  facts.activity = activity;
  for (int i = 0; i < strips_of(v); ++i) {
    facts.hops += v.strip[i].hops;
    facts.next_timed = std::min({facts.next_timed, v.deliver_wake[i], v.core_wake[i]});
    facts.next_polled = std::min(facts.next_polled, v.route_wake[i]);
    if (v.faults[i].kind != FaultKind::none) facts.fault = std::min(facts.fault, v.faults[i].cycle);
  }
  return facts;
}

/// A run that meets after every cycle.
struct Run {
  View view;
  Clock clock{};
  Stop stop = Stop::quiet;
  bool goes_on;

  Run(const View& v, std::uint64_t limit) : view(v) {
    view.horizon = limit;
    clock.watch_crowd(view.timing, {});
    goes_on = clock.start(facts_of(view, {}), 0, limit, stop);
  }
  void advance(engine::Activity activity) {
    goes_on = clock.advance(facts_of(view, activity), 1, stop);
    clock.tell(view);
  }
  RunResult result() const { return engine::result_of(clock, stop, view); }
};

RunResult run_in_random_order(const View& view, std::uint64_t limit, std::uint64_t seed) {
  Run run(view, limit);
  Dice dice(seed);
  std::vector<int> order(static_cast<std::size_t>(strips_of(view)));
  std::iota(order.begin(), order.end(), 0);
  while (run.goes_on) {
    engine::Activity activity;
    dice.shuffle(order);
    for (const int strip : order) route_strip(run.view, strip, When::due, run.clock.from, activity);
    dice.shuffle(order);
    for (const int strip : order) deliver_and_core(run.view, strip, run.clock.from, activity);
    run.advance(activity);
  }
  return run.result();
}

RunResult run_by_a_thread_each(const View& view, std::uint64_t limit) {
  Run run(view, limit);
  const int strips = strips_of(view);
  std::vector<engine::Activity> activity(static_cast<std::size_t>(strips));
  const auto end_cycle = [&]() noexcept {
    BlockFacts all;
    for (engine::Activity& one : activity) {
      BlockFacts facts;
      facts.activity = std::exchange(one, {});
      all.add(facts);
    }
    run.advance(all.activity);
  };
  std::barrier<> routed(strips);
  std::barrier<std::function<void()>> done(strips, end_cycle);
  const auto step = [&](int strip) {
    while (run.goes_on) {
      route_strip(run.view, strip, When::due, run.clock.from,
                  activity[static_cast<std::size_t>(strip)]);
      routed.arrive_and_wait();
      deliver_and_core(run.view, strip, run.clock.from, activity[static_cast<std::size_t>(strip)]);
      done.arrive_and_wait();
    }
  };
  std::vector<std::jthread> threads;
  for (int strip = 0; strip < strips; ++strip) threads.emplace_back(step, strip);
  threads.clear();
  return run.result();
}

/// State that is kept by row, from that of the strips.
void renew_rows(const View& v) {
  for (int row = 0; row < v.rows; ++row) {
    const model::Row strips{v, row};
    v.route_row[row] = strips.least(v.route_wake);
    v.deliver_row[row] = strips.least(v.deliver_wake);
    v.core_row[row] = strips.least(v.core_wake);
    for (int i = row * v.strips; i < (row + 1) * v.strips; ++i)
      if (v.faults[i].kind != FaultKind::none) model::earlier(v.fault_row[row], v.faults[i].cycle);
  }
}

/// Runs the case with `engine` and on the host engine, and compares everything. Returns the hops.
/// `data`: as FabricOptions::data.
std::uint64_t expect_the_same(const Case& c, std::uint64_t limit,
                              const std::function<RunResult(const View&)>& engine,
                              bool data = true) {
  fabric::State a = state_of(c), b = state_of(c);
  a.data = b.data = data;
  const RunResult expected = engine::run_on_host(a.view(), 0, {limit, 1, {}, 1});
  const RunResult result = engine(b.view());
  renew_rows(b.view());
  EXPECT_EQ(result.stop, expected.stop);
  EXPECT_EQ(result.cycle, expected.cycle);
  EXPECT_EQ(difference(a, b), "");
  std::uint64_t hops = 0;
  for (std::size_t i = 0; i < b.strip_count(); ++i) hops += b.strip[i].hops;
  return hops;
}

TEST(StripOrder, DoesNotMatter) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  const int cases = by_effort(20, 40, 80);
  std::uint64_t hops = 0;
  for (int seed = 0; seed < cases && !testing::Test::HasFailure(); ++seed) {
    const std::uint64_t number = seed_from(static_cast<std::uint64_t>(seed));
    SCOPED_TRACE(fmt::format("seed {}", number));
    const Case c = number % 4 == 0 ? random_case(number, 40, 10) : random_case(number, 3, 5);
    const std::uint64_t limit = std::min<std::uint64_t>(c.limit, 300);
    hops += expect_the_same(c, limit,
                            [&](const View& v) { return run_in_random_order(v, limit, number); });
  }
  EXPECT_TRUE(hops > 0 || !many_cases());
}

TEST(StripOrder, AThreadForEachStrip) {
  const int cases = by_effort(12, 20, 24);
  std::uint64_t hops = 0;
  for (int seed = 0; seed < cases && !testing::Test::HasFailure(); ++seed) {
    // Of 40 x 10 PEs, the strip in the middle has neighbours on all sides.
    const std::uint64_t number = seed_from(static_cast<std::uint64_t>(seed) + 1000);
    SCOPED_TRACE(fmt::format("seed {}", number));
    const Case c = number % 2 == 0 ? random_case(number, 40, 10) : random_case(number, 3, 5);
    const std::uint64_t limit = std::min<std::uint64_t>(c.limit, 100);
    hops +=
        expect_the_same(c, limit, [&](const View& v) { return run_by_a_thread_each(v, limit); });
  }
  EXPECT_TRUE(hops > 0 || !many_cases());
}

/// Streams through a mesh.
struct Streams {
  Port out;                 ///< the link that they leave by
  bool two_colors = false;  ///< every second line has another one
  /// Half-way, routers that had passed all on turn to this position at some time: by a control
  /// wavelet amid the stream, on every second line by an instruction of their own core.
  std::optional<SwitchPosition> turn{};
  int router_depth = Machine{}.router_queue_depth;
};

/// Streams from one edge of a mesh to the other, through PEs that do nothing else; every second
/// line sends later and less.
Case stream_case(const Streams& streams, std::uint64_t seed) {
  constexpr int kWords = 60, kLength = 70, kLines = 9, kHalf = kLength / 2;
  const Port out = streams.out;
  const bool rows = out == Port::east || out == Port::west;
  Case c;
  c.width = rows ? kLength : kLines;
  c.height = rows ? kLines : kLength;
  c.machine.pe_memory_bytes = 1200;
  c.machine.router_queue_depth = streams.router_depth;
  c.memory_seed = seed;
  const auto place = [&](int first, int count, int line) {
    const int from = out == Port::east || out == Port::south ? first : kLength - first - count;
    return rows ? Rect{from, line, count, 1} : Rect{line, from, 1, count};
  };
  const auto late = [](int line) { return line % 2 != 0; };
  const auto words = [&](int line) { return late(line) ? kWords / 2 : kWords; };
  const Dsr memory{0}, queue{1};
  const Reg zero{1}, other{2};
  const auto program = [&](const char* name, int line, const auto& code) {
    ProgramBuilder p(name);
    p.start(p.local_task(0));
    p.dbase(memory, static_cast<std::int32_t>(p.reserve("words", 4 * kWords).address));
    p.dlen(memory, words(line));
    p.li(zero, 0);
    code(p);
    p.end();
    return p.build();
  };
  const auto receive = [&](ProgramBuilder& p, int line) {
    VectorOptions background;
    background.async = true;
    p.dfabin(queue, 0);
    p.dlen(queue, words(line));
    p.vmov32(memory, queue, background);
  };
  for (int line = 0; line < kLines; ++line) {
    const int color = streams.two_colors && late(line) ? 8 : 3;
    const auto send = [&](ProgramBuilder& p) {
      p.dfabout(queue, 0, color);
      p.vmov32(queue, memory);
    };
    const auto send_advance = [&](ProgramBuilder& p) {
      ControlWavelet advance;
      advance.slots[0].command = ControlWavelet::Command::advance;
      const Dsr word{2};
      const std::uint32_t address = p.reserve("advance", 4).address;
      p.li(other, static_cast<std::int32_t>(advance.payload()));
      p.sw(other, zero, static_cast<std::int32_t>(address));
      p.dbase(word, static_cast<std::int32_t>(address));
      p.dlen(word, 1);
      p.dfabout(queue, 0, color, true);
      p.vmov32(queue, word);
    };
    const Program sender = program("sender", line, [&](ProgramBuilder& p) {
      for (int n = 0; late(line) && n < 20; ++n) p.li(other, n);
      send(p);
      if (!streams.turn) return;
      if (!late(line)) send_advance(p);
      send(p);
    });
    const Program turning = program("turning", line, [&](ProgramBuilder& p) {
      receive(p, line);
      for (int n = 0; n < 100; ++n) p.li(other, n);
      p.li(other, 1);
      if (late(line)) p.setpos(color, other);
    });
    const Program receiver =
        program("receiver", line, [&](ProgramBuilder& p) { receive(p, line); });
    Route between{opposite(out), out}, end{opposite(out), Port::ramp};
    end.input_queue = 0;
    c.programs.emplace_back(place(0, 1, line), sender);
    c.programs.emplace_back(place(kLength - 1, 1, line), receiver);
    c.routes.push_back({place(0, 1, line), color, {Port::ramp, out}});
    c.routes.push_back({place(kLength - 1, 1, line), color, end});
    if (!streams.turn) {
      c.routes.push_back({place(1, kLength - 2, line), color, between});
      continue;
    }
    c.routes.push_back({place(1, kHalf - 1, line), color, between});
    c.routes.push_back({place(kHalf + 1, kLength - 2 - kHalf, line), color, between});
    between.positions = {*streams.turn};
    between.input_queue = 0;
    c.programs.emplace_back(place(kHalf, 1, line), turning);
    c.routes.push_back({place(kHalf, 1, line), color, between});
  }
  return c;
}

/// Strips that some stream has left by a shortcut in the cycle before.
std::ptrdiff_t shortcuts_at(const View& v, std::uint64_t cycle) {
  return std::count_if(v.strip, v.strip + v.strip_count(), [&](const model::StripState& s) {
    return s.straight && s.left_cycle + 1 == cycle;
  });
}

TEST(StripOrder, ShortcutsAreTakenAndChangeNothing) {
  for (const Port out : {Port::west, Port::east, Port::south, Port::north})
    for (const bool two_colors : {false, true})
      for (const std::uint64_t limit : {25, 60, 61, 75, 100, 140, 1000}) {
        const int threads = limit == 75 ? 2 : 1;
        if (looks_for_races() && threads == 1) continue;
        SCOPED_TRACE(fmt::format("link {}, {} colors, limit {}", static_cast<int>(out),
                                 two_colors ? 2 : 1, limit));
        const Case c = stream_case({out, two_colors}, limit);
        expect_the_same(c, limit,
                        [&](const View& v) { return run_in_random_order(v, limit, limit); });
        fabric::State state = state_of(c);
        const View v = state.view();
        engine::run_on_host(v, 0, {limit, threads, {}, 1});
        EXPECT_GT(shortcuts_at(v, limit), limit == 75 && !two_colors ? 5 : -1);  // under way
      }
}

/// The part of a run that users see: hops, wavelets delivered, and all words of memory.
std::vector<std::uint64_t> seen_by_users(const View& v) {
  const std::size_t strips = v.strip_count();
  std::vector<std::uint64_t> all(v.memory, v.memory + strips * v.memory_words * model::kLanes);
  for (std::size_t i = 0; i < strips; ++i)
    all.insert(all.end(), {v.strip[i].hops, v.strip[i].delivered});
  return all;
}

TEST(StripOrder, ShortcutsEndWhenARouterChanges) {
  const std::vector<int> depths = many_cases() ? std::vector{1, 2, 3} : std::vector{1, 2};
  const std::vector<std::uint64_t> limits =
      many_cases() ? std::vector<std::uint64_t>{90, 135, 150, 180, 1000}
                   : std::vector<std::uint64_t>{90, 150, 1000};
  for (const Port out : {Port::west, Port::east, Port::south, Port::north})
    for (const SwitchPosition& turn :
         {SwitchPosition::send(Port::ramp), SwitchPosition::receive(Port::ramp)})
      for (const int depth : depths)
        for (const std::uint64_t limit : limits) {
          const int threads = limit == 90 ? 2 : 1;  // two are slow where there is other load
          if (looks_for_races() && threads == 1) continue;
          SCOPED_TRACE(fmt::format("link {}, {}, depth {}, limit {}", static_cast<int>(out),
                                   turn.side == SwitchPosition::Side::tx ? "output" : "input",
                                   depth, limit));
          const Case c = stream_case({.out = out, .turn = turn, .router_depth = depth}, limit);
          expect_the_same(c, limit,
                          [&](const View& v) { return run_in_random_order(v, limit, limit); });
          fabric::State whole = state_of(c), pieces = state_of(c);
          const View v = whole.view();
          engine::run_on_host(v, 0, {limit, threads, {}, 1});
          EXPECT_GT(shortcuts_at(v, limit), limit == 90 ? 2 : -1);
          const RunResult half = engine::run_on_host(pieces.view(), 0, {limit / 2, 1, {}, 7});
          engine::run_on_host(pieces.view(), half.cycle, {limit, 1, {}, 7});
          EXPECT_TRUE(seen_by_users(v) == seen_by_users(pieces.view()));
        }
}

TEST(StripOrder, ShortcutsWithoutData) {
  if (looks_for_races()) GTEST_SKIP() << one_thread();
  for (const Port out : {Port::west, Port::east, Port::south, Port::north})
    for (const std::uint64_t limit : {120, 150, 250, 1000}) {
      SCOPED_TRACE(fmt::format("link {}, limit {}", static_cast<int>(out), limit));
      const Case c = stream_case({.out = out, .turn = SwitchPosition::send(Port::ramp)}, limit);
      expect_the_same(
          c, limit, [&](const View& v) { return run_in_random_order(v, limit, limit); }, false);
    }
}

}  // namespace
}  // namespace weft::test::strip_order_test
