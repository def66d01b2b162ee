#pragma once

#include "gpu/device_test.hpp"
#include "gpu/twins.hpp"
#include "support/host_cuda.hpp"

namespace weft::test {

using DeviceEngineTest = DeviceTest;

}  // namespace weft::test
