// A deadlock on the CUDA engine: the same report, word by word.
#include "device_engine/device_engine_test.hpp"
#include "support/deadlocks.hpp"
#include "support/effort.hpp"

namespace weft::test::deadlock_test {
namespace {

class DeadlockOnADevice : public DeviceEngineTest {};

TEST_F(DeadlockOnADevice, GivesTheSameReport) {
  for (const PlantedDeadlock& planted : planted_deadlocks()) {
    // It is found after 65,536 cycles.
    if (looks_for_races() && planted.kind == DeadlockKind::routes_in_circle) continue;
    FabricOptions on_device;
    on_device.engine = Engine::cuda;
    EXPECT_EQ(report_of(planted.layout, on_device), report_of(planted.layout)) << planted.name;
  }
}

TEST_F(DeadlockOnADevice, WithoutTallies) {
  FabricOptions on_device, on_host;
  on_device.engine = Engine::cuda;
  on_device.tally = on_host.tally = false;
  EXPECT_EQ(report_of(late_limit(), on_device), report_of(late_limit(), on_host));
}

TEST_F(DeadlockOnADevice, HasTheSameProfile) {
  const auto profile = [](Engine engine) {
    FabricOptions options;
    options.engine = engine;
    options.observe = {true, 16};
    Fabric fabric(late_limit(), Machine{}, options);
    try {
      fabric.run_until_idle(5000);
    } catch (const DeadlockError& error) {
      return *error.profile();
    }
    return Profile{};
  };
  const Profile device = profile(Engine::cuda);
  EXPECT_GT(device.cycles, 0U);
  EXPECT_EQ(device, profile(Engine::host));
}

}  // namespace
}  // namespace weft::test::deadlock_test
