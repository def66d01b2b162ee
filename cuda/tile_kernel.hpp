#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/staging.hpp"
#include "engine/clock.hpp"
#include "engine/totals.hpp"
#include "model/state.hpp"

/// The kernel that steps a fabric, and what it shares with the host.
namespace weft::cuda {

/// Warps of a block: at most 16, so that a thread may have 128 registers and none spills.
inline constexpr int kMostTileWarps = 16;

/// Cycles between two grid barriers. Between them a tile waits for the two beside it only.
inline constexpr int kBlockCycles = engine::kMostCycles;

/// How far a tile has come: 2 t + 1 after step 1 of cycle t, 2 t + 2 after step 3. Its own cache
/// line, because the tiles beside it wait for it.
struct alignas(128) TileProgress {
  std::uint64_t done = 0;
};

/// In device memory, for all blocks.
struct LaunchState {
  engine::BlockFacts facts[3];  ///< by block of cycles, in turn
  engine::Clock clock;          ///< when the launch begins, and when it has ended
  engine::Stop stop = engine::Stop::quiet;
  bool over = false;  ///< `stop` tells why; otherwise the launch has done its share
};

/// A fabric is cut into tiles of whole rows of strips, one for each block of the grid: then only a
/// tile's first and last row have neighbours in another tile.
struct Tiling {
  int rows = 1;  ///< of a tile; the last may have fewer
  int tiles = 1;
  std::uint32_t staged = 0;          ///< groups in shared memory, a bit each
  std::uint32_t near_words = 0;      ///< of each PE's memory, if that is staged
  const RowStart* starts = nullptr;  ///< by row, and one more
};

/// Steps `blocks` blocks of cycles, or fewer if the run is over before.
using TileKernel = void (*)(model::View view, Tiling tiling, TileProgress* progress,
                            LaunchState* launch, int blocks);
TileKernel tile_kernel();
/// Bytes of dynamic shared memory before what is staged.
std::size_t tile_state_bytes();

/// The facts of a whole fabric, for the host. There is no largest cycle counter in it: PEs have
/// none but the clock, and cycles that programs note are words of their memory.
struct Summary {
  std::uint64_t untouched = 0;  ///< words at the end of every PE's memory that are 0
  engine::Totals totals;
};

/// Adds all strips to a summary that begins with all of a PE's words, and without totals. Any
/// number of blocks.
using SummaryKernel = void (*)(model::View view, Summary* summary);
SummaryKernel summary_kernel();

}  // namespace weft::cuda
