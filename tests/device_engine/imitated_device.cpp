#include <cstdlib>

#include "cuda_on_host/cuda.hpp"
#include "gpu/device_test.hpp"
#include "support/mesh.hpp"

namespace weft::test {

// For those who try whether a difference is found and told.
void DeviceTest::SetUp() {
  cuda_on_host::reset();
  cuda_on_host::control().is_faulty = std::getenv("WEFT_FAULTY_IMITATION") != nullptr;
}

void DeviceTest::TearDown() {
  EXPECT_EQ(cuda_on_host::objects_alive(), 0);
  cuda_on_host::reset();
}

void choose(const Manner& manner) {
  cuda_on_host::Control& control = cuda_on_host::control();
  control.multiprocessors = manner.multiprocessors;
  control.order = static_cast<cuda_on_host::Order>(manner.order);
  control.seed = manner.seed;
}

std::vector<int> sides() {
  if (sanitized()) return {4};
  return {4, 8};
}

}  // namespace weft::test
