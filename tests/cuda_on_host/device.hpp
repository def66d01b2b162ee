#pragma once

// The substitute of CUDA for kernels: its words, indices, intrinsics and the few classes that
// cuda/facilities.cuh uses. Kernels do not use anything that is missing here, or it is added here.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>

namespace weft::cuda_on_host {

/// Where in the source a thread waits: barriers on different lines are different barriers.
struct Site {
  const char* file = "";
  int line = 0;
};
constexpr Site here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return {file, line};
}

struct Index {
  unsigned x = 0, y = 0, z = 0;
};

/// The facts of a CUDA thread about itself.
struct Place {
  Index thread, block, threads, blocks;
  std::byte* shared = nullptr;  ///< the block's dynamic shared memory
};
extern constinit thread_local const Place* place;  ///< of the thread that runs

/// A warp operation: only lanes that name the same one meet.
struct Meeting {
  std::uint32_t lanes = 0;
  const char* operation = "";
  Site site;
  int folds = 32;  ///< the first lanes, whose values a fold takes
};
using Fold = std::uint64_t(std::uint64_t, std::uint64_t);

void block_barrier(Site site);
void grid_barrier(Site site);
void let_others_run(Site site);
/// `source` lane's value.
std::uint64_t shuffle(const Meeting& meeting, std::uint64_t value, int source);
/// The fold of all values, lowest lane first, in all lanes.
std::uint64_t fold_lanes(const Meeting& meeting, std::uint64_t value, Fold* fold);

template <class T>
std::uint64_t to_bits(T value) {
  static_assert(sizeof(T) <= 8);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline std::uint64_t fold_or(std::uint64_t a, std::uint64_t b) { return a | b; }

/// The value of fresh memory, and of results that CUDA leaves open.
inline constexpr int kPoison = 0xa7;
inline constexpr std::uint64_t kPoisonWord = 0xa7a7a7a7a7a7a7a7U;

}  // namespace weft::cuda_on_host

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))

// A block is one OS thread. The section lets a new block find and poison its shared variables;
// those of templates the compiler puts elsewhere, and they start as zero. It does not take inline
// functions.
#define __shared__ static thread_local __attribute__((section("weft_shared")))

#define threadIdx (::weft::cuda_on_host::place->thread)
#define blockIdx (::weft::cuda_on_host::place->block)
#define blockDim (::weft::cuda_on_host::place->threads)
#define gridDim (::weft::cuda_on_host::place->blocks)

inline void __syncthreads(weft::cuda_on_host::Site site = weft::cuda_on_host::here()) {
  weft::cuda_on_host::block_barrier(site);
}

inline void __syncwarp(unsigned lanes = 0xffffffffU,
                       weft::cuda_on_host::Site site = weft::cuda_on_host::here()) {
  weft::cuda_on_host::fold_lanes({lanes, "__syncwarp", site}, 0, weft::cuda_on_host::fold_or);
}

inline unsigned __ballot_sync(unsigned lanes, int bit,
                              weft::cuda_on_host::Site site = weft::cuda_on_host::here()) {
  const std::uint64_t own = bit != 0 ? std::uint64_t{1} << threadIdx.x % 32 : 0;
  return static_cast<unsigned>(weft::cuda_on_host::fold_lanes({lanes, "__ballot_sync", site}, own,
                                                              weft::cuda_on_host::fold_or));
}

inline unsigned __reduce_or_sync(unsigned lanes, unsigned bits,
                                 weft::cuda_on_host::Site site = weft::cuda_on_host::here()) {
  return static_cast<unsigned>(weft::cuda_on_host::fold_lanes({lanes, "__reduce_or_sync", site},
                                                              bits, weft::cuda_on_host::fold_or));
}

template <class T>
T __shfl_sync(unsigned lanes, T value, int source,
              weft::cuda_on_host::Site site = weft::cuda_on_host::here()) {
  return weft::cuda_on_host::from_bits<T>(weft::cuda_on_host::shuffle(
      {lanes, "__shfl_sync", site}, weft::cuda_on_host::to_bits(value), source));
}

inline void __nanosleep(unsigned, weft::cuda_on_host::Site site = weft::cuda_on_host::here()) {
  weft::cuda_on_host::let_others_run(site);
}

[[noreturn]] inline void __trap() { std::abort(); }

inline void __threadfence() {
  static std::atomic<int> order;  // ThreadSanitizer does not know fences
  order.fetch_add(0, std::memory_order_acq_rel);
}

inline void __threadfence_system() { __threadfence(); }

inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline int __clz(int bits) { return bits == 0 ? 32 : __builtin_clz(static_cast<unsigned>(bits)); }

namespace cooperative_groups {

struct grid_group {
  void sync(weft::cuda_on_host::Site site = weft::cuda_on_host::here()) const {
    weft::cuda_on_host::grid_barrier(site);
  }
};
inline grid_group this_grid() { return {}; }

}  // namespace cooperative_groups

namespace cub {

template <class T>
class WarpReduce {
 public:
  struct TempStorage {};
  explicit WarpReduce(TempStorage&) {}

  /// As CUB's, valid in lane 0 only.
  template <class Operation>
  T Reduce(T value, Operation, weft::cuda_on_host::Site site = weft::cuda_on_host::here()) {
    return reduce(value, 32, fold<Operation>, site);
  }

  /// Of the first `valid` lanes.
  template <class Operation>
  T Reduce(T value, Operation, int valid,
           weft::cuda_on_host::Site site = weft::cuda_on_host::here()) {
    return reduce(value, valid, fold<Operation>, site);
  }

 private:
  static T reduce(T value, int valid, weft::cuda_on_host::Fold* fold,
                  weft::cuda_on_host::Site site) {
    using namespace weft::cuda_on_host;
    const std::uint64_t result =
        fold_lanes({0xffffffffU, "cub::WarpReduce", site, valid}, to_bits(value), fold);
    return from_bits<T>(threadIdx.x % 32 == 0 ? result : kPoisonWord);
  }

  template <class Operation>
  static std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    using namespace weft::cuda_on_host;
    return to_bits<T>(Operation{}(from_bits<T>(a), from_bits<T>(b)));
  }
};

}  // namespace cub

namespace cuda {

using ::std::memory_order;
using ::std::memory_order_acquire;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;

namespace std {
using ::std::bit_or;
using ::std::plus;
}  // namespace std

enum thread_scope { thread_scope_system, thread_scope_device };

template <class T, thread_scope>
class atomic_ref : public ::std::atomic_ref<T> {
 public:
  using ::std::atomic_ref<T>::atomic_ref;

  T fetch_min(T value, memory_order order) const {
    T before = this->load(memory_order_relaxed);
    while (value < before && !this->compare_exchange_weak(before, value, order)) {
    }
    return before;
  }
};

template <class = void>
struct minimum {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};

}  // namespace cuda
