#include <string>

#include "engine/devices.hpp"
#include "gpu/device_test.hpp"

namespace weft::test {

void DeviceTest::SetUp() {
  if (const std::string why = engine::why_no_device_engine(); !why.empty()) GTEST_SKIP() << why;
}

void DeviceTest::TearDown() {}

void choose(const Manner&) {}

std::vector<int> sides() { return {4, 8, 16, 32, 64}; }

}  // namespace weft::test
