// The timeline of docs/model.md: two wavelets on their way through three PEs, looked at after each
// cycle, on the host and on the specification. To rewrite it:
//   WEFT_UPDATE_DOCS=1 build/release/tests/weft-test-unit --gtest_filter='*Timeline.*'
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "fabric/stepper/stepper.hpp"
#include "paths.hpp"
#include "support/generated_text.hpp"
#include "weft/weft.hpp"

namespace weft::test::timeline_test {
namespace {

constexpr int kPes = 3, kColor = 3, kQueue = 0;
constexpr std::uint32_t kUntouched = 0xdeadbeef;
constexpr std::array<std::uint32_t, 2> kWavelets = {'a', 'b'};  // payloads, and their names
constexpr std::uint64_t kLimit = 200;

/// The columns of the table, in the order of a wavelet's way.
enum Place { sender, ramp_down, router_0, link_0, router_1, link_1, router_2, ramp_up, receiver };
constexpr const char* kHeadings[] = {"core of PE 0",   "its ramp",       "its router",
                                     "link",           "router of PE 1", "link",
                                     "router of PE 2", "its ramp",       "its core"};
constexpr std::size_t kPlaces = std::size(kHeadings);

/// The names of the wavelets that are in each place: of queues at the end of the cycle, of cores
/// and links those that passed in it.
using Row = std::array<std::string, kPlaces>;

/// One vector instruction, from memory to the fabric or back.
Program mover(const std::string& name, bool sends) {
  ProgramBuilder b(name);
  const MemorySpan words = b.reserve("words", 4 * kWavelets.size());
  const Dsr memory{0}, fabric{1};
  b.start(b.local_task(0));
  b.dbase(memory, static_cast<std::int32_t>(words.address));
  b.dlen(memory, kWavelets.size());
  b.dstride(memory, 1);
  if (sends) {
    b.dfabout(fabric, kQueue, kColor);
    b.vmov32(fabric, memory);
  } else {
    b.dfabin(fabric, kQueue);
    b.dlen(fabric, kWavelets.size());
    b.vmov32(memory, fabric);
  }
  b.end();
  return b.build();
}

class Way {
 public:
  explicit Way(Engine engine) {
    Layout layout(kPes, 1);
    const Program send = mover("sender", true), receive = mover("receiver", false);
    layout.place({0, 0, 1, 1}, send);
    layout.place({kPes - 1, 0, 1, 1}, receive);
    layout.route({0, 0, 1, 1}, kColor, {Port::ramp, Port::east});
    layout.route({1, 0, 1, 1}, kColor, {Port::west, Port::east});
    Route stop{Port::west, Port::ramp};
    stop.input_queue = kQueue;
    layout.route({kPes - 1, 0, 1, 1}, kColor, stop);
    FabricOptions options;
    options.engine = engine;
    stepper_ = fabric::make_stepper(layout, Machine{}, options);
    first_ = receive.symbols.at("words").address / 4;
    stepper_->write({0, 0, 1, 1}, send.symbols.at("words").address / 4, kWavelets);
    stepper_->write({kPes - 1, 0, 1, 1}, first_, std::vector(kWavelets.size(), kUntouched));
  }

  /// Steps one cycle and looks where the wavelets are.
  Row step() {
    engine::RunOptions options;
    options.limit = ++cycle_;
    options.pause = {};
    stepper_->run(options);
    std::map<std::uint32_t, Place> now;
    for (int x = 0; x < kPes; ++x) look(x, now);
    std::vector<std::uint32_t> words(kWavelets.size());
    stepper_->read({kPes - 1, 0, 1, 1}, first_, words);
    for (const std::uint32_t word : words)
      if (word != kUntouched) now[word] = receiver;
    Row row;
    for (const auto& [wavelet, place] : now) add(row, wavelet, place);
    seen_ = now;
    return row;
  }

  /// Of links, as the engine counts them.
  std::uint64_t hops() const { return stepper_->totals().hops; }
  bool has_begun() const { return !seen_.empty(); }
  bool has_ended() const {
    return seen_.size() == kWavelets.size() &&
           std::ranges::all_of(seen_, [](const auto& one) { return one.second == receiver; });
  }

 private:
  /// All wavelets that are in PE x. One that a look finds twice fails.
  void look(int x, std::map<std::uint32_t, Place>& now) const {
    const fabric::PeState pe = stepper_->pe_state(x, 0);
    const auto found = [&](const std::vector<fabric::HeldWavelet>& held, Place place) {
      for (const fabric::HeldWavelet& wavelet : held)
        EXPECT_TRUE(now.emplace(wavelet.payload, place).second) << "cycle " << cycle_;
    };
    constexpr Place kRouters[kPes] = {router_0, router_1, router_2};
    for (const fabric::Channel& channel : pe.channels)
      for (const auto& queue : channel.queue) found(queue, kRouters[x]);
    for (const fabric::RampFacts& queue : pe.output) found(queue.wavelets, ramp_down);
    for (const fabric::RampFacts& queue : pe.input) found(queue.wavelets, ramp_up);
  }

