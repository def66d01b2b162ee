#include "cuda/device.hpp"

#include <fmt/format.h>

#include "cuda/runtime.hpp"

namespace weft::cuda {

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string why_no_device() {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  static_cast<void>(cudaGetLastError());  // reported here, and not again by the next call
  if (status == cudaErrorInsufficientDriver) {
    int driver = 0;  // stays 0 where none is installed
    static_cast<void>(cudaDriverGetVersion(&driver));
    if (driver == 0) return "no CUDA driver";
    return fmt::format("driver too old: it is for CUDA {}, Weft was built with {}",
                       version_text(driver), version_text(CUDART_VERSION));
  }
  if (status == cudaErrorNoDevice || (status == cudaSuccess && devices == 0)) {
    return "no CUDA device";
  }
  return status == cudaSuccess ? "" : fmt::format("CUDA: {}", cudaGetErrorString(status));
}

}  // namespace weft::cuda
