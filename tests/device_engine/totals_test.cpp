// Sums of the device over all tiles: none is missed, and none counted twice. Twins compares the
// sums of every other run.
#include <fmt/format.h>

#include <tuple>

#include "device_engine/device_engine_test.hpp"
#include "support/broadcast.hpp"
#include "support/mesh.hpp"

namespace weft::test::totals_test {
namespace {

constexpr std::uint64_t kLimit = 100000;

/// Width, height and multiprocessors.
class TotalsOnADevice : public DeviceEngineTest,
                        public testing::WithParamInterface<std::tuple<int, int, int>> {};

TEST_P(TotalsOnADevice, AreTheSumsOfAllTiles) {
  const auto [width, height, multiprocessors] = GetParam();
  if (sanitized() && width * height > 400) GTEST_SKIP() << "too slow under a sanitizer";
  for (const auto order : {cuda_on_host::Order::sequential, cuda_on_host::Order::reverse}) {
    cuda_on_host::control().order = order;
    cuda_on_host::control().multiprocessors = multiprocessors;
    const Broadcast broadcast{width, height, 1, Heading::east};
    Twins twins({broadcast.layout(), Machine{}, false});
    EXPECT_EQ(twins.run(kLimit).stop, engine::Stop::quiet);
    EXPECT_GT(twins.on_device->totals().hops, static_cast<std::uint64_t>(width));
    EXPECT_EQ(twins.on_device->totals(), twins.on_host->totals());
  }
}

// One patch; several tiles; tiles of several sets of threads.
INSTANTIATE_TEST_SUITE_P(Meshes, TotalsOnADevice,
                         testing::Values(std::tuple(4, 1, 1), std::tuple(64, 5, 4),
                                         std::tuple(65, 3, 1), std::tuple(192, 4, 1),
                                         std::tuple(256, 8, 1), std::tuple(100, 30, 4)),
                         [](const auto& mesh) {
                           return fmt::format("{}x{}on{}", std::get<0>(mesh.param),
                                              std::get<1>(mesh.param), std::get<2>(mesh.param));
                         });

TEST_F(DeviceEngineTest, TotalsAreZeroBeforeTheFirstRun) {
  const Twins twins({Broadcast{3, 2, 1, Heading::east}.layout()});
  EXPECT_EQ(twins.on_device->totals(), engine::Totals{});
}

}  // namespace
}  // namespace weft::test::totals_test
