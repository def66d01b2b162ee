#pragma once

#include <algorithm>
#include <cstddef>

#include "cuda/pe/device_fabric.hpp"
#include "cuda/pe/plan.hpp"

/// Whether a fabric fits in a device's memory, and the largest that does.
namespace weft::pe_kernel {

/// Device memory is given out in pages, which at worst no two arrays share.
inline constexpr std::size_t kPage = std::size_t{2} << 20U;

/// Bytes of a device's memory.
struct Amount {
  std::size_t free = 0, total = 0;
};
Amount ask_memory();

/// The fabric on another mesh: as many rings for each PE and each cell of the rim, rounded up.
template <class S>
DeviceFabric<S> like(DeviceFabric<S> d, const Tiles& tiles) {
  TileSizes& n = d.fabric.sizes;
  const std::uint32_t of_pe = (n.ring_words + n.pes - 1) / n.pes;
  d.fabric.tiles = tiles;
  n.pes = static_cast<std::uint32_t>(tiles.pes());
  n.cells = static_cast<std::uint32_t>(tiles.cells());
  n.ring_words = of_pe * n.pes + (n.cells - n.pes) * static_cast<std::uint32_t>(S::kSlots);
  return d;
}

/// Side of the largest square mesh that fits in so many bytes, if its PEs are as this fabric's are:
/// whole patches, unless not even one fits in a row. 0: there is none.
template <class S>
int largest_side(const DeviceFabric<S>& fabric, const ProgramSizes& programs, int multiprocessors,
                 std::size_t bytes) {
  const auto fits = [&](int side) {
    const std::optional<Tiles> tiles = find_tiles(multiprocessors, side, side);
    return tiles && device_bytes(like(fabric, *tiles), programs, kPage) <= bytes;
  };
  // The first that does not fit, in steps, by halves.
  const auto find = [&](int step) {
    int most = step;
    while (fits(most)) most *= 2;
    int side = most / 2 / step * step;
    for (int next = most; next - side > step;) {
      const int half = (side + next) / 2 / step * step;
      (fits(half) ? side : next) = half;
    }
    return side;
  };
  const int side = find(kPatchWidth);
  return side > 0 ? side : find(1);
}

/// Throws an Error (environment) that names all sizes, and a largest mesh that is smaller than
/// this. `bytes`: that this one takes.
[[noreturn]] void refuse_mesh(const Tiles& mesh, const Amount& memory, std::size_t bytes,
                              int largest);

template <class S>
[[noreturn]] void refuse_mesh(const DeviceFabric<S>& fabric, const ProgramSizes& programs,
                              int multiprocessors, std::size_t page) {
  const Amount memory = ask_memory();
  const std::size_t less = std::min(memory.free, device_bytes(fabric, programs, kPage) - 1);
  refuse_mesh(fabric.fabric.tiles, memory, device_bytes(fabric, programs, page),
              largest_side(fabric, programs, multiprocessors, less));
}

/// Refuses the fabric if what is free is not enough even without gaps.
template <class S>
void check_device_memory(const DeviceFabric<S>& fabric, const ProgramSizes& programs,
                         int multiprocessors) {
  if (device_bytes(fabric, programs, 1) > ask_memory().free)
    refuse_mesh(fabric, programs, multiprocessors, 1);
}

}  // namespace weft::pe_kernel
