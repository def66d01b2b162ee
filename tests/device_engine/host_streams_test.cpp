// Host streams of a fabric that a device has: words, cycles and errors are those of the host engine
// and of the specification.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "device_engine/device_engine_test.hpp"
#include "pe/build/host_links.hpp"
#include "support/effort.hpp"
#include "support/expect_error.hpp"
#include "support/hosted.hpp"

namespace weft::test::device_host_streams_test {
namespace {

using Words = std::vector<std::uint32_t>;

/// Words that a free link of one cycle carries in a launch.
constexpr int kLent = static_cast<int>(pe::kLentBlocks * pe::kLentCycles);

class HostStreamsOnADevice : public DeviceEngineTest {};

Fabric on(Engine engine, const Layout& layout, const Machine& m, bool data = true) {
  FabricOptions options;
  options.engine = engine;
  options.data = data;
  return {layout, m, options};
}

/// All that one sees of a run: its end, words at the host, counters.
std::string end_of(Fabric& fabric, const Layout& layout, std::uint64_t limit) {
  std::string text = fmt::format("end {}", static_cast<int>(fabric.run(limit)));
  const FabricCounters c = fabric.counters();
  text += fmt::format(" at {}: {} wavelets, {} hops, {} delivered;", c.cycle, c.wavelets, c.hops,
                      c.delivered);
  for (const Layout::HostStream& s : layout.host_streams())
    text += fmt::format(" {} {}", s.name, fmt::join(fabric.host_words(s.name), ","));
  return text;
}

void expect_alike(const Layout& layout, const Machine& m, const auto& use) {
  const auto on_host = use(on(Engine::host, layout, m));
  EXPECT_EQ(use(on(Engine::cuda, layout, m)), on_host);
  EXPECT_EQ(use(on(Engine::reference, layout, m)), on_host);
}

TEST_F(HostStreamsOnADevice, PassThroughTilesInEachDirection) {
  cuda_on_host::control().multiprocessors = 4;
  for (const Port to : {Port::west, Port::east, Port::north, Port::south})
    for (const int link_cycles : {1, 3}) {
      const Layout layout = through(19, 11, to);
      expect_alike(layout, hosted_machine(link_cycles), [&](Fabric fabric) {
        const auto pes = static_cast<int>(fabric.host_words("in").size());
        fabric.send("in", counting(5 * pes));
        std::vector<std::string> all{end_of(fabric, layout, 7), end_of(fabric, layout, 400)};
        fabric.send("in", counting(2 * pes, 100));
        all.push_back(end_of(fabric, layout, 800));
        all.push_back(fmt::format("{}", fmt::join(fabric.receive<std::uint32_t>("out"), ",")));
        return all;
      });
    }
}

// More than the host lends at once.
TEST_F(HostStreamsOnADevice, CarryAnyNumberOfWords) {
  const Layout layout = through(2, 1, Port::east);
  constexpr int kCount = 2 * kLent + 77;
  Fabric fabric = on(Engine::cuda, layout, hosted_machine(1));
  fabric.send("in", counting(kCount));
  fabric.run_until_idle(100'000);
  EXPECT_EQ(fabric.receive<std::uint32_t>("out"), counting(kCount));
  EXPECT_EQ(fabric.cycle(), static_cast<std::uint64_t>(kCount) + 2);
  EXPECT_GT(cuda_on_host::counters().launches, 2);
}

// The clock jumps from word to word, so a launch spans more cycles than it steps.
TEST_F(HostStreamsOnADevice, CarryAnyNumberOfWordsThatComeSeldom) {
  const Layout layout = through(2, 1, Port::east);
  constexpr int kCount = 700;
  constexpr int kLinkCycles[] = {23, 31, 32, 100, 65536};
  for (int i = first_of(5); i < 5; i += one_of(5)) {
    const int link_cycles = kLinkCycles[i];
    SCOPED_TRACE(fmt::format("a word in {} cycles", link_cycles));
    Fabric fabric = on(Engine::cuda, layout, hosted_machine(link_cycles));
    fabric.send("in", counting(kCount));
    fabric.run_until_idle(100'000'000);
    EXPECT_EQ(fabric.receive<std::uint32_t>("out"), counting(kCount));
    EXPECT_EQ(fabric.cycle(), std::uint64_t{kCount} * static_cast<unsigned>(link_cycles) + 2);
  }
}

// The device has their words one behind the other.
TEST_F(HostStreamsOnADevice, PesSideBySideSendAnyNumberOfWords) {
  const Rect both{0, 0, 2, 1};
  constexpr int kCount = 300;
  Words words = counting(kCount);
  for (const std::uint32_t word : counting(kCount, 1000)) words.push_back(word);
  for (const int link_cycles : {1, 23, 100, 65536}) {
    SCOPED_TRACE(fmt::format("a word in {} cycles", link_cycles));
    Mesh mesh(2, 1, hosted_machine(link_cycles));
    mesh.pe(0).send(1, 6, counting(kCount));
    mesh.pe(1).send(1, 6, counting(kCount, 1000));
    Layout layout = mesh.layout();
    layout.host_output("out", both, Port::north, 6);
    layout.route(both, 6, {.rx = Port::ramp, .tx = Port::north});
    std::vector<std::uint64_t> cycles;
    for (const Engine engine : {Engine::cuda, Engine::host}) {
      Fabric fabric = on(engine, layout, hosted_machine(link_cycles));
      mesh.fill(fabric);
      fabric.run_until_idle(100'000'000);
      EXPECT_EQ(fabric.receive<std::uint32_t>("out"), words);
      cycles.push_back(fabric.cycle());
    }
    EXPECT_EQ(cycles[0], cycles[1]);
  }
}

TEST_F(HostStreamsOnADevice, AFullArrayKeepsWaveletsInTheFabric) {
  Layout layout(2, 1);
  layout.host_output("out", {1, 0, 1, 1}, Port::east, 4, 3);
  layout.host_input("in", {0, 0, 1, 1}, Port::west, 4);
  layout.route({0, 0, 2, 1}, 4, {.rx = Port::west, .tx = Port::east});
  expect_alike(layout, hosted_machine(1), [&](Fabric fabric) {
    fabric.send("in", counting(20));
    std::vector<std::string> all;
    Words words;
    while (words.size() < 20) {
      try {
        fabric.run_until_idle(10'000);
      } catch (const DeadlockError& e) {
        all.push_back(explain(e.report()));
      }
      for (const std::uint32_t word : fabric.receive<std::uint32_t>("out")) words.push_back(word);
      all.push_back(std::to_string(fabric.cycle()));
    }
    EXPECT_EQ(words, counting(20));
    return all;
  });
}

/// A program adds up what comes, whenever the host starts its task, and sends sums back.
TEST_F(HostStreamsOnADevice, TasksThatTheHostActivatesReceiveAndSend) {
  const Rect pe{0, 0, 1, 1};
  Mesh mesh(1, 1, hosted_machine(2));
  mesh.pe(0).receive(0, 5).send(1, 6, counting(5, 10));
  Layout layout = mesh.layout();
  layout.host_input("in", pe, Port::west, 5);
  layout.host_output("out", pe, Port::east, 6);
  layout.route(pe, 5, {.rx = Port::west, .tx = Port::ramp, .input_queue = 0});
  layout.route(pe, 6, {.rx = Port::ramp, .tx = Port::east});
  expect_alike(layout, hosted_machine(2), [&](Fabric fabric) {
    mesh.fill(fabric);
    std::vector<std::string> all{end_of(fabric, layout, 20)};  // it waits for words
    fabric.send("in", counting(5));
    all.push_back(end_of(fabric, layout, 1000));
    all.push_back(fmt::format("{}", fmt::join(fabric.receive<std::uint32_t>("out"), ",")));
    return all;
  });
}

TEST_F(HostStreamsOnADevice, WithoutDataTheyTakeTheSameCycles) {
  const Layout layout = through(5, 3, Port::east);
  Fabric without = on(Engine::cuda, layout, hosted_machine(3), false),
         with = on(Engine::host, layout, hosted_machine(3));
  for (Fabric* fabric : {&without, &with}) {
    fabric->send("in", counting(30));
    fabric->run_until_idle(1000);
  }
  EXPECT_EQ(without.cycle(), with.cycle());
  EXPECT_EQ(without.host_words("out"), with.host_words("out"));
  EXPECT_THROW(without.receive<float>("out"), Error);
}

// Words have left the host already.
TEST_F(HostStreamsOnADevice, AFailureOfALaterLaunchLosesTheFabric) {
  const Layout layout = through(2, 1, Port::east);
  FabricOptions options;
  options.engine = Engine::cuda;
  Fabric fabric(layout, hosted_machine(1), options);
  fabric.send("in", counting(2 * kLent));
  cuda_on_host::fail_next("cudaLaunchCooperativeKernel", cudaErrorLaunchFailure);
  EXPECT_THROW(fabric.run_until_idle(100'000), Error);
  fabric.run(5);  // nothing had happened: it begins anew
  EXPECT_EQ(fabric.host_words("in").front(), 2U * kLent - 5U);
  cuda_on_host::fail_next("cudaLaunchCooperativeKernel", cudaErrorLaunchFailure);
  EXPECT_THROW(fabric.run_until_idle(100'000), Error);
  expect_error(
      ErrorCategory::usage, [&] { fabric.send("in", counting(1)); }, "the fabric is lost");
}

}  // namespace
}  // namespace weft::test::device_host_streams_test
