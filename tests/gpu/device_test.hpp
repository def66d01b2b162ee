#pragma once

// The device that tests of the CUDA engine run on: a real one (real_device.cpp, linked into
// weft-test-gpu), or CUDA on the host (device_engine/imitated_device.cpp), which tells more.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace weft::test {

/// A test on a fresh device; skipped where there is none. On CUDA on the host nothing may be left
/// on it.
class DeviceTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;
};

/// Into how many pieces a fabric is cut, and in which order their threads run.
struct Manner {
  int multiprocessors = 4;
  int order = 0;  ///< of three
  std::uint64_t seed = 1;
};

/// Where a test may choose that: on CUDA on the host. A real device has a manner of its own.
void choose(const Manner& manner);

/// Of the transforms that this device steps quickly enough for a test, smallest first.
std::vector<int> sides();

}  // namespace weft::test
