#pragma once

#include "cuda/pe/near.cuh"

/// What only a PE's own thread looks at, and is not in shared memory: a thread keeps it in local
/// memory while the kernel runs. There the words of a warp's threads are interleaved, so PEs that
/// use the same one use a cache line together; and it stays in the first-level cache, whatever
/// other blocks write.
namespace weft::pe_kernel {

/// PEs of a thread for which it is so. With more of them it stays where it is.
inline constexpr std::uint32_t kMostOwn = 2;

// A CPU's threads have no addresses of their own. (bench/gpu_count runs machine code on them.)
#if defined(WEFT_CUDA_ON_HOST) || defined(WEFT_FOR_HOST_THREADS)
inline constexpr bool kHasLocalMemory = false;
#else
inline constexpr bool kHasLocalMemory = true;
#endif

template <class S>
struct OwnState {
  pe::FarCore far_core[kMostOwn];
  pe::Far<S> far[kMostOwn];
  pe::Core core[kMostOwn];
  pe::Router<S> router[kMostOwn];
};

/// Where it is between launches; no address: it is not in local memory.
template <class S>
struct OwnHomes {
  pe::FarCore* far_core;
  pe::Far<S>* far;
  pe::Core* core;
  pe::Router<S>* router;
};

/// By one thread: from now on the arrays are those of each thread. `own`: in local memory. CUDA
/// does not promise that it has one address in all threads, so check_own must follow.
template <class S>
WEFT_DEVICE void go_to_own(Fabric<S>& f, OwnState<S>& own, OwnHomes<S>& homes) {
  homes = {};
  if (!kHasLocalMemory || f.sizes.pes > kMostOwn * blockDim.x) return;
  const auto go = [](auto& array, auto* local, auto*& home) {
    using Array = std::remove_reference_t<decltype(array)>;
    home = array.first;
    array = Array::of_thread(local, blockDim.x);
  };
  const auto is_near = [&](Part part) { return (f.near >> static_cast<int>(part) & 1U) != 0; };
  go(f.arrays.far_core, own.far_core, homes.far_core);
  go(f.arrays.far, own.far, homes.far);
  if (!is_near(Part::cores)) go(f.arrays.core, own.core, homes.core);
  if (!is_near(Part::routers)) go(f.arrays.router, own.router, homes.router);
}

/// By each thread.
template <class S>
WEFT_DEVICE void check_own(const Fabric<S>& f, OwnState<S>& own, const OwnHomes<S>& homes) {
  if (homes.far != nullptr && f.arrays.far.first != own.far) cuda::trap();
}

/// As many words as a GPU loads at once.
template <class T>
struct alignas(alignof(T)) Words {
  std::uint32_t word[alignof(T) / sizeof(std::uint32_t)];
};

template <class T>
WEFT_DEVICE void copy_own(T& to, const T& from) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(Words<T>) == 0);
  auto* const words = reinterpret_cast<Words<T>*>(&to);
  const auto* const of = reinterpret_cast<const Words<T>*>(&from);
#if defined(__CUDACC__)
#pragma unroll 4
#endif
  for (std::uint32_t at = 0; at < sizeof(T) / sizeof(Words<T>); ++at) words[at] = of[at];
}

/// copy(of the thread, at home) for each of its PEs.
template <class S, class F>
WEFT_DEVICE void for_own_state(const Fabric<S>& f, OwnState<S>& own, const OwnHomes<S>& homes,
                               const F& copy) {
  const auto each = [&](auto* local, auto* home) {
    if (home == nullptr) return;
    for (std::uint32_t n = threadIdx.x; n < f.sizes.pes; n += blockDim.x) copy(*local++, home[n]);
  };
  each(own.far_core, homes.far_core);
  each(own.far, homes.far);
  each(own.core, homes.core);
  each(own.router, homes.router);
}

/// By each thread, when a launch begins, and when it ends.
template <class S>
WEFT_DEVICE void fetch_own(const Fabric<S>& f, OwnState<S>& own, const OwnHomes<S>& homes) {
  for_own_state(f, own, homes, [](auto& local, const auto& home) { copy_own(local, home); });
}
template <class S>
WEFT_DEVICE void put_back_own(const Fabric<S>& f, OwnState<S>& own, const OwnHomes<S>& homes) {
  for_own_state(f, own, homes, [](const auto& local, auto& home) { copy_own(home, local); });
}

}  // namespace weft::pe_kernel
