#include "cuda/check_devices.hpp"

#include <algorithm>
#include <string>

#include "cuda/device.hpp"
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

DeviceId own_device(const Processes& processes) {
  check_device();
  cudaDeviceProp properties{};
  cuda::check(cudaGetDeviceProperties(&properties, cuda::device_of(processes)),
              "asking about a device");
  DeviceId id{};
  std::ranges::copy(properties.uuid.bytes, id.begin());
  return id;
}

}  // namespace weft::fabric
