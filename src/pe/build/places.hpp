#pragma once

#include <cstdint>
#include <vector>

#include "pe/state.hpp"

/// Where the PEs of a mesh are in its arrays. For the host only.
namespace weft::pe {

struct Place {
  std::uint32_t tile, number;
};

/// All tiles have the same size. The numbers of a tile after those of its PEs are cells that stand
/// for neighbours in other tiles.
struct Places {
  int width, height;                  ///< of the mesh
  std::uint32_t tiles;                ///< how many
  std::uint32_t pes, cells;           ///< of a tile: numbers of PEs, and all; of whole patches
  std::vector<Place> of;              ///< by PE, row by row
  std::vector<std::uint64_t> beside;  ///< Pe::beside, by PE, row by row

  std::size_t row_by_row(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
  const Place& at(int x, int y) const { return of[row_by_row(x, y)]; }
  std::size_t all_pes() const { return std::size_t{tiles} * pes; }
  /// Of all PEs, tile by tile.
  std::size_t index(int x, int y) const {
    return std::size_t{at(x, y).tile} * pes + at(x, y).number;
  }
  bool inside(int x, int y) const { return x >= 0 && x < width && y >= 0 && y < height; }
};

inline constexpr int kBesideX[] = {-1, 1, 0, 0}, kBesideY[] = {0, 0, 1, -1};  ///< by link

/// Sets `beside` from the rest. outside(x, y, link): the cell for a neighbour in another tile.
template <class F>
void look_beside(Places& places, F outside) {
  places.beside.assign(places.of.size(), 0);
  for (int y = 0; y < places.height; ++y)
    for (int x = 0; x < places.width; ++x)
      for (int link = 0; link < kLinks; ++link) {
        const int nx = x + kBesideX[link], ny = y + kBesideY[link];
        if (!places.inside(nx, ny)) continue;
        const Place &here = places.at(x, y), &there = places.at(nx, ny);
        const std::uint32_t number = there.tile == here.tile ? there.number : outside(x, y, link);
        places.beside[places.row_by_row(x, y)] |=
            std::uint64_t{static_cast<std::uint16_t>(number - here.number)} << 16 * link;
      }
}

/// One tile with all PEs, row by row.
inline Places in_rows(int width, int height) {
  const auto pes = static_cast<std::uint32_t>(width * height);
  const std::uint32_t whole = (pes + kPatch - 1) / kPatch * kPatch;
  Places places{width, height, 1, whole, whole, {}, {}};
  for (std::uint32_t number = 0; number < pes; ++number) places.of.push_back({0, number});
  look_beside(places, [](int, int, int) { return 0U; });
  return places;
}

}  // namespace weft::pe
