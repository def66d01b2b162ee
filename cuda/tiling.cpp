#include "cuda/tiling.hpp"

#include <algorithm>

#include "cuda/runtime.hpp"
#include "cuda/warp.hpp"
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
      static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) -
      attributes(tile_kernel()).sharedSizeBytes;
  return limits;
}

Launch plan_launch(const DeviceLimits& limits, int strips, int rows) {
  Launch launch;
  launch.shared_bytes = tile_state_bytes();
  allow_shared_memory(tile_kernel(), launch.shared_bytes);
  for (;;) {
    const int warps = std::min(launch.tiling.rows * strips, kMostTileWarps);
    launch.threads = warps * static_cast<int>(kWarp);
    launch.tiling.tiles = (rows + launch.tiling.rows - 1) / launch.tiling.rows;
    const int most = capacity(limits, launch);
    if (launch.tiling.tiles <= most) return launch;
    if (most == 0)
      throw Error(ErrorCategory::environment, "the CUDA device cannot run the step",
                  "a multiprocessor has too few registers or too little shared memory for a block",
                  "use a device of compute capability 8.0 or later, or the host engine");
    launch.tiling.rows = std::max(launch.tiling.rows + 1, (rows + most - 1) / most);
  }
}

void stage(Launch& launch, const DeviceLimits& limits, const model::View& view,
           const RowStart* starts) {
  for (int group = 0; group < kGroups; ++group) {
    std::size_t bytes = 0;  // the most of any tile
    for (int row = 0; row < view.rows; row += launch.tiling.rows)
      bytes = std::max(bytes, staged_bytes(static_cast<Group>(group), view.strips, starts,
                                           launch.tiling.near_words, row,
                                           std::min(row + launch.tiling.rows, view.rows)));
    Launch with = launch;
    with.shared_bytes += bytes;
    with.tiling.staged |= 1U << group;
    if (with.shared_bytes > limits.shared_bytes_per_block) continue;
    allow_shared_memory(tile_kernel(), with.shared_bytes);
    if (capacity(limits, with) >= launch.tiling.tiles) launch = with;
  }
  allow_shared_memory(tile_kernel(), launch.shared_bytes);
}

}  // namespace weft::cuda
