#pragma once

#include <utility>
#include <vector>

#include "cuda/pe/tiles.hpp"
#include "pe/build/places.hpp"

namespace weft::pe_kernel {

/// The patches of a tile by their numbers, row by row: those at the edge come first.
inline std::vector<int> ranks_of_patches(const Tiles& tiles) {
  const int columns = tiles.width / kPatchWidth, rows = tiles.height / kPatchHeight;
  std::vector<int> ranks(static_cast<std::size_t>(columns * rows));
  int next = 0;
  for (const bool edge : {true, false})
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x)
        if ((x == 0 || y == 0 || x == columns - 1 || y == rows - 1) == edge)
          ranks[static_cast<std::size_t>(y * columns + x)] = next++;
  return ranks;
}

/// Where the PEs are of rows of a mesh, of which the first is `first_row` of `height`, that are cut
/// into tiles. `host`: their links to the host.
inline pe::Places places_of(const Tiles& tiles, std::vector<pe::HostLink> host, int first_row,
                            int height) {
  const std::vector<int> ranks = ranks_of_patches(tiles);
  const auto column = [&](int x) { return (x + tiles.shift_x) % tiles.width; };
  const auto row = [&](int y) { return (y + tiles.shift_y) % tiles.height; };
  const auto u = [](int n) { return static_cast<std::uint32_t>(n); };
  const int end_row = first_row + tiles.mesh_height;
  pe::Places places{tiles.mesh_width, height, first_row, end_row, u(tiles.count()),
                    u(tiles.pes()),   0,      {},        {}};
  places.of.reserve(places.row_by_row(0, end_row));
  for (int y = 0; y < tiles.mesh_height; ++y)
    for (int x = 0; x < tiles.mesh_width; ++x) {
      const int tile =
          (y + tiles.shift_y) / tiles.height * tiles.across + (x + tiles.shift_x) / tiles.width;
      const int patch =
          row(y) / kPatchHeight * (tiles.width / kPatchWidth) + column(x) / kPatchWidth;
      const int number = ranks[static_cast<std::size_t>(patch)] * pe::kPatch +
                         row(y) % kPatchHeight * kPatchWidth + column(x) % kPatchWidth;
      places.of.push_back({u(tile), u(number)});
    }
  pe::number_host(places, std::move(host));
  places.cells = u(tiles.cells(static_cast<int>(places.host_cells)));
  pe::look_beside(places, [&](int x, int y, int link) {
    return places.pes + places.host_cells +
           u(tiles.side(link) + (link < 2 ? row(y - first_row) : column(x)));
  });
  return places;
}
/// Of a whole mesh.
inline pe::Places places_of(const Tiles& tiles, std::vector<pe::HostLink> host = {}) {
  return places_of(tiles, std::move(host), 0, tiles.mesh_height);
}

}  // namespace weft::pe_kernel
