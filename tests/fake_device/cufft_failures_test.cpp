// Devices that are missing, too old, too small or broken: reasons and errors, and nothing leaks.
#include <cuda_runtime_api.h>
#include <cufft.h>
#include <gtest/gtest.h>

#include "cuda/device.hpp"
#include "fake_device.hpp"
#include "io/volume_file.hpp"
#include "reference/cufft.hpp"
#include "support/expect_error.hpp"

namespace weft::test::cufft_failures_test {
namespace {

class FakeDeviceTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(reference::why_no_cufft(), ""); }
  void TearDown() override {
    EXPECT_EQ(fake_device().arrays, 0);
    EXPECT_EQ(fake_device().plans, 0);
    fake_device() = {};
  }
};

void transform() {
  reference::transform_with_cufft(io::random_volume({8, 8, 8}, 1), FftDirection::forward,
                                  FftNorm::backward, reference::Arithmetic::fp64);
}

TEST_F(FakeDeviceTest, IsPresent) {
  EXPECT_EQ(cuda::why_no_device(), "");
  transform();
}

TEST_F(FakeDeviceTest, MayBeMissing) {
  fake_device().devices = 0;
  EXPECT_EQ(cuda::why_no_device(), "no CUDA device");
  fake_device().count_status = cudaErrorNoDevice;
  EXPECT_EQ(cuda::why_no_device(), "no CUDA device");
}

TEST_F(FakeDeviceTest, MayHaveNoDriverOrAnOldOne) {
  fake_device().count_status = cudaErrorInsufficientDriver;
  fake_device().driver_version = 0;
  EXPECT_EQ(cuda::why_no_device(), "no CUDA driver");
  fake_device().driver_version = 11080;
  EXPECT_TRUE(cuda::why_no_device().starts_with("driver too old: it is for CUDA 11.8"));
}

TEST_F(FakeDeviceTest, MayFailInOtherWays) {
  fake_device().count_status = cudaErrorUnknown;
  EXPECT_EQ(cuda::why_no_device(), "CUDA: some other error");
}

TEST_F(FakeDeviceTest, MayLackMemoryForTheArray) {
  fake_device().memory_bytes = 8 * 8 * 8 * 16 - 1;
  expect_error(ErrorCategory::environment, transform, "CUDA: out of memory", "smaller array");
}

TEST_F(FakeDeviceTest, MayLackMemoryForThePlan) {
  fake_device().plan_status = CUFFT_ALLOC_FAILED;
  expect_error(ErrorCategory::environment, transform, "the device lacks memory", "smaller array");
}

TEST_F(FakeDeviceTest, MayFailInThePlanOrInTheTransform) {
  fake_device().plan_status = CUFFT_INTERNAL_ERROR;
  expect_error(ErrorCategory::environment, transform, "cuFFT error 5");
  fake_device().plan_status = 0;
  fake_device().execute_status = CUFFT_EXEC_FAILED;
  expect_error(ErrorCategory::environment, transform, "cuFFT error 6");
}

}  // namespace
}  // namespace weft::test::cufft_failures_test