  /// Puts the wavelet where it is, and where it has passed since the cycle before.
  void add(Row& row, std::uint32_t wavelet, Place place) {
    const auto before = seen_.find(wavelet);
    const Place last = before == seen_.end() ? sender : before->second;
    if (last == receiver) return;
    const auto mark = [&](Place at) { row[at] += static_cast<char>(wavelet); };
    if (before == seen_.end()) mark(sender);
    if (last == router_0 && place == router_1) mark(link_0);
    if (last == router_1 && place == router_2) mark(link_1);
    mark(place);
  }

  std::unique_ptr<fabric::Stepper> stepper_;
  std::uint32_t first_ = 0;
  std::uint64_t cycle_ = 0;
  std::map<std::uint32_t, Place> seen_;
};

/// From the cycle in which the first wavelet's element is done, to that in which memory has both.
std::vector<Row> timeline(Engine engine) {
  Way way(engine);
  std::vector<Row> rows;
  for (std::uint64_t n = 0; n < kLimit && !way.has_ended(); ++n) {
    const std::uint64_t hops = way.hops();
    const Row row = way.step();
    EXPECT_EQ(way.hops() - hops, row[link_0].size() + row[link_1].size()) << "cycle " << n;
    if (way.has_begun()) rows.push_back(row);
  }
  EXPECT_TRUE(way.has_ended());
  return rows;
}

std::string table(const std::vector<Row>& rows) {
  std::string text = "| cycle |";
  for (const char* heading : kHeadings) text += fmt::format(" {} |", heading);
  text += "\n| ---: |";
  for (std::size_t n = 0; n < kPlaces; ++n) text += " --- |";
  for (std::size_t n = 0; n < rows.size(); ++n) {
    text += fmt::format("\n| {} |", n);
    for (const std::string& cell : rows[n])
      text += cell.empty() ? " |" : fmt::format(" {} |", cell);
  }
  return text + "\n";
}

class Timeline : public testing::TestWithParam<Engine> {};

TEST_P(Timeline, IsThatOfTheModel) {
  expect_generated(WEFT_SOURCE_DIR "/docs/model.md", "timeline", table(timeline(GetParam())));
}

/// The rules of docs/model.md in numbers: the table cannot be rewritten to something else.
TEST_P(Timeline, FollowsTheRules) {
  const std::vector<Row> rows = timeline(GetParam());
  const Machine m;
  const auto ramp = static_cast<std::size_t>(m.ramp_cycles);
  const auto hop = static_cast<std::size_t>(m.hop_cycles);
  for (std::size_t n = 0; n < kWavelets.size(); ++n) {
    const auto only = [&](Place place) {
      std::vector<std::size_t> cycles;
      for (std::size_t cycle = 0; cycle < rows.size(); ++cycle)
        if (rows[cycle][place].find(static_cast<char>(kWavelets[n])) != std::string::npos)
          cycles.push_back(cycle);
      return cycles;
    };
    const auto from_to = [](std::size_t from, std::size_t to) {
      std::vector<std::size_t> cycles(to - from);
      std::iota(cycles.begin(), cycles.end(), from);
      return cycles;
    };
    const std::size_t sent = n, entered = sent + ramp, left = entered + 1, tapped = left + 2 * hop;
    EXPECT_EQ(only(sender), from_to(sent, sent + 1));
    EXPECT_EQ(only(ramp_down), from_to(sent, entered));
    EXPECT_EQ(only(router_0), from_to(entered, left));
    EXPECT_EQ(only(link_0), from_to(left, left + 1));
    EXPECT_EQ(only(router_1), from_to(left, left + hop));
    EXPECT_EQ(only(link_1), from_to(left + hop, left + hop + 1));
    EXPECT_EQ(only(router_2), from_to(left + hop, tapped));
    EXPECT_EQ(only(ramp_up), from_to(tapped, tapped + ramp));
    EXPECT_EQ(only(receiver), from_to(tapped + ramp, tapped + ramp + 1));
    EXPECT_EQ(tapped + ramp - sent, 2 * ramp + 1 + 2 * hop);
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, Timeline, testing::Values(Engine::host, Engine::reference),
                         [](const auto& one) { return std::string(to_string(one.param)); });

}  // namespace
}  // namespace weft::test::timeline_test
