#pragma once

#include <cstddef>

#include "cuda/tile_kernel.hpp"
#include "model/state.hpp"

namespace weft::cuda {

/// What of a device decides how fabrics are cut into tiles.
struct DeviceLimits {
  int multiprocessors = 0;
  std::size_t shared_bytes_per_block = 0;  ///< dynamic, at most

  /// Of the present device.
  static DeviceLimits ask();
};

/// How a grid of the tile kernel is launched.
struct Launch {
  Tiling tiling;
  int threads = 0;  ///< of a block
  std::size_t shared_bytes = 0;
  int blocks_per_multiprocessor = 0;
};

/// The smallest tiles of which all fit on the device at once, of a mesh of `strips` x `height`
/// strips. Shared memory holds nothing but what the kernel cannot do without.
Launch plan_launch(const DeviceLimits& limits, int strips, int height);

/// Stages router queues and cores in shared memory, in this order, as far as they fit in there
/// without larger tiles. `most_queues`: of a tile.
void stage(Launch& launch, const DeviceLimits& limits, std::size_t most_queues,
           std::size_t most_strips);

}  // namespace weft::cuda
