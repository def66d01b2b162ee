#include "cuda/tiling.hpp"

#include <algorithm>

#include "cuda/runtime.hpp"
#include "weft/error.hpp"

namespace weft::cuda {
namespace {

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&value, which, device), "asking what the device has");
  return value;
}

/// How many tiles run at the same time.
int capacity(const DeviceLimits& limits, Launch& launch) {
  launch.blocks_per_multiprocessor =
      blocks_per_multiprocessor(tile_kernel(), launch.threads, launch.shared_bytes);
  return launch.blocks_per_multiprocessor * limits.multiprocessors;
}

}  // namespace

DeviceLimits DeviceLimits::ask() {
  DeviceLimits limits;
  limits.multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  limits.shared_bytes_per_block =
      static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  return limits;
}

Launch plan_launch(const DeviceLimits& limits, int strips, int height) {
  Launch launch;
  launch.shared_bytes = tile_state_bytes();
  allow_shared_memory(tile_kernel(), launch.shared_bytes);
  for (;;) {
    const int warps = std::min(launch.tiling.rows * strips, kMostTileWarps);
    launch.threads = warps * model::kLanes;
    launch.tiling.tiles = (height + launch.tiling.rows - 1) / launch.tiling.rows;
    const int most = capacity(limits, launch);
    if (launch.tiling.tiles <= most) return launch;
    if (most == 0)
      throw Error(Category::environment, "the CUDA device cannot run the step",
                  "a multiprocessor has too few registers or too little shared memory for a block",
                  "use a device of compute capability 8.0 or later, or the host engine");
    launch.tiling.rows = std::max(launch.tiling.rows + 1, (height + most - 1) / most);
  }
}

void stage(Launch& launch, const DeviceLimits& limits, std::size_t most_queues,
           std::size_t most_strips) {
  const auto take = [&](std::uint32_t& staged, std::size_t bytes) {
    Launch with = launch;
    with.shared_bytes += bytes;
    if (bytes == 0 || with.shared_bytes > limits.shared_bytes_per_block) return;
    allow_shared_memory(tile_kernel(), with.shared_bytes);
    if (capacity(limits, with) < launch.tiling.tiles) {
      allow_shared_memory(tile_kernel(), launch.shared_bytes);
      return;
    }
    launch = with;
    staged = static_cast<std::uint32_t>(bytes);
  };
  std::uint32_t queues = 0, cores = 0;
  take(queues, most_queues * sizeof(model::PortQueue));
  take(cores, most_strips * sizeof(model::CoreState));
  launch.tiling.staged_queue_bytes = queues;
  launch.tiling.staged_core_bytes = cores;
}

}  // namespace weft::cuda
