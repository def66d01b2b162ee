#pragma once

#include <cstddef>

#include "cuda/tile_kernel.hpp"
#include "model/state.hpp"

namespace weft::cuda {

/// Compute capability of the oldest devices that run the step.
inline constexpr int kLeastMajor = 8;

/// The limits of a device that decide how fabrics are cut into tiles.
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

/// The smallest tiles of which all fit on the device at once, of a mesh of `strips` x `rows`
/// strips. Shared memory holds nothing but what the kernel cannot do without.
Launch plan_launch(const DeviceLimits& limits, int strips, int rows);

/// Stages groups in shared memory, each that fits beside those before it without larger tiles.
/// `starts`: by row of strips, and one more.
void stage(Launch& launch, const DeviceLimits& limits, const model::View& view,
           const RowStart* starts);

}  // namespace weft::cuda
