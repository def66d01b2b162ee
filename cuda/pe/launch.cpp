#include "cuda/pe/launch.hpp"

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
          static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin))};
}

void refuse_block() {
  throw Error(ErrorCategory::environment, "the CUDA device cannot run the step",
              "a multiprocessor has too few registers or too little shared memory for a block",
              "use a device of compute capability 8.0 or later, or the host engine");
}

}  // namespace weft::pe_kernel
