// Words from the host into the fabric and back: to the cycle, on the specification and on lanes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/mesh.hpp"
#include "weft/deadlock.hpp"
#include "weft/fabric.hpp"

namespace weft::test::host_streams_test {
namespace {

using Words = std::vector<std::uint32_t>;

/// The test machine, with links to the host that carry a word in so many cycles.
Machine machine(int link_cycles, int hop_cycles = 1, int depth = 2) {
  Machine m = test_machine();
  m.host_link_cycles = link_cycles;
  m.hop_cycles = hop_cycles;
  m.router_queue_depth = depth;
  return m;
}

/// All that a test sends to the host, or from it.
struct Sent {
  std::string stream;
  Words words;
};

/// A fabric's host streams, cycle by cycle.
struct Trace {
  std::vector<std::string> cycles;          ///< after each: words at the host, counters
  std::map<std::string, Words> received{};  ///< of each output, PE by PE
  bool operator==(const Trace&) const = default;
};

struct Way {
  const char* name;
  Engine engine = Engine::host;
  int threads = 1;
  bool shortcuts = true;
};

constexpr Way kWays[] = {{"reference", Engine::reference},
                         {"lanes"},
                         {"two threads", Engine::host, 2},
                         {"no shortcuts", Engine::host, 1, false}};

Fabric fabric_of(const Layout& layout, const Machine& m, const Way& way) {
  FabricOptions options;
  options.engine = way.engine;
  options.threads = way.threads;
  options.accelerate.shortcuts = way.shortcuts;
  return {layout, m, options};
}

std::string text(const Fabric& fabric, const Layout& layout, RunEnd end) {
  const FabricCounters c = fabric.counters();
  std::string line = fmt::format("{}: {} hops, {} delivered, end {};", c.cycle, c.hops, c.delivered,
                                 static_cast<int>(end));
  for (const Layout::HostStream& s : layout.host_streams())
    line += fmt::format(" {} {}", s.name, fmt::join(fabric.host_words(s.name), ","));
  return line;
}

/// Runs piece by piece, until it comes to rest.
Trace trace(const Layout& layout, const Machine& m, const std::vector<Sent>& sent, const Way& way,
            std::uint64_t piece) {
  Fabric fabric = fabric_of(layout, m, way);
  for (const Sent& s : sent) fabric.send(s.stream, s.words);
  Trace trace;
  for (RunEnd end = RunEnd::limit; end == RunEnd::limit && fabric.cycle() < 2000;) {
    end = fabric.run(piece);
    trace.cycles.push_back(text(fabric, layout, end));
  }
  for (const Layout::HostStream& s : layout.host_streams())
    if (!s.input) trace.received[s.name] = fabric.receive<std::uint32_t>(s.name);
  return trace;
}

/// The same on all engines, in pieces of one cycle and at once. Returns that by single cycles.
Trace expect_alike(const Layout& layout, const Machine& m, const std::vector<Sent>& sent) {
  const Trace first = trace(layout, m, sent, kWays[0], 1);
  for (const std::uint64_t piece : {1U, 7U, 2000U}) {
    const Trace reference = trace(layout, m, sent, kWays[0], piece);
    EXPECT_EQ(reference.received, first.received);
    EXPECT_EQ(reference.cycles.back(), first.cycles.back());
    for (const Way& way : kWays) {
      const Trace other = trace(layout, m, sent, way, piece);
      EXPECT_EQ(other.cycles, reference.cycles) << way.name << ", pieces of " << piece;
      EXPECT_EQ(other.received, reference.received) << way.name << ", pieces of " << piece;
    }
  }
  return first;
}

/// The cycle in which each word of an output of one PE came to the host.
std::vector<std::uint64_t> arrivals(const Layout& layout, const Machine& m,
                                    const std::vector<Sent>& sent, const std::string& output) {
  Fabric fabric = fabric_of(layout, m, {});
  for (const Sent& s : sent) fabric.send(s.stream, s.words);
  std::vector<std::uint64_t> cycles;
  while (fabric.run(1) == RunEnd::limit)
    while (cycles.size() < fabric.host_words(output).front()) cycles.push_back(fabric.cycle() - 1);
  while (cycles.size() < fabric.host_words(output).front()) cycles.push_back(fabric.cycle() - 1);
  return cycles;
}

Rect side_of(const Layout& l, Port edge) {
  switch (edge) {
    case Port::west:
      return {0, 0, 1, l.height()};
    case Port::east:
      return {l.width() - 1, 0, 1, l.height()};
    case Port::north:
      return {0, 0, l.width(), 1};
    default:
      return {0, l.height() - 1, l.width(), 1};
  }
}

/// A stream that passes through the mesh to the other side.
Layout through(int width, int height, Port to) {
  Layout layout(width, height);
  const Port from = opposite(to);
  layout.host_output("out", side_of(layout, to), to, 4);
  layout.host_input("in", side_of(layout, from), from, 4);
  layout.route({0, 0, width, height}, 4, {.rx = from, .tx = to});
  return layout;
}

TEST(HostStreams, AWordEntersAsANeighboursWaveletAndOneFollowsAtTheLinksRate) {
  for (const int link : {1, 2, 3, 23})
    for (const int hop : {1, 2})
      for (const int width : {1, 3, 17}) {
        const Machine m = machine(link, hop, 4);  // two hold up a link where hops take two
        const auto came = arrivals(through(width, 1, Port::east), m, {{"in", counting(20)}}, "out");
        ASSERT_EQ(came.size(), 20U);
        for (std::size_t k = 0; k < came.size(); ++k)
          EXPECT_EQ(came[k],
                    k * static_cast<std::size_t>(link) + static_cast<std::size_t>(width * hop))
              << "a word in " << link << " cycles, hop " << hop << ", " << width << " PEs";
      }
}

TEST(HostStreams, EnginesAgreeInAllDirectionsAndMeshes) {
  for (const Port to : {Port::east, Port::west, Port::south, Port::north})
    for (const auto& [width, height] : {std::pair{1, 1}, {16, 4}, {17, 5}, {15, 9}, {3, 8}})
      for (const int link : {1, 3}) {
        SCOPED_TRACE(fmt::format("{} x {}, to {}, {}", width, height, static_cast<int>(to), link));
        const Layout layout = through(width, height, to);
        const bool rows = to == Port::east || to == Port::west;
        const Words words = counting(9 * (rows ? height : width));
        const Trace all = expect_alike(layout, machine(link), {{"in", words}});
        EXPECT_EQ(all.received.at("out"), words);
      }
}

TEST(HostStreams, DepthsHopsAndLinksThatRestChangeNothingBetweenEngines) {
  for (const int depth : {1, 2, 4})
    for (const int hop : {1, 2})
      for (const int busy : {0, 2})
        for (const int die : {0, 5}) {
          Machine m = machine(2, hop, depth);
          m.link_busy_cycles = busy;
          m.die_width = die;
          SCOPED_TRACE(fmt::format("depth {}, hop {}, busy {}, die {}", depth, hop, busy, die));
          expect_alike(through(17, 5, Port::east), m, {{"in", counting(60)}});
          expect_alike(through(5, 6, Port::north), m, {{"in", counting(60)}});
        }
}

TEST(HostStreams, LinksToTheHostDoNotRestAsOthersDo) {
  Machine m = machine(1);
  m.link_busy_cycles = 1;
  const auto came = arrivals(through(1, 1, Port::east), m, {{"in", counting(20)}}, "out");
  for (std::size_t k = 0; k < came.size(); ++k) EXPECT_EQ(came[k], k + 1);
}

/// The PE's queue takes as many words as it has room for, and the host keeps the others.
TEST(HostStreams, AFullQueueKeepsWordsAtTheHost) {
  for (const int depth : {1, 2, 3, 4}) {
    Layout layout(3, 2);
    layout.host_input("in", {0, 1, 1, 1}, Port::west, 7);
    layout.route({0, 1, 1, 1}, 7, {.rx = Port::west, .tx = Port::east});
    layout.route({1, 1, 1, 1}, 7, {.rx = Port::west, .tx = Port::north, .teardown = true});
    layout.route({1, 0, 1, 1}, 7, {.rx = Port::south, .tx = Port::ramp, .input_queue = 3});
    const Trace all = expect_alike(layout, machine(1, 1, depth), {{"in", counting(20)}});
    EXPECT_TRUE(all.cycles.back().ends_with(fmt::format("end 2; in {}", 20 - 2 * depth)))
        << all.cycles.back();
  }
}

TEST(HostStreams, ColorsShareALinkTheLowestFirst) {
  Layout layout(1, 1);
  for (const int color : {9, 2}) {
    const std::string number = std::to_string(color);
    layout.host_input("in" + number, {0, 0, 1, 1}, Port::south, color);
    layout.host_output("out" + number, {0, 0, 1, 1}, Port::north, color);
    layout.route({0, 0, 1, 1}, color, {.rx = Port::south, .tx = Port::north});
  }
  const Machine m = machine(5);
  const std::vector<Sent> sent{{"in9", counting(2)}, {"in2", counting(3)}};
  expect_alike(layout, m, sent);
  EXPECT_EQ(arrivals(layout, m, sent, "out2"), (std::vector<std::uint64_t>{1, 6, 11}));
  EXPECT_EQ(arrivals(layout, m, sent, "out9"), (std::vector<std::uint64_t>{16, 21}));
}

/// Two colors want the link to the host: it carries the one or the other.
TEST(HostStreams, TheLinkToTheHostCarriesOneWaveletAtATime) {
  Layout layout(2, 2);
  layout.host_output("a", {0, 0, 1, 1}, Port::north, 2);
  layout.host_output("b", {0, 0, 1, 1}, Port::north, 3);
  layout.host_input("from west", {0, 0, 1, 1}, Port::west, 2);
  layout.host_input("from south", {0, 1, 1, 1}, Port::south, 3);
  layout.route({0, 0, 1, 1}, 2, {.rx = Port::west, .tx = Port::north});
  layout.route({0, 0, 1, 2}, 3, {.rx = Port::south, .tx = Port::north});
  const Trace all =
      expect_alike(layout, machine(4), {{"from west", counting(10)}, {"from south", counting(10)}});
  EXPECT_EQ(all.received.at("a"), counting(10));
  EXPECT_EQ(all.received.at("b"), counting(10));
  // 20 words in 4 cycles each: the first leaves in cycle 1, the link is free 4 after the last.
  EXPECT_EQ(all.cycles.size(), 1U + 20 * 4U);
}

/// At a corner a stream comes by one side and leaves by the other, and back on the same ports.
TEST(HostStreams, ACornerHasTwoPortsAndALinkCarriesBothWaysAtOnce) {
  Layout layout(1, 1);
  const Rect pe{0, 0, 1, 1};
  layout.host_input("in", pe, Port::west, 2);
  layout.host_output("out", pe, Port::north, 2);
  layout.host_input("back in", pe, Port::north, 5);
  layout.host_output("back out", pe, Port::west, 5);
  layout.route(pe, 2, {.rx = Port::west, .tx = Port::north});
  layout.route(pe, 5, {.rx = Port::north, .tx = Port::west});
  const Machine m = machine(3);
  const std::vector<Sent> sent{{"in", counting(3)}, {"back in", counting(3)}};
  expect_alike(layout, m, sent);
  const std::vector<std::uint64_t> cycles{1, 4, 7};
  EXPECT_EQ(arrivals(layout, m, sent, "out"), cycles);
  EXPECT_EQ(arrivals(layout, m, sent, "back out"), cycles);
}

TEST(HostStreams, AColorGoesBackByThePortThatItCameBy) {
  Layout layout(1, 1);
  layout.host_input("in", {0, 0, 1, 1}, Port::east, 2);
  layout.host_output("out", {0, 0, 1, 1}, Port::east, 2);
  layout.route({0, 0, 1, 1}, 2, {.rx = Port::east, .tx = Port::east});
  EXPECT_EQ(expect_alike(layout, machine(2), {{"in", counting(5)}}).received.at("out"),
            counting(5));
}

TEST(HostStreams, WhereARouterSwapsColorsTheHostsWordsChangeToo) {
  Layout layout(2, 1);
  layout.host_input("in", {0, 0, 1, 1}, Port::west, 2);
  layout.host_output("out", {1, 0, 1, 1}, Port::east, 3);
  layout.route({0, 0, 1, 1}, 2, {.rx = Port::ramp, .tx = Port::east, .swap_east_west = true});
  layout.route({0, 0, 2, 1}, 3, {.rx = Port::west, .tx = Port::east});
  EXPECT_EQ(expect_alike(layout, machine(2), {{"in", counting(5)}}).received.at("out"),
            counting(5));
}

/// With a limit the host takes so many, and more once they are received.
TEST(HostStreams, AFullArrayKeepsWaveletsInTheFabric) {
  Layout layout(2, 1);
  layout.host_output("out", {1, 0, 1, 1}, Port::east, 4, 3);
  layout.host_input("in", {0, 0, 1, 1}, Port::west, 4);
  layout.route({0, 0, 2, 1}, 4, {.rx = Port::west, .tx = Port::east});
  expect_alike(layout, machine(1), {{"in", counting(20)}});
  std::vector<std::uint64_t> ends;
  for (const Way& way : kWays) {
    Fabric fabric = fabric_of(layout, machine(1), way);
    fabric.send("in", counting(20));
    Words all;
    std::size_t waits = 0;
    for (bool over = false; !over;) {
      try {
        fabric.run_until_idle(10'000);
        over = true;
      } catch (const DeadlockError& e) {
        ++waits;
        EXPECT_EQ(to_string(e.report().causes.at(0).kind), "host takes no more");
        EXPECT_NE(std::string(e.what()).find("stream out"), std::string::npos) << e.what();
      }
      for (const std::uint32_t word : fabric.receive<std::uint32_t>("out")) all.push_back(word);
    }
    EXPECT_EQ(all, counting(20)) << way.name;
    EXPECT_EQ(waits, 6U) << way.name;
    ends.push_back(fabric.cycle());
  }
  EXPECT_EQ(ends, std::vector<std::uint64_t>(std::size(kWays), ends.front()));
}

TEST(HostStreams, WordsThatCannotEnterAreADeadlockThatNamesTheStream) {
  Layout layout(1, 1);
  layout.host_input("numbers", {0, 0, 1, 1}, Port::west, 4);
  layout.route({0, 0, 1, 1}, 4, {.rx = Port::west, .tx = Port::ramp, .input_queue = 2});
  for (const Way& way : kWays) {
    Fabric fabric = fabric_of(layout, machine(1), way);
    fabric.send("numbers", counting(20));
    try {
      fabric.run_until_idle(1000);
      FAIL();
    } catch (const DeadlockError& e) {
      EXPECT_EQ(to_string(e.report().causes.at(0).kind), "no program");
      EXPECT_NE(
          explain(e.report())
              .find("14 words of host stream numbers at the west port of PE (0, 0), waits for 2 "
                    "wavelets of color 4 at the west input of PE (0, 0)"),
          std::string::npos)
          << explain(e.report());
    }
    EXPECT_EQ(fabric.run(10), RunEnd::stuck);  // they wait for a next run
    EXPECT_EQ(fabric.host_words("numbers").front(), 14U);
  }
}

TEST(HostStreams, WordsMayBeSentAndReceivedBetweenRuns) {
  for (const Way& way : kWays) {
    Fabric fabric = fabric_of(through(5, 3, Port::west), machine(2), way);
    fabric.run_until_idle(100);
    fabric.send("in", std::vector<float>{1, 2, 3, 4, 5, 6});
    fabric.run_until_idle(1000);
    EXPECT_EQ(fabric.receive<float>("out", 1), (std::vector<float>{1, 3, 5})) << way.name;
    fabric.send("in", std::vector<std::int32_t>{-1, -2, -3});
    fabric.run_until_idle(2000);
    EXPECT_EQ(fabric.host_words("out"), (std::vector<std::size_t>{2, 2, 2}));
    EXPECT_EQ(fabric.receive<float>("out", 1), (std::vector<float>{2, 4, 6})) << way.name;
    EXPECT_EQ(fabric.receive<std::int32_t>("out"), (std::vector<std::int32_t>{-1, -2, -3}));
  }
}

TEST(HostStreams, WithoutDataTheyTakeTheSameCycles) {
  const Layout layout = through(5, 3, Port::east);
  FabricOptions options;
  options.data = false;
  Fabric without(layout, machine(3), options), with(layout, machine(3));
  for (Fabric* fabric : {&without, &with}) {
    fabric->send("in", counting(30));
    fabric->run_until_idle(1000);
  }
  EXPECT_EQ(without.cycle(), with.cycle());
  EXPECT_EQ(without.host_words("out"), with.host_words("out"));
  EXPECT_THROW(without.receive<float>("out"), Error);
}

/// A control wavelet ends at the host: it takes the link's time, and is no word.
TEST(HostStreams, CoresReceiveAndSend) {
  const Rect pe{0, 0, 1, 1};
  Mesh mesh(1, 1, machine(4));
  mesh.pe(0)
      .receive(0, 5)
      .send_control(1, 6, {ControlWavelet{}.payload()})
      .send(1, 6, counting(5, 10));
  Layout layout = mesh.layout();
  layout.host_input("in", pe, Port::west, 5);
  layout.host_output("out", pe, Port::east, 6);
  layout.route(pe, 5, {.rx = Port::west, .tx = Port::ramp, .input_queue = 0});
  layout.route(pe, 6, {.rx = Port::ramp, .tx = Port::east});
  std::vector<std::uint64_t> ends;
  for (const Way& way : kWays) {
    Fabric fabric = fabric_of(layout, machine(4), way);
    mesh.fill(fabric);
    fabric.send("in", counting(5));
    fabric.run_until_idle(1000);
    EXPECT_EQ(fabric.receive<std::uint32_t>("out"), counting(5, 10)) << way.name;
    EXPECT_EQ(fabric.counters().hops, 5U + 6U) << way.name;
    ends.push_back(fabric.cycle());
  }
  EXPECT_EQ(ends, std::vector<std::uint64_t>(std::size(kWays), ends.front()));
}

TEST(HostStreams, WhoWaitsForMoreThanTheHostSendsIsTold) {
  const Rect pe{0, 0, 1, 1};
  Mesh mesh(1, 1, machine(1));
  mesh.pe(0).receive(0, 5);
  Layout layout = mesh.layout();
  layout.host_input("numbers", pe, Port::west, 5);
  layout.route(pe, 5, {.rx = Port::west, .tx = Port::ramp, .input_queue = 0});
  for (const Way& way : kWays) {
    Fabric fabric = fabric_of(layout, machine(1), way);
    mesh.fill(fabric);
    fabric.send("numbers", counting(3));
    try {
      fabric.run_until_idle(1000);
      FAIL();
    } catch (const DeadlockError& e) {
      EXPECT_EQ(to_string(e.report().causes.at(0).kind), "no more wavelets");
      EXPECT_NE(std::string(e.what()).find("waits for 2 more wavelets of color 5, but none is on "
                                           "its way, and the host has no more words for stream "
                                           "numbers"),
                std::string::npos)
          << e.what();
    }
    fabric.send("numbers", counting(2));
    fabric.run_until_idle(2000);
  }
}

TEST(HostStreams, CarelessLayoutsAreRefused) {
  const auto layout_error = [](const auto& f, const auto&... parts) {
    expect_error(
        ErrorCategory::layout,
        [&] {
          Layout layout(4, 3);
          f(layout);
          const Fabric fabric(layout, machine(1));
        },
        parts...);
  };
  layout_error(
      [](Layout& l) {
        l.host_input("in", {1, 0, 1, 3}, Port::west, 2);
      },
      "host stream in is not at an edge", "PEs 1..1 x 0..2");
  layout_error(
      [](Layout& l) {
        l.host_input("in", {0, 0, 2, 3}, Port::west, 2);
      },
      "host stream in is not at an edge");
  layout_error(
      [](Layout& l) {
        l.host_output("out", {0, 0, 1, 1}, Port::ramp, 2);
      },
      "host stream out is not at an edge");
  layout_error(
      [](Layout& l) {
        l.host_output("out", {4, 0, 1, 1}, Port::east, 2);
      },
      "outside the fabric");
  layout_error(
      [](Layout& l) {
        l.host_output("out", {3, 0, 1, 1}, Port::east, 24);
      },
      "color 24 does not exist");
  layout_error(
      [](Layout& l) {
        l.host_output("out", {3, 0, 1, 1}, Port::east, 2, 0);
      },
      "has a limit of 0 words");
  layout_error(
      [](Layout& l) {
        l.host_input("in", {0, 0, 1, 3}, Port::west, 2);
      },
      "host stream in has no route at PE (0, 0)", "receives from the west", "(rx)");
  layout_error(
      [](Layout& l) {
        l.host_output("out", {0, 0, 4, 1}, Port::north, 2);
        l.route({0, 0, 3, 1}, 2, {.rx = Port::ramp, .tx = Port::north});
      },
      "host stream out has no route at PE (3, 0)", "sends to the north");
  layout_error(
      [](Layout& l) {
        l.host_output("out", {0, 0, 3, 1}, Port::north, 2);
        l.route({0, 0, 4, 1}, 2, {.rx = Port::ramp, .tx = Port::north});
      },
      "leads off the fabric", "north edge", "host_output");
  layout_error(
      [](Layout& l) {
        l.host_input("in", {0, 0, 1, 1}, Port::west, 2);
        l.host_input("in", {0, 1, 1, 1}, Port::west, 2);
      },
      "there is a host stream in already");
  layout_error(
      [](Layout& l) {
        l.host_input("a", {0, 0, 1, 2}, Port::west, 2);
        l.host_input("b", {0, 1, 1, 2}, Port::west, 2);
      },
      "a and b share a port", "color 2");
}

TEST(HostStreams, CarelessWordsAreRefused) {
  const Layout layout = through(2, 3, Port::east);
  for (const Way& way : kWays) {
    Fabric fabric = fabric_of(layout, machine(1), way);
    const auto usage_error = [&](const auto& f, const auto&... parts) {
      expect_error(ErrorCategory::usage, f, parts...);
    };
    usage_error([&] { fabric.send("im", counting(3)); }, "there is no host stream im",
                "there is in", "did you mean in?");
    usage_error([&] { fabric.send("out", counting(3)); }, "host stream out is an output",
                "receive");
    usage_error([&] { fabric.receive<float>("in"); }, "host stream in is an input", "send");
    usage_error([&] { fabric.send("in", counting(4)); }, "4 words", "it has 3 PEs");
    usage_error([&] { (void)fabric.host_words("nothing"); }, "there is no host stream nothing");
    fabric.send("in", counting(6));
    fabric.run_until_idle(1000);
    usage_error([&] { fabric.receive<float>("out", 3); }, "too few words of PE (1, 0)",
                "3 are wanted, and 2 have come");
    EXPECT_EQ(fabric.receive<std::uint32_t>("out"), counting(6)) << "nothing was lost";
  }
  FabricOptions cuda;
  cuda.engine = Engine::cuda;
  expect_error(
      ErrorCategory::usage, [&] { const Fabric f(layout, machine(1), cuda); },
      "the engine cuda has no host streams", "engine host");
}

}  // namespace
}  // namespace weft::test::host_streams_test
