// Sums of the device over all strips: none is missed, and none counted twice. Twins compares the
// sums of every other run.
#include <fmt/format.h>

#include <random>
#include <tuple>

#include "device_engine/device_engine_test.hpp"
#include "support/mesh.hpp"

namespace weft::test::totals_test {
namespace {

/// Width, height and multiprocessors.
class TotalsOnADevice : public DeviceEngineTest,
                        public testing::WithParamInterface<std::tuple<int, int, int>> {};

/// A mesh of which each strip has counted numbers of its own, large ones.
fabric::State counted(int width, int height) {
  Machine machine;
  machine.pe_memory_bytes = 1024;
  fabric::State state = fabric::build(Layout(width, height), machine);
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < state.strip_count(); ++i) {
    model::StripState& strip = state.strip[i];
    for (std::uint64_t* n : {&strip.wavelets, &strip.hops, &strip.delivered, &strip.filtered})
      *n = random() >> 16U;
  }
  return state;
}

TEST_P(TotalsOnADevice, AreTheSumsOfAllStrips) {
  const auto [width, height, multiprocessors] = GetParam();
  if (sanitized() && width * height > 400) GTEST_SKIP() << "too slow under a sanitizer";
  for (const auto order : {cuda_on_host::Order::sequential, cuda_on_host::Order::reverse}) {
    cuda_on_host::control().order = order;
    cuda_on_host::control().multiprocessors = multiprocessors;
    Twins twins([w = width, h = height] { return counted(w, h); });
    EXPECT_EQ(twins.run(1).stop, engine::Stop::quiet);
    EXPECT_GT(twins.device_totals().hops, 0U);
  }
}

// One strip; a warp each of some blocks; blocks of one to 16 warps; more strips than all threads.
INSTANTIATE_TEST_SUITE_P(Meshes, TotalsOnADevice,
                         testing::Values(std::tuple(1, 1, 1), std::tuple(64, 5, 4),
                                         std::tuple(65, 3, 1), std::tuple(192, 4, 1),
                                         std::tuple(960, 2, 1), std::tuple(1024, 4, 1),
                                         std::tuple(512, 70, 1)),
                         [](const auto& mesh) {
                           return fmt::format("{}x{}on{}", std::get<0>(mesh.param),
                                              std::get<1>(mesh.param), std::get<2>(mesh.param));
                         });

TEST_F(DeviceEngineTest, TotalsAreZeroBeforeTheFirstRun) {
  fabric::State state = counted(3, 2);
  const engine::DeviceEngine device(state.view(), state.sizes());
  EXPECT_EQ(device.totals(), engine::Totals{});
}

}  // namespace
}  // namespace weft::test::totals_test
