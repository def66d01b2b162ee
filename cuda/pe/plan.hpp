#pragma once

#include <cstddef>
#include <optional>

#include "cuda/pe/fabric.hpp"

/// How a mesh is cut into tiles on a device, and what of a tile is near.
namespace weft::pe_kernel {

/// The smallest tiles, as near to a square as can be, of which each multiprocessor has one at most;
/// none if the mesh is too large.
std::optional<Tiles> find_tiles(int multiprocessors, int mesh_width, int mesh_height);
/// The same. Throws Error(environment) if the mesh is too large.
Tiles choose_tiles(int multiprocessors, int mesh_width, int mesh_height);

/// Threads of a block: each steps the same number of a tile's PEs, or one less.
int threads_of(const Tiles& tiles);

/// Bytes of shared memory that these parts take.
template <class S>
std::size_t bytes_of(Fabric<S> f, std::uint32_t near) {
  std::size_t bytes = 0;
  for_parts(f, [&](Part part, auto*& array, std::uint32_t n) {
    if ((near >> static_cast<int>(part) & 1U) != 0) bytes += near_bytes(n * sizeof *array);
  });
  return bytes;
}

/// Parts that fit into so many bytes, each of `among` that does beside those before it.
template <class S>
std::uint32_t choose_near(const Fabric<S>& f, std::size_t bytes, std::uint32_t among = ~0U) {
  std::uint32_t near = 0;
  for (int part = 0; part < kParts; ++part) {
    const std::uint32_t bit = 1U << part;
    const std::size_t more = bytes_of(f, bit);
    if ((among & bit) == 0 || more > bytes) continue;
    bytes -= more;
    near |= bit;
  }
  return near;
}

}  // namespace weft::pe_kernel
