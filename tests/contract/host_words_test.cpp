// The host's end of streams: limits, deadlocks, runs in pieces, and what is refused.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/hosted.hpp"

namespace weft::test::host_words_test {
namespace {

using Words = std::vector<std::uint32_t>;

/// With a limit the host takes so many, and more once they are received.
TEST(HostWords, AFullArrayKeepsWaveletsInTheFabric) {
  Layout layout(2, 1);
  layout.host_output("out", {1, 0, 1, 1}, Port::east, 4, 3);
  layout.host_input("in", {0, 0, 1, 1}, Port::west, 4);
  layout.route({0, 0, 2, 1}, 4, {.rx = Port::west, .tx = Port::east});
  std::vector<std::uint64_t> ends;
  for (const Way& way : kWays) {
    Fabric fabric = hosted_fabric(layout, hosted_machine(1), way);
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

TEST(HostWords, WordsThatCannotEnterAreADeadlockThatNamesTheStream) {
  Layout layout(1, 1);
  layout.host_input("numbers", {0, 0, 1, 1}, Port::west, 4);
  layout.route({0, 0, 1, 1}, 4, {.rx = Port::west, .tx = Port::ramp, .input_queue = 2});
  for (const Way& way : kWays) {
    Fabric fabric = hosted_fabric(layout, hosted_machine(1), way);
    fabric.send("numbers", counting(20));
    try {
      fabric.run_until_idle(1000);
      FAIL();
    } catch (const DeadlockError& e) {
      EXPECT_EQ(to_string(e.report().causes.at(0).kind), "no program");
      EXPECT_NE(std::string(e.what()).find("14 words of host stream numbers wait for it"),
                std::string::npos)
          << e.what();
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

TEST(HostWords, WordsMayBeSentAndReceivedBetweenRuns) {
  for (const Way& way : kWays) {
    Fabric fabric = hosted_fabric(through(5, 3, Port::west), hosted_machine(2), way);
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

TEST(HostWords, WithoutDataTheyTakeTheSameCycles) {
  const Layout layout = through(5, 3, Port::east);
  FabricOptions options;
  options.data = false;
  Fabric without(layout, hosted_machine(3), options), with(layout, hosted_machine(3));
  for (Fabric* fabric : {&without, &with}) {
    fabric->send("in", counting(30));
    fabric->run_until_idle(1000);
  }
  EXPECT_EQ(without.cycle(), with.cycle());
  EXPECT_EQ(without.host_words("out"), with.host_words("out"));
  EXPECT_THROW(without.receive<float>("out"), Error);
}

/// A control wavelet ends at the host: it takes the link's time, and is no word.
TEST(HostWords, CoresReceiveAndSend) {
  const Rect pe{0, 0, 1, 1};
  Mesh mesh(1, 1, hosted_machine(4));
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
    Fabric fabric = hosted_fabric(layout, hosted_machine(4), way);
    mesh.fill(fabric);
    fabric.send("in", counting(5));
    fabric.run_until_idle(1000);
    EXPECT_EQ(fabric.receive<std::uint32_t>("out"), counting(5, 10)) << way.name;
    EXPECT_EQ(fabric.counters().hops, 5U + 6U) << way.name;
    ends.push_back(fabric.cycle());
  }
  EXPECT_EQ(ends, std::vector<std::uint64_t>(std::size(kWays), ends.front()));
}

TEST(HostWords, NamesWhoWaitsForMoreThanTheHostSends) {
  const Rect pe{0, 0, 1, 1};
  Mesh mesh(1, 1, hosted_machine(1));
  mesh.pe(0).receive(0, 5);
  Layout layout = mesh.layout();
  layout.host_input("numbers", pe, Port::west, 5);
  layout.route(pe, 5, {.rx = Port::west, .tx = Port::ramp, .input_queue = 0});
  for (const Way& way : kWays) {
    Fabric fabric = hosted_fabric(layout, hosted_machine(1), way);
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

TEST(HostWords, CarelessLayoutsAreRefused) {
  const auto layout_error = [](const auto& f, const auto&... parts) {
    expect_error(
        ErrorCategory::layout,
        [&] {
          Layout layout(4, 3);
          f(layout);
          const Fabric fabric(layout, hosted_machine(1));
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

TEST(HostWords, CarelessWordsAreRefused) {
  const Layout layout = through(2, 3, Port::east);
  for (const Way& way : kWays) {
    Fabric fabric = hosted_fabric(layout, hosted_machine(1), way);
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
}

}  // namespace
}  // namespace weft::test::host_words_test
