#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>

#include "fake_device.hpp"

namespace weft::test {

FakeDevice& fake_device() {
  static FakeDevice device;
  return device;
}

}  // namespace weft::test

using weft::test::fake_device;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = fake_device().devices;
  return static_cast<cudaError_t>(fake_device().count_status);
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = fake_device().driver_version;
  return cudaSuccess;
}

cudaError_t cudaGetLastError() { return cudaSuccess; }

const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorMemoryAllocation ? "out of memory" : "some other error";
}

cudaError_t cudaMalloc(void** data, size_t bytes) {
  if (bytes > fake_device().memory_bytes) return cudaErrorMemoryAllocation;
  ++fake_device().arrays;
  *data = std::malloc(bytes);
  return cudaSuccess;
}

cudaError_t cudaFree(void* data) {
  if (data != nullptr) --fake_device().arrays;
  std::free(data);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

}  // extern "C"
