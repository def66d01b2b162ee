#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "pe/state.hpp"
#include "weft/layout.hpp"

/// Where the PEs of a mesh are in its arrays. For the host only.
namespace weft::pe {

/// A PE's tile, and its number there.
struct TileAddress {
  std::uint32_t tile, number;
};

/// A link of a PE to the host, whose end is a cell of the PE's tile.
struct HostLink {
  int x, y, link;
  std::uint32_t tile = 0, number = 0;  ///< number: among those of the tile

  auto where() const { return std::tuple(y, x, link); }
};

/// f(link) for each of a stream.
template <class F>
void for_links(const Layout::HostStream& s, F f) {
  for (int y = s.where.y; y < s.where.y + s.where.height; ++y)
    for (int x = s.where.x; x < s.where.x + s.where.width; ++x)
      f(HostLink{x, y, static_cast<int>(s.edge)});
}

/// The links of a layout to the host, row by row.
inline std::vector<HostLink> host_links(const Layout& layout) {
  std::vector<HostLink> links;
  for (const Layout::HostStream& s : layout.host_streams())
    for_links(s, [&](const HostLink& link) { links.push_back(link); });
  std::ranges::sort(links, {}, &HostLink::where);
  const auto same = std::ranges::unique(links, {}, &HostLink::where);
  links.erase(same.begin(), same.end());
  return links;
}

/// All tiles have the same size. The numbers of a tile after those of its PEs are cells that stand
/// for the host, then for neighbours in other tiles.
struct Places {
  int width, height;            ///< of the mesh
  int first_row, end_row;       ///< of it, the rows that are here, and the one after them
  std::uint32_t tiles;          ///< how many
  std::uint32_t pes, cells;     ///< of a tile: numbers of PEs, and all; of whole patches
  std::vector<TileAddress> of;  ///< by PE that is here, row by row
  /// 16 bits for each link: how much more the neighbour's number is; 0: none. By PE that is
  /// here, row by row.
  std::vector<std::uint64_t> beside;
  std::vector<HostLink> host{};  ///< as host_links
  std::uint32_t host_cells = 0;  ///< of a tile

  /// Among all PEs of the mesh, row by row.
  std::size_t in_mesh(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
  /// Among those that are here.
  std::size_t row_by_row(int x, int y) const { return in_mesh(x, y - first_row); }
  const TileAddress& at(int x, int y) const { return of[row_by_row(x, y)]; }
  std::size_t all_pes() const { return std::size_t{tiles} * pes; }
  /// Of all PEs, tile by tile.
  std::size_t index(int x, int y) const {
    return std::size_t{at(x, y).tile} * pes + at(x, y).number;
  }
  bool inside(int x, int y) const { return x >= 0 && x < width && y >= 0 && y < height; }
  bool has_row(int y) const { return y >= first_row && y < end_row; }
};

inline constexpr int kBesideX[] = {-1, 1, 0, 0}, kBesideY[] = {0, 0, 1, -1};  ///< by link

/// Numbers the links to the host, once `of` is known. (Before `cells` and `beside` are.)
inline void number_host(Places& places, std::vector<HostLink> links) {
  std::vector<std::uint32_t> of_tile(places.tiles);
  for (HostLink& link : links) {
    link.tile = places.at(link.x, link.y).tile;
    link.number = of_tile[link.tile]++;
  }
  places.host = std::move(links);
  places.host_cells = std::ranges::max(of_tile);
}

/// Sets `beside` from the rest. outside(x, y, link): the cell for a neighbour in another tile, or
/// in a row that is elsewhere.
template <class F>
void look_beside(Places& places, F outside) {
  places.beside.assign(places.of.size(), 0);
  for (int y = places.first_row; y < places.end_row; ++y)
    for (int x = 0; x < places.width; ++x)
      for (int link = 0; link < kLinks; ++link) {
        const int nx = x + kBesideX[link], ny = y + kBesideY[link];
        if (!places.inside(nx, ny)) continue;
        const TileAddress& here = places.at(x, y);
        const bool in_tile = places.has_row(ny) && places.at(nx, ny).tile == here.tile;
        const std::uint32_t number = in_tile ? places.at(nx, ny).number : outside(x, y, link);
        places.beside[places.row_by_row(x, y)] |=
            std::uint64_t{static_cast<std::uint16_t>(number - here.number)} << 16 * link;
      }
  for (const HostLink& h : places.host)
    places.beside[places.row_by_row(h.x, h.y)] |=
        std::uint64_t{
            static_cast<std::uint16_t>(places.pes + h.number - places.at(h.x, h.y).number)}
        << 16 * h.link;
}

/// One tile with all PEs, row by row.
inline Places in_rows(int width, int height, std::vector<HostLink> host = {}) {
  const auto pes = static_cast<std::uint32_t>(width * height);
  const auto whole = [](std::uint32_t n) { return (n + kPatch - 1) / kPatch * kPatch; };
  Places places{width, height, 0, height, 1, whole(pes), 0, {}, {}};
  for (std::uint32_t number = 0; number < pes; ++number) places.of.push_back({0, number});
  number_host(places, std::move(host));
  places.cells = whole(places.pes + places.host_cells);
  look_beside(places, [](int, int, int) { return 0U; });
  return places;
}

}  // namespace weft::pe
