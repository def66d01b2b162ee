#include "cuda/pe/launch.hpp"

#include <algorithm>

#include "weft/error.hpp"

namespace weft::pe_kernel {
namespace {

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  cuda::check(cudaGetDevice(&device), "asking for the device");
  cuda::check(cudaDeviceGetAttribute(&value, which, device), "asking what the device has");
  return value;
}

}  // namespace

DeviceLimits DeviceLimits::ask() {
  return {attribute(cudaDevAttrMultiProcessorCount),
          static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)),
          static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor))};
}

int DeviceLimits::shared_percent(std::size_t bytes) const {
  constexpr std::size_t kOfSystem = 1024;  // of a block, by CUDA's programming guide
  const std::size_t all = std::max<std::size_t>(shared_bytes_per_multiprocessor, 1);
  const std::size_t percent = (100 * (bytes + kOfSystem) + all - 1) / all;
  return static_cast<int>(std::min<std::size_t>(percent, 100));
}

void refuse_block() {
  throw Error(ErrorCategory::environment, "the CUDA device cannot run the step",
              "a multiprocessor has too few registers or too little shared memory for a block",
              "use a device of compute capability 8.0 or later, or the host engine");
}

}  // namespace weft::pe_kernel
