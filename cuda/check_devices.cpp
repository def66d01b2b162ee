#include "cuda/check_devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/first_error.hpp"
#include "base/processes.hpp"
#include "cuda/device.hpp"
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

void check_own_devices(Processes& processes) {
  cuda::DeviceId mine{};
  base::in_all(&processes, [&] {
    check_device();
    mine = cuda::id_of_device(cuda::device_of(processes));
  });
  const std::vector<cuda::DeviceId> all = base::gathered(processes, mine);
  for (auto one = all.begin(); one != all.end(); ++one)
    if (const auto other = std::find(one + 1, all.end(), *one); other != all.end())
      throw Error(ErrorCategory::environment,
                  fmt::format("processes {} and {} have the same CUDA device", one - all.begin(),
                              other - all.begin()),
                  "their kernels wait for each other, and a device may run only one of them",
                  "start as many processes on a host as it has devices, and let each see all");
}

}  // namespace weft::fabric
