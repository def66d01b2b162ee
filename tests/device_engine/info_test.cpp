// What `weft info` shows of devices, also of those that do not answer.
#include "cli/info.hpp"

#include <gtest/gtest.h>

#include <string>

#include "device_engine/device_engine_test.hpp"

namespace weft::test::info_test {
namespace {

class InfoOnDevices : public DeviceEngineTest {};

/// The lines of devices in the output of `weft info`.
std::string shown_devices() {
  testing::internal::CaptureStdout();
  EXPECT_EQ(cli::run_info({}), 0);
  const std::string all = testing::internal::GetCapturedStdout();
  const std::size_t first = all.find("  CUDA device");
  return first == std::string::npos ? all : all.substr(first, all.find("  machine") - first);
}

TEST_F(InfoOnDevices, ShowsTheErrorOfOneAndDescribesTheOthers) {
  cuda_on_host::control().multiprocessors = 132;
  cuda_on_host::control().devices = 3;
  static_cast<void>(shown_devices());  // what stays the same is asked once
  cuda_on_host::fail_next("cudaGetDeviceProperties", cudaErrorECCUncorrectable);
  const std::string shown = shown_devices();
  EXPECT_EQ(shown.find("  CUDA device    number 0\n                 the CUDA device failed"), 0U)
      << shown;
  const std::size_t second = shown.find("  CUDA device    CUDA on the host, 1.0 GiB");
  ASSERT_NE(second, std::string::npos) << shown;
  EXPECT_NE(shown.find("largest square mesh that fits: 136 x 136 PEs", second), std::string::npos)
      << shown;
  EXPECT_NE(shown.find("  CUDA device    CUDA on the host, 1.0 GiB", second + 1), std::string::npos)
      << shown;
}

}  // namespace
}  // namespace weft::test::info_test
