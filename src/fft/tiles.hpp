#pragma once

#include <algorithm>
#include <cstddef>

#include "base/in_parallel.hpp"
#include "weft/layout.hpp"

namespace weft::fft {

/// Chosen: as wide and high as PEs whose words share cache lines (model::kStripWidth,
/// kStripHeight).
inline constexpr int kTileWidth = 16, kTileHeight = 4;

/// f(PEs), by several threads, for rectangles of at most this size that are all PEs of `all`.
template <class F>
void for_tiles(const Rect& all, int threads, F f) {
  const auto [left, top, width, height] = all;
  const int across = (width + kTileWidth - 1) / kTileWidth;
  const int down = (height + kTileHeight - 1) / kTileHeight;
  const int tiles = across * down;
  base::in_parallel(threads, static_cast<std::size_t>(tiles), [&](std::size_t tile) {
    const int x = static_cast<int>(tile) % across * kTileWidth;
    const int y = static_cast<int>(tile) / across * kTileHeight;
    f(Rect{left + x, top + y, std::min(kTileWidth, width - x), std::min(kTileHeight, height - y)});
  });
}

/// The same of a mesh of `width` x `height`.
template <class F>
void for_tiles(int width, int height, int threads, F f) {
  for_tiles(Rect{0, 0, width, height}, threads, f);
}

}  // namespace weft::fft
