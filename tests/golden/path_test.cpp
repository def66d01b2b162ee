// Critical paths of five programs, piece by piece: a change of a rule that finds them changes these
// numbers. The engines agree, and the pieces add up to the run.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "weft/design.hpp"
#include "weft/explanation.hpp"
#include "weft/fabric.hpp"
#include "weft/fft.hpp"
#include "weft/neighbor_patterns.hpp"
#include "weft/patterns.hpp"

namespace weft::test::path_test {
namespace {

using Kinds = std::map<std::string, std::uint64_t>;

/// The cycles of each kind of piece.
Kinds kinds_of(const Profile& profile) {
  Kinds kinds;
  std::uint64_t sum = 0, at = 0;
  for (const PathPiece& piece : profile.path) {
    EXPECT_EQ(piece.from, at);
    at = piece.to;
  }
  EXPECT_EQ(at, profile.cycles);
  for (const PathShare& share : explain(profile).path.kinds) {
    kinds[share.what] += share.cycles;
    sum += share.cycles;
  }
  EXPECT_EQ(sum, profile.cycles);
  return kinds;
}

/// Of a program on both engines that find paths.
Kinds kinds_of(const Design& design, const std::function<void(Fabric&)>& write = {}) {
  Kinds kinds;
  for (const Engine engine : {Engine::reference, Engine::host}) {
    FabricOptions options;
    options.engine = engine;
    options.observe = {.counts = true, .path = true};
    Fabric fabric = design.fabric({}, options);
    if (write) write(fabric);
    fabric.run_until_idle(1'000'000);
    const Kinds found = kinds_of(fabric.profile());
    if (engine == Engine::host) {
      EXPECT_EQ(found, kinds);
    }
    kinds = found;
  }
  return kinds;
}

TEST(Path, OfAStreamHasItsWay) {
  constexpr int kWidth = 5, kLength = 20;
  Design d(kWidth, 1);
  const Broadcast send(d, d.all(), Along::rows, 0);
  d.program(d.all(), "send",
            [&](PeProgram& pe) { send.broadcast(pe, pe.array<float>("v", kLength)); });
  const Kinds kinds = kinds_of(d);
  const Machine machine;
  EXPECT_EQ(kinds.at("on the way"), static_cast<std::uint64_t>(2 * machine.ramp_cycles + 1 +
                                                               (kWidth - 1) * machine.hop_cycles));
  EXPECT_EQ(kinds.at("streaming"), std::uint64_t{kLength} - 1);
}

TEST(Path, OfBroadcastsInTurn) {
  Design d(8, 1);
  std::vector<Broadcast> sends;
  for (int root = 0; root < 8; ++root)
    sends.emplace_back(d, d.all(), Along::rows, root, fmt::format("from {}", root));
  d.program(d.all(), "turns", [&](PeProgram& pe) {
    for (int root = 0; root < 8; ++root)
      sends[static_cast<std::size_t>(root)].broadcast(
          pe, pe.array<float>(fmt::format("part {}", root), 64));
  });
  EXPECT_EQ(kinds_of(d), (Kinds{{"computing", 37},
                                {"ending", 2},
                                {"on the way", 302},
                                {"streaming", 256},
                                {"task start", 10},
                                {"turn-around", 35},
                                {"waits for the ramp", 124}}));
}

TEST(Path, OfAHaloExchange) {
  Design d(6, 5);
  const HaloExchange halo(d, d.all());
  d.program(d.all(), "halo", [&](PeProgram& pe) {
    const PeVector u = pe.array<float>("u", {10, 10});
    for (int step = 0; step < 2; ++step) {
      halo.exchange(pe, u);
      pe.mul(u, u, 0.5F);
    }
  });
  EXPECT_EQ(kinds_of(d), (Kinds{{"behind another wavelet", 1},
                                {"computing", 276},
                                {"ending", 2},
                                {"on the way", 14},
                                {"streaming", 5},
                                {"task start", 162},
                                {"waits for the ramp", 40}}));
}

TEST(Path, OfAGather) {
  Design d(6, 1);
  const Gather gather(d, d.all(), Along::rows);
  d.program(d.all(), "gather", [&](PeProgram& pe) {
    gather.gather(pe, pe.array<float>("part", 10), pe.array<float>("all", 60));
  });
  EXPECT_EQ(kinds_of(d), (Kinds{{"computing", 24},
                                {"ending", 2},
                                {"on the way", 6},
                                {"streaming", 48},
                                {"task start", 10},
                                {"turn-around", 5}}));
}

TEST(Path, OfARing) {
  Design d(6, 1);
  const RingTranspose ring(d, d.all(), Along::rows);
  d.program(d.all(), "ring", [&](PeProgram& pe) {
    ring.transpose(pe, pe.array<float>("out", 48), pe.array<float>("in", 48));
  });
  EXPECT_EQ(kinds_of(d), (Kinds{{"computing", 403},
                                {"ending", 2},
                                {"on the way", 7},
                                {"streaming", 3},
                                {"task start", 97},
                                {"waits for the ramp", 1}}));
}

TEST(Path, OfATransform) {
  FftOptions options;
  options.observe = {.counts = true, .path = true};
  options.data = false;
  const FftPlan plan({8, 8, 8}, FftPrecision::fp32, options);
  const FftRun run = plan.run(Volume{}, FftDirection::forward);
  EXPECT_EQ(kinds_of(*run.report.profile), (Kinds{{"computing", 1745},
                                                  {"ending", 2},
                                                  {"on the way", 88},
                                                  {"streaming", 80},
                                                  {"task start", 96},
                                                  {"turn-around", 956},
                                                  {"waits for the ramp", 2}}));
}

}  // namespace
}  // namespace weft::test::path_test
