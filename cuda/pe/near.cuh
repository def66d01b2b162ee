#pragma once

#include "cuda/facilities.cuh"
#include "cuda/pe/fabric.hpp"

/// A block's part of the fabric, some of it in shared memory while the kernel runs.
namespace weft::pe_kernel {

/// A near array: the tile's part of it in shared and in device memory.
struct NearArray {
  std::uint32_t *near, *home;
  std::size_t words;
};
struct NearArrays {
  NearArray array[kMostNear];
  int count;
};

/// Makes it the fabric as a block sees it: each array begins with the tile's part, in `shared` if
/// it is near.
template <class S>
WEFT_DEVICE void go_to_tile(Fabric<S>& f, int tile, std::byte* shared, NearArrays& near) {
  near.count = 0;
  const auto go = [&](auto*& array, std::uint32_t n) {
    array += static_cast<std::size_t>(tile) * n;
  };
  for_parts(f, [&](Part part, auto*& array, std::uint32_t n) {
    go(array, n);
    if ((f.near >> static_cast<int>(part) & 1U) == 0) return;
    static_assert(sizeof *array % sizeof(std::uint32_t) == 0);
    const std::size_t bytes = n * sizeof *array;
    near.array[near.count++] = {reinterpret_cast<std::uint32_t*>(shared),
                                reinterpret_cast<std::uint32_t*>(array), bytes / 4};
    array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(shared);
    shared += near_bytes(bytes);
  });
  for_far_arrays(f, go);
  f.arrays.memory += static_cast<std::size_t>(tile) * f.sizes.pes * f.sizes.memory_words;
  if constexpr (S::kCounting)
    f.arrays.counts.words += static_cast<std::size_t>(tile) * count_words(f);
  f.arrays.host.port += static_cast<std::size_t>(tile) * f.arrays.host.of_tile;
  f.totals += tile;
}

/// By the whole block.
WEFT_DEVICE void copy_words(std::uint32_t* to, const std::uint32_t* from, std::size_t words) {
  for (std::size_t at = threadIdx.x; at < words; at += blockDim.x) to[at] = from[at];
}
WEFT_DEVICE void fetch(const NearArrays& near) {
  for (int k = 0; k < near.count; ++k)
    copy_words(near.array[k].near, near.array[k].home, near.array[k].words);
}
WEFT_DEVICE void put_back(const NearArrays& near) {
  for (int k = 0; k < near.count; ++k)
    copy_words(near.array[k].home, near.array[k].near, near.array[k].words);
}

}  // namespace weft::pe_kernel
