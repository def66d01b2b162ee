// Words from the host into the fabric and back: to the cycle, on the specification and on lanes.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "support/hosted.hpp"

namespace weft::test::host_streams_test {
namespace {

using Words = std::vector<std::uint32_t>;

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
  Fabric fabric = hosted_fabric(layout, m, way);
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
  Fabric fabric = hosted_fabric(layout, m, {});
  for (const Sent& s : sent) fabric.send(s.stream, s.words);
  std::vector<std::uint64_t> cycles;
  while (fabric.run(1) == RunEnd::limit)
    while (cycles.size() < fabric.host_words(output).front()) cycles.push_back(fabric.cycle() - 1);
  while (cycles.size() < fabric.host_words(output).front()) cycles.push_back(fabric.cycle() - 1);
  return cycles;
}

TEST(HostStreams, AWordEntersAsANeighboursWaveletAndOneFollowsAtTheLinksRate) {
  for (const int link : {1, 2, 3, 23})
    for (const int hop : {1, 2})
      for (const int width : {1, 3, 17}) {
        const Machine m = hosted_machine(link, hop, 4);  // two hold up a link where hops take two
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
        const Trace all = expect_alike(layout, hosted_machine(link), {{"in", words}});
        EXPECT_EQ(all.received.at("out"), words);
      }
}

TEST(HostStreams, DepthsHopsAndLinksThatRestChangeNothingBetweenEngines) {
  for (const int depth : {1, 2, 4})
    for (const int hop : {1, 2})
      for (const int busy : {0, 2})
        for (const int die : {0, 5}) {
          Machine m = hosted_machine(2, hop, depth);
          m.link_busy_cycles = busy;
          m.die_width = die;
          SCOPED_TRACE(fmt::format("depth {}, hop {}, busy {}, die {}", depth, hop, busy, die));
          expect_alike(through(17, 5, Port::east), m, {{"in", counting(60)}});
          expect_alike(through(5, 6, Port::north), m, {{"in", counting(60)}});
        }
}

TEST(HostStreams, LinksToTheHostDoNotRestAsOthersDo) {
  Machine m = hosted_machine(1);
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
    const Trace all = expect_alike(layout, hosted_machine(1, 1, depth), {{"in", counting(20)}});
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
  const Machine m = hosted_machine(5);
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
  const Trace all = expect_alike(layout, hosted_machine(4),
                                 {{"from west", counting(10)}, {"from south", counting(10)}});
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
  const Machine m = hosted_machine(3);
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
  EXPECT_EQ(expect_alike(layout, hosted_machine(2), {{"in", counting(5)}}).received.at("out"),
            counting(5));
}

TEST(HostStreams, WhereARouterSwapsColorsTheHostsWordsChangeToo) {
  Layout layout(2, 1);
  layout.host_input("in", {0, 0, 1, 1}, Port::west, 2);
  layout.host_output("out", {1, 0, 1, 1}, Port::east, 3);
  layout.route({0, 0, 1, 1}, 2, {.rx = Port::ramp, .tx = Port::east, .swap_east_west = true});
  layout.route({0, 0, 2, 1}, 3, {.rx = Port::west, .tx = Port::east});
  EXPECT_EQ(expect_alike(layout, hosted_machine(2), {{"in", counting(5)}}).received.at("out"),
            counting(5));
}

}  // namespace
}  // namespace weft::test::host_streams_test
