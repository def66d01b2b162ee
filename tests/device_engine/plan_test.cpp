// Plans on the CUDA engine, through the library's interface, and what `automatic` chooses.
#include "device_engine/device_engine_test.hpp"
#include "device_engine/same_run.hpp"
#include "io/volume_file.hpp"
#include "support/expect_error.hpp"
#include "weft/fft.hpp"

namespace weft::test::plan_test {
namespace {

class PlanOnADevice : public DeviceEngineTest {
 protected:
  static FftRun run(Engine engine, bool data = true) {
    constexpr std::size_t n = 4;
    FftOptions options;
    options.engine = engine;
    options.data = data;
    const FftPlan plan({n, n, n}, FftPrecision::fp32, std::move(options));
    return plan.forward(io::random_volume({n, n, n}, 3));
  }
  static void leave_little_memory() { cuda_on_host::control().memory_bytes = 1 << 20; }
};

TEST_F(PlanOnADevice, GivesTheSameBitsCyclesAndCounters) {
  const FftRun host = run(Engine::host), cuda = run(Engine::cuda);
  expect_same(host, cuda);
  EXPECT_EQ(host.report.pe_cycles, cuda.report.pe_cycles);
}

TEST_F(PlanOnADevice, WithoutDataTakesTheSameCycles) {
  const FftRun with = run(Engine::cuda), without = run(Engine::cuda, false);
  EXPECT_EQ(without.report.engine, Engine::cuda);
  EXPECT_TRUE(without.output.data.empty());
  EXPECT_EQ(with.report.cycles, without.report.cycles);
  EXPECT_EQ(with.report.counters.hops, without.report.counters.hops);
}

TEST_F(PlanOnADevice, AutomaticTakesTheHostWhichIsQuicker) {
  EXPECT_EQ(run(Engine::automatic).report.engine, Engine::host);
}

TEST_F(PlanOnADevice, AutomaticAsksForNoDevice) {
  leave_little_memory();
  EXPECT_EQ(run(Engine::automatic).report.engine, Engine::host);
  cuda_on_host::control().devices = 0;
  EXPECT_EQ(run(Engine::automatic).report.engine, Engine::host);
  EXPECT_EQ(cuda_on_host::counters().launches, 0);
}

TEST_F(PlanOnADevice, AnErrorSaysThatTheDeviceIsTooSmall) {
  leave_little_memory();
  expect_error(
      ErrorCategory::environment, [] { run(Engine::cuda); }, "exceed the CUDA device's memory",
      "they take 1.6 MiB of its memory, and 1.0 of 1.0 are free", "use the host engine");
}

}  // namespace
}  // namespace weft::test::plan_test
