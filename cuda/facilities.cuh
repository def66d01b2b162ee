#pragma once

// The part of CUDA that kernels use, and nothing else of it. The same source is compiled by nvcc,
// and by a host compiler against tests/cuda_on_host/cuda.hpp, which runs it without a GPU.
#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(WEFT_CUDA_ON_HOST)
#include "cuda_on_host/cuda.hpp"
// On the host a barrier is known by the line it is called from, so callers pass it down.
#define WEFT_SITE ::weft::cuda_on_host::Site site = ::weft::cuda_on_host::here()
#define WEFT_AND_SITE , WEFT_SITE
#define WEFT_AT site
#define WEFT_AND_AT , site
#else
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cub/warp/warp_reduce.cuh>
#include <cuda/atomic>
#include <cuda/functional>
#include <cuda/std/functional>
#define WEFT_SITE
#define WEFT_AND_SITE
#define WEFT_AT
#define WEFT_AND_AT
#endif

#define WEFT_DEVICE __device__ __forceinline__

namespace weft::cuda {

inline constexpr unsigned kFullWarp = 0xffffffffU;
inline constexpr unsigned kWarp = 32;       // threads of a warp
inline constexpr unsigned kMostWarps = 32;  // of a block

// Blocks and grids have one dimension. `thread` is counted in its warp.
WEFT_DEVICE int thread() { return static_cast<int>(threadIdx.x % kWarp); }
WEFT_DEVICE int warp() { return static_cast<int>(threadIdx.x / kWarp); }
WEFT_DEVICE int warps() { return static_cast<int>(blockDim.x / kWarp); }
WEFT_DEVICE int block() { return static_cast<int>(blockIdx.x); }
WEFT_DEVICE int blocks() { return static_cast<int>(gridDim.x); }

/// Barriers; all threads of the block or grid must call, from the same line.
WEFT_DEVICE void block_sync(WEFT_SITE) { __syncthreads(WEFT_AT); }
WEFT_DEVICE void grid_sync(WEFT_SITE) { cooperative_groups::this_grid().sync(WEFT_AT); }

/// The block's dynamic shared memory; nothing is known of what is in it.
WEFT_DEVICE std::byte* shared_memory() {
#if defined(WEFT_CUDA_ON_HOST)
  return cuda_on_host::place->shared;
#else
  extern __shared__ __align__(128) std::byte dynamic_shared_memory[];
  // The address stays in a register: else the compiler computes it anew for each access.
  auto at = static_cast<std::uint32_t>(__cvta_generic_to_shared(dynamic_shared_memory));
  asm("" : "+r"(at));
  return static_cast<std::byte*>(__cvta_shared_to_generic(at));
#endif
}

/// The threads for which `bit` holds; the whole warp must call.
WEFT_DEVICE std::uint32_t ballot(bool bit WEFT_AND_SITE) {
  return __ballot_sync(kFullWarp, bit ? 1 : 0 WEFT_AND_AT);
}

/// The bits that any thread has; the whole warp must call.
WEFT_DEVICE std::uint32_t warp_or(std::uint32_t bits WEFT_AND_SITE) {
  return __reduce_or_sync(kFullWarp, bits WEFT_AND_AT);
}

/// One thread's word, in all threads; the whole warp must call.
WEFT_DEVICE std::uint32_t shuffle(std::uint32_t word, int from WEFT_AND_SITE) {
  return __shfl_sync(kFullWarp, word, from WEFT_AND_AT);
}

/// Shared by a block's warps while they reduce a value.
template <class T>
struct BlockReduction {
  typename cub::WarpReduce<T>::TempStorage of_threads[kMostWarps], of_warps;
  T warp[kMostWarps], block;
};

/// The values of the block's threads as one, in all threads; the whole block must call. Two
/// barriers: between them the first warp reduces what the warps have found.
template <class T, class Operation>
WEFT_DEVICE T block_reduce(BlockReduction<T>& shared, T value, Operation operation WEFT_AND_SITE) {
  static_assert(kMostWarps <= kWarp);  // the first warp has a thread for each
  using Reduce = cub::WarpReduce<T>;
  value = Reduce(shared.of_threads[warp()]).Reduce(value, operation WEFT_AND_AT);
  if (thread() == 0) shared.warp[warp()] = value;
  block_sync(WEFT_AT);
  if (warp() == 0) {
    if (thread() < warps()) value = shared.warp[thread()];
    value = Reduce(shared.of_warps).Reduce(value, operation, warps() WEFT_AND_AT);
    if (thread() == 0) shared.block = value;
  }
  block_sync(WEFT_AT);  // the next call writes `block` after a barrier only
  return shared.block;
}

// Functions with shared variables are static, so that each source file has variables of its own.

/// The block's least value; as block_reduce.
static WEFT_DEVICE std::uint64_t block_min(std::uint64_t value WEFT_AND_SITE) {
  __shared__ BlockReduction<std::uint64_t> shared;
  return block_reduce(
      shared, value, ::cuda::minimum<> {} WEFT_AND_AT);
}

/// The sum over the block; as block_reduce.
static WEFT_DEVICE std::uint64_t block_sum(std::uint64_t value WEFT_AND_SITE) {
  __shared__ BlockReduction<std::uint64_t> shared;
  return block_reduce(
      shared, value, ::cuda::std::plus<> {} WEFT_AND_AT);
}

/// All bits of the block; as block_reduce.
static WEFT_DEVICE std::uint32_t block_or(std::uint32_t bits WEFT_AND_SITE) {
  __shared__ BlockReduction<std::uint32_t> shared;
  return block_reduce(
      shared, bits, ::cuda::std::bit_or<> {} WEFT_AND_AT);
}

// Words in device memory that several blocks read and write.
template <class T>
using DeviceAtomic = ::cuda::atomic_ref<T, ::cuda::thread_scope_device>;

template <class T>
WEFT_DEVICE T load_relaxed(const T* word) {
  return DeviceAtomic<T>(*const_cast<T*>(word)).load(::cuda::memory_order_relaxed);
}

template <class T>
WEFT_DEVICE void store_relaxed(T* word, std::type_identity_t<T> value) {
  DeviceAtomic<T>(*word).store(value, ::cuda::memory_order_relaxed);
}

// Words in the host's memory that the device and the host read and write while a kernel runs.
template <class T>
using SystemAtomic = ::cuda::atomic_ref<T, ::cuda::thread_scope_system>;

template <class T>
WEFT_DEVICE T load_from_host(const T* word) {
  return SystemAtomic<T>(*const_cast<T*>(word)).load(::cuda::memory_order_relaxed);
}

template <class T>
WEFT_DEVICE void store_to_host(T* word, std::type_identity_t<T> value) {
  SystemAtomic<T>(*word).store(value, ::cuda::memory_order_relaxed);
}

/// As fence(), for the host too.
WEFT_DEVICE void fence_for_host() { __threadfence_system(); }

/// What the thread has loaded and stored before it comes before what it loads and stores after it,
/// for all blocks.
WEFT_DEVICE void fence() { __threadfence(); }

/// The launch ends with an error.
WEFT_DEVICE void trap() { __trap(); }

/// Relaxed; what was there before is returned.
template <class T>
WEFT_DEVICE T atomic_min(T* word, std::type_identity_t<T> value) {
  return DeviceAtomic<T>(*word).fetch_min(value, ::cuda::memory_order_relaxed);
}

template <class T>
WEFT_DEVICE T atomic_add(T* word, std::type_identity_t<T> value) {
  return DeviceAtomic<T>(*word).fetch_add(value, ::cuda::memory_order_relaxed);
}

template <class T>
WEFT_DEVICE T atomic_or(T* word, std::type_identity_t<T> bits) {
  return DeviceAtomic<T>(*word).fetch_or(bits, ::cuda::memory_order_relaxed);
}

/// To be called in every loop that waits for another block.
WEFT_DEVICE void pause(WEFT_SITE) { __nanosleep(40 WEFT_AND_AT); }

}  // namespace weft::cuda

#undef WEFT_SITE
#undef WEFT_AND_SITE
#undef WEFT_AT
#undef WEFT_AND_AT
