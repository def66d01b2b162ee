#pragma once

#include <algorithm>
#include <cstddef>

#include "fft/in_parallel.hpp"
#include "weft/layout.hpp"

namespace weft::fft {

/// Chosen: as wide and high as PEs whose words share cache lines (model::kStripWidth,
/// kStripHeight).
inline constexpr int kTileWidth = 16, kTileHeight = 4;

/// f(PEs), by several threads, for rectangles of at most this size that are all PEs of a mesh of
/// `side` x `side`.
template <class F>
void for_tiles(int side, int threads, F f) {
  const int across = (side + kTileWidth - 1) / kTileWidth;
  const int down = (side + kTileHeight - 1) / kTileHeight;
  const int tiles = across * down;
  in_parallel(threads, static_cast<std::size_t>(tiles), [&](std::size_t tile) {
    const int x = static_cast<int>(tile) % across * kTileWidth;
    const int y = static_cast<int>(tile) / across * kTileHeight;
    f(Rect{x, y, std::min(kTileWidth, side - x), std::min(kTileHeight, side - y)});
  });
}

}  // namespace weft::fft
