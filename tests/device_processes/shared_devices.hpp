#pragma once

#include "cuda_on_host/cuda.hpp"
#include "gpu/device_test.hpp"

namespace weft::test {

/// A host with a device for each of up to four processes.
class SharedDevices : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    cuda_on_host::control().devices = 4;
  }
};

}  // namespace weft::test
