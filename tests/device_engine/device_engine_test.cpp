// The CUDA engine and its kernel as they are, on the host implementation of CUDA: bit for bit what
// the host engine does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "device_engine/same_state.hpp"
#include "differential/case.hpp"
#include "engine/clock.hpp"
#include "engine/device_engine.hpp"
#include "engine/engine.hpp"
#include "fabric/state.hpp"
#include "support/host_cuda.hpp"
#include "weft/weft.hpp"

namespace weft::test {
namespace {

using host_cuda::Order;

fabric::State state_of(const Case& c) {
  fabric::State state = fabric::build(layout_of(c), c.machine);
  if (c.memory_seed == 0) return state;
  state.touched_words = state.memory_words;
  for (int y = 0; y < c.height; ++y)
    for (int x = 0; x < c.width; ++x)
      for (std::size_t w = 0; w < state.memory_words; ++w)
        state.memory[(static_cast<std::size_t>(y * state.strips + x / model::kLanes) *
                          state.memory_words +
                      w) *
                         model::kLanes +
                     static_cast<std::size_t>(x % model::kLanes)] =
            initial_word(c.memory_seed, x, y, w);
  return state;
}

/// Runs both engines to a limit and compares everything.
void expect_same(const Case& c, int blocks_per_launch) {
  fabric::State on_host = state_of(c), on_device = state_of(c);
  model::Sizes sizes = on_device.sizes();
  engine::DeviceEngine device(on_device.view(), sizes);
  std::uint64_t cycle = 0;
  for (const std::uint64_t limit : {c.limit / 3, c.limit}) {
    const engine::RunResult a =
        engine::run_on_host(on_host.view(), cycle, {limit, 1, {}, engine::kMostCycles});
    const engine::RunResult b =
        device.run(on_device.view(), sizes, cycle, {limit, 1, {}, blocks_per_launch});
    ASSERT_EQ(static_cast<int>(a.stop), static_cast<int>(b.stop));
    ASSERT_EQ(a.cycle, b.cycle);
    ASSERT_EQ(a.skipped, b.skipped);
    ASSERT_EQ(difference(on_host, on_device), "");
    if (a.stop != engine::Stop::limit) return;
    cycle = a.cycle;
  }
}

class DeviceEngine : public testing::Test {
 protected:
  void SetUp() override { host_cuda::reset(); }
  void TearDown() override { EXPECT_EQ(host_cuda::objects_alive(), 0); }
};

TEST_F(DeviceEngine, StepsRandomFabricsAsTheHostDoes) {
  const int cases = 300;
  for (int seed = 1; seed <= cases; ++seed) {
    Case c = random_case(static_cast<std::uint64_t>(seed));
    c.limit = std::min<std::uint64_t>(c.limit, 400);
    SCOPED_TRACE(fmt::format("seed {}", seed));
    host_cuda::control().order = static_cast<Order>(seed % 3);
    host_cuda::control().seed = static_cast<std::uint64_t>(seed);
    host_cuda::control().multiprocessors = 1 + seed % 3;
    expect_same(c, 1 + seed % 5);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace weft::test
