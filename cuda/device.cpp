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

int device_of(const Processes& processes) {
  int devices = 0;
  check(cudaGetDeviceCount(&devices), "counting devices");
  const int number = processes.number_on_host();
  if (number < devices) return number;
  throw Error(ErrorCategory::environment,
              fmt::format("process {} has no CUDA device", processes.rank()),
              fmt::format("it is number {} of its host's processes, from 0 on, and sees {} {}",
                          number, devices, devices == 1 ? "device" : "devices"),
              "start as many processes on a host as it has devices, and let each see all of them");
}

}  // namespace weft::cuda
