// Descriptions of devices, also of those that do not answer.
#include "engine/devices.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "device_engine/device_engine_test.hpp"

namespace weft::test::devices_test {
namespace {

class DescribedDevices : public DeviceEngineTest {
 protected:
  void SetUp() override {
    DeviceEngineTest::SetUp();
    cuda_on_host::control().multiprocessors = 132;
  }
};

TEST_F(DescribedDevices, OneIsDescribed) {
  const std::vector<engine::DeviceInfo> devices = engine::devices();
  ASSERT_EQ(devices.size(), 1U);
  const engine::DeviceInfo& device = devices[0];
  EXPECT_EQ(device.why_not, "");
  EXPECT_EQ(device.multiprocessors, cuda_on_host::control().multiprocessors);
  EXPECT_EQ(device.tile_width, 64);
  EXPECT_EQ(device.tile_height, 32);
  EXPECT_EQ(device.threads, 1024);
  EXPECT_GT(device.near_bytes, cuda_on_host::control().shared_bytes_per_block / 2);
  EXPECT_LE(device.near_bytes, cuda_on_host::control().shared_bytes_per_block);
  // 1 GiB in pages, 48 KiB and 1.5 more for each PE.
  EXPECT_EQ(device.largest_side, 136);
}

TEST_F(DescribedDevices, ThoseThatCannotBeCountedAreNone) {
  cuda_on_host::fail_next("cudaGetDeviceCount", cudaErrorECCUncorrectable);
  EXPECT_TRUE(engine::devices().empty());
  EXPECT_EQ(engine::devices().size(), 1U) << "it was reported once";
}

TEST_F(DescribedDevices, OneThatDoesNotAnswerDoesNotHideTheOthers) {
  cuda_on_host::control().devices = 3;
  static_cast<void>(engine::devices());  // what stays the same is asked once
  for (const char* question :
       {"cudaGetDevice", "cudaGetDeviceProperties", "cudaFuncGetAttributes", "cudaMemGetInfo",
        "cudaDeviceGetAttribute", "cudaOccupancyMaxActiveBlocksPerMultiprocessor"}) {
    SCOPED_TRACE(question);
    cuda_on_host::fail_next(question, cudaErrorECCUncorrectable);
    const std::vector<engine::DeviceInfo> devices = engine::devices();
    ASSERT_EQ(devices.size(), 3U);
    EXPECT_NE(devices[0].why_not.find("uncorrectable ECC error"), std::string::npos)
        << devices[0].why_not;
    EXPECT_NE(devices[0].name, "");
    for (const int i : {1, 2}) {
      EXPECT_EQ(devices[static_cast<std::size_t>(i)].why_not, "");
      EXPECT_EQ(devices[static_cast<std::size_t>(i)].largest_side, 136);
    }
  }
}

TEST_F(DescribedDevices, ADeviceThatDoesNotSayHowNewItIsCannotStep) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // in a process that has not yet asked
  EXPECT_EXIT(
      {
        cuda_on_host::fail_next("cudaDeviceGetAttribute", cudaErrorECCUncorrectable);
        const std::string first = engine::why_no_device_engine();
        const std::string then = engine::why_no_device_engine();
        std::exit(first.find("asking how new") != std::string::npos && then.empty() ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace weft::test::devices_test
