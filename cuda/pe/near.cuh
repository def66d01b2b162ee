#pragma once

#include "cuda/facilities.cuh"
#include "cuda/pe/fabric.hpp"

/// A block's part of the fabric, some of it in shared memory while the kernel runs.
namespace weft::pe_kernel {

/// The fabric as a block sees it: each array begins with the tile's part, in `shared` if it is near.
template <class S>
WEFT_DEVICE Fabric<S> own_part(Fabric<S> f, int tile, std::uint32_t near, std::byte* shared) {
  f.near = near;
  const auto go_to_tile = [&](auto*& array, std::uint32_t n) {
    array += static_cast<std::size_t>(tile) * n;
  };
  for_parts(f, [&](Part part, auto*& array, std::uint32_t n) {
    if ((near >> static_cast<int>(part) & 1U) == 0) return go_to_tile(array, n);
    array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(shared);
    shared += near_bytes(n * sizeof *array);
  });
  for_far_arrays(f, go_to_tile);
  f.totals += tile;
  return f;
}

struct Bytes {
  std::byte* data;
  std::size_t size;
};

template <class S>
WEFT_DEVICE Bytes part_of(Fabric<S>& f, Part which) {
  Bytes bytes{nullptr, 0};
  for_parts(f, [&](Part part, auto*& array, std::uint32_t n) {
    if (part == which) bytes = {reinterpret_cast<std::byte*>(array), n * sizeof *array};
  });
  return bytes;
}

/// Copies the near parts, by the whole block.
template <class S>
WEFT_DEVICE void copy_near(Fabric<S> to, Fabric<S> from, std::uint32_t near) {
  for (int part = 0; part < kParts; ++part) {
    if ((near >> part & 1U) == 0) continue;
    const Bytes d = part_of(to, static_cast<Part>(part));
    const Bytes a = part_of(from, static_cast<Part>(part));
    for (std::size_t at = 4 * threadIdx.x; at < d.size; at += 4 * blockDim.x)
      *reinterpret_cast<std::uint32_t*>(d.data + at) =
          *reinterpret_cast<const std::uint32_t*>(a.data + at);
  }
}

}  // namespace weft::pe_kernel
