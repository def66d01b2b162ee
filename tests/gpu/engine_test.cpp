// Plans on the CUDA engine beside the host engine, through the library's interface.
// tests/device_engine has more, on a host implementation of CUDA.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "engine/devices.hpp"
#include "gpu/transform_name.hpp"
#include "io/volume_file.hpp"
#include "weft/fft.hpp"

namespace weft::test::engine_test {
namespace {

using Case = std::tuple<std::size_t, FftPrecision, FftDirection>;

class EngineOnAGpu : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (const std::string why = why_absent(Engine::cuda); !why.empty()) GTEST_SKIP() << why;
  }

  static FftRun run(Engine engine) {
    const auto [n, precision, direction] = GetParam();
    FftOptions options;
    options.engine = engine;
    const FftPlan plan({n, n, n}, precision, std::move(options));
    return plan.run(io::random_volume({n, n, n}, 7), direction);
  }
};

TEST_P(EngineOnAGpu, GivesTheSameBitsCyclesAndCounters) {
  const FftRun host = run(Engine::host), cuda = run(Engine::cuda);
  EXPECT_EQ(host.output.data, cuda.output.data);
  EXPECT_EQ(host.report.cycles, cuda.report.cycles);
  EXPECT_EQ(host.report.counters.wavelets, cuda.report.counters.wavelets);
  EXPECT_EQ(host.report.counters.hops, cuda.report.counters.hops);
}

std::string name_of(const testing::TestParamInfo<Case>& transform) {
  const auto [n, precision, direction] = transform.param;
  return transform_name(static_cast<int>(n), precision, direction);
}

INSTANTIATE_TEST_SUITE_P(Transforms, EngineOnAGpu,
                         testing::Combine(testing::Values(4, 16, 128),
                                          testing::Values(FftPrecision::fp16, FftPrecision::fp32),
                                          testing::Values(FftDirection::forward,
                                                          FftDirection::inverse)),
                         name_of);

TEST(DevicesOfAGpuHost, AreDescribed) {
  if (const std::string why = why_absent(Engine::cuda); !why.empty()) GTEST_SKIP() << why;
  for (const engine::DeviceInfo& device : engine::devices()) {
    EXPECT_NE(device.name, "");
    EXPECT_LE(device.registers, 128);
    EXPECT_GE(device.largest_side, 32);
  }
}

}  // namespace
}  // namespace weft::test::engine_test
