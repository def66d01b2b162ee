#pragma once

#include "cuda/facilities.cuh"
#include "engine/clock.hpp"

/// The facts of a block of cycles, brought together from all threads and all blocks of the grid.
namespace weft::pe_kernel {

using engine::BlockFacts;

/// The facts of all of the block's threads, in each.
struct ReduceInBlock {
  bool crowd;  ///< hops count

  WEFT_DEVICE void operator()(BlockFacts::Any, std::uint32_t& all, std::uint32_t mine) const {
    all = cuda::block_or(mine);
  }
  WEFT_DEVICE void operator()(BlockFacts::Earliest, std::uint64_t& all, std::uint64_t mine) const {
    all = cuda::block_min(mine);
  }
  WEFT_DEVICE void operator()(BlockFacts::Sum, std::uint64_t& all, std::uint64_t mine) const {
    if (crowd) all = cuda::block_sum(mine);
  }
};

/// By one thread of each block.
struct AddAtomically {
  WEFT_DEVICE void operator()(BlockFacts::Any, std::uint32_t& all, std::uint32_t mine) const {
    cuda::atomic_or(&all, mine);
  }
  WEFT_DEVICE void operator()(BlockFacts::Earliest, std::uint64_t& all, std::uint64_t mine) const {
    cuda::atomic_min(&all, mine);
  }
  WEFT_DEVICE void operator()(BlockFacts::Sum, std::uint64_t& all, std::uint64_t mine) const {
    if (mine != 0) cuda::atomic_add(&all, mine);
  }
};

struct Load {
  template <class How, class T>
  WEFT_DEVICE void operator()(How, T& copy, const T& shared) const {
    copy = cuda::load_relaxed(&shared);
  }
};

struct Store {
  template <class How, class T>
  WEFT_DEVICE void operator()(How, T& shared, const T& value) const {
    cuda::store_relaxed(&shared, value);
  }
};

WEFT_DEVICE BlockFacts load_facts(const BlockFacts& shared) {
  BlockFacts copy;
  BlockFacts::each(copy, shared, Load{});
  return copy;
}

WEFT_DEVICE void clear_facts(BlockFacts& shared) {
  const BlockFacts nothing;
  BlockFacts::each(shared, nothing, Store{});
}

}  // namespace weft::pe_kernel
