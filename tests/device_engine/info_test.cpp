// Descriptions of devices, also of those that do not answer.
#include "cli/info.hpp"

#include <fmt/format.h>

#include "device_engine/device_engine_test.hpp"
#include "engine/devices.hpp"

namespace weft::test::info_test {
namespace {

class InfoOnDevices : public DeviceEngineTest {
 protected:
  void SetUp() override {
    DeviceEngineTest::SetUp();
    cuda_on_host::control().multiprocessors = 132;
  }

  /// The output of `weft info`.
  static std::string text() {
    testing::internal::CaptureStdout();
    EXPECT_EQ(cli::run_info({}), 0);
    return testing::internal::GetCapturedStdout();
  }
};

TEST_F(InfoOnDevices, OneIsDescribed) {
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

TEST_F(InfoOnDevices, ThoseThatCannotBeCountedAreNone) {
  cuda_on_host::fail_next("cudaGetDeviceCount", cudaErrorECCUncorrectable);
  EXPECT_TRUE(engine::devices().empty());
  EXPECT_EQ(engine::devices().size(), 1U) << "it was reported once";
}

TEST_F(InfoOnDevices, OneThatDoesNotAnswerDoesNotHideTheOthers) {
  const auto lines_of_devices = [](const std::string& all) {
    const std::size_t first = all.find("  CUDA device");
    return first == std::string::npos ? all : all.substr(first, all.find("  machine") - first);
  };
  cuda_on_host::control().devices = 3;
  static_cast<void>(text());  // what stays the same is asked once
  for (const char* question :
       {"cudaSetDevice", "cudaGetDeviceProperties", "cudaFuncGetAttributes", "cudaMemGetInfo",
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
  cuda_on_host::fail_next("cudaGetDeviceProperties", cudaErrorECCUncorrectable);
  const std::string shown = lines_of_devices(text());
  EXPECT_EQ(shown.find("  CUDA device    number 0\n                 the CUDA device failed"), 0U)
      << shown;
  const std::size_t second = shown.find("  CUDA device    CUDA on the host, 1.0 GiB");
  ASSERT_NE(second, std::string::npos) << shown;
  EXPECT_NE(shown.find("largest square mesh that fits: 136 x 136 PEs", second), std::string::npos)
      << shown;
  EXPECT_NE(shown.find("  CUDA device    CUDA on the host, 1.0 GiB", second + 1), std::string::npos)
      << shown;
}

TEST_F(InfoOnDevices, ADeviceThatDoesNotSayHowNewItIsCannotStep) {
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
}  // namespace weft::test::info_test
