#include <cstdlib>

#include "gpu/device_test.hpp"
#include "support/host_cuda.hpp"
#include "support/mesh.hpp"

namespace weft::test {

// For those who try whether a difference is found and told.
void DeviceTest::SetUp() {
  host_cuda::reset();
  host_cuda::control().is_faulty = std::getenv("WEFT_FAULTY_IMITATION") != nullptr;
}

void DeviceTest::TearDown() {
  EXPECT_EQ(host_cuda::objects_alive(), 0);
  host_cuda::reset();
}

void choose(const Manner& manner) {
  host_cuda::Control& control = host_cuda::control();
  control.multiprocessors = manner.multiprocessors;
  control.order = static_cast<host_cuda::Order>(manner.order);
  control.seed = manner.seed;
}

std::vector<int> sides() {
  if (sanitized()) return {4};
  return {4, 8};
}

}  // namespace weft::test
