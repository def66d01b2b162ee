#pragma once

#include "cuda_on_host/cuda.hpp"
#include "gpu/device_test.hpp"
#include "gpu/twins.hpp"

namespace weft::test {

using DeviceEngineTest = DeviceTest;

}  // namespace weft::test
