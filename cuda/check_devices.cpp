#include "cuda/check_devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cuda/runtime.hpp"
#include "engine/devices.hpp"
#include "fabric/stepper/device_stepper.hpp"
#include "weft/error.hpp"

namespace weft::fabric {

void check_device() {
  const std::string why = engine::why_no_device_engine();
  if (!why.empty())
    throw Error(ErrorCategory::environment, "the cuda engine cannot run", why,
                "use the host engine (--engine host)");
}

int device_of(const Processes& processes) {
  int devices = 0;
  cuda::check(cudaGetDeviceCount(&devices), "counting devices");
  const int number = processes.number_on_host();
  if (number < devices) return number;
  throw Error(ErrorCategory::environment,
              fmt::format("process {} has no CUDA device", processes.rank()),
              fmt::format("it is number {} of its host's processes, from 0 on, and sees {} {}",
                          number, devices, devices == 1 ? "device" : "devices"),
              "start as many processes on a host as it has devices, and let each see all of them");
}

DeviceId own_device(const Processes& processes) {
  check_device();
  cudaDeviceProp properties{};
  cuda::check(cudaGetDeviceProperties(&properties, device_of(processes)), "asking about a device");
  DeviceId id{};
  std::ranges::copy(properties.uuid.bytes, id.begin());
  return id;
}

}  // namespace weft::fabric
