#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#include "bench/gpu_count/counters.hpp"
#include "cuda_on_host/device.hpp"

/// What translated PTX is written in: its instructions that are no operators of C++, on the fibers
/// of CUDA on the host.
namespace weft::gpu_count {

using cuda_on_host::Site, cuda_on_host::place;

/// A kernel: its parameters are bytes at these offsets.
struct Entry {
  const char* name;
  void (*run)(unsigned char* parameters, unsigned char* results);
  std::vector<std::size_t> offsets;
};
const std::vector<Entry>& entries();

/// The same bits, or the same number if both are integers.
template <class To, class From>
To as(From from) {
  if constexpr (std::is_floating_point_v<To> != std::is_floating_point_v<From>)
    return std::bit_cast<To>(from);
  else
    return static_cast<To>(from);
}

inline unsigned lane() { return place->thread.x % 32; }

inline std::uint64_t grid_words() {
  alignas(16) static std::uint32_t words[4] = {};
  return reinterpret_cast<std::uintptr_t>(words);
}

/// Shared memory begins with variables of fixed places.
template <unsigned static_bytes>
unsigned char* shared_memory(std::uint64_t at) {
  alignas(128) static thread_local unsigned char variables[static_bytes + 1];
  const auto offset = static_cast<std::uint32_t>(at);
  if (offset < static_bytes) return variables + offset;
  return reinterpret_cast<unsigned char*>(place->shared) + (offset - static_bytes);
}

template <class T>
T load_plain(const unsigned char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}
template <class T>
void store_plain(unsigned char* at, T value) {
  std::memcpy(at, &value, sizeof value);
}
template <class T>
std::atomic_ref<T> word(unsigned char* at) {
  return std::atomic_ref<T>(*reinterpret_cast<T*>(at));
}
template <class T>
T load_atomic(unsigned char* at) {
  return word<T>(at).load();
}
template <class T>
void store_atomic(unsigned char* at, T value) {
  word<T>(at).store(value);
}
template <class T>
T atomic_add(unsigned char* at, T value) {
  return word<T>(at).fetch_add(value);
}
template <class T>
T atomic_or(unsigned char* at, T value) {
  return word<T>(at).fetch_or(value);
}
template <class T>
T atomic_min(unsigned char* at, T value) {
  T before = word<T>(at).load();
  while (value < before && !word<T>(at).compare_exchange_weak(before, value)) {
  }
  return before;
}

// Meetings of a warp or a block end what is counted together.
inline void let_others(Site site) { cuda_on_host::let_others_run(site); }
inline void meet_block(Site site) {
  cuda_on_host::block_barrier(site);
  next_stretch();
}
inline std::uint32_t meet_or(std::uint32_t bits, Site site) {
  const auto all = static_cast<std::uint32_t>(
      cuda_on_host::fold_lanes({~0U, "vote or redux", site}, bits, cuda_on_host::fold_or));
  next_stretch();
  return all;
}
inline std::uint32_t meet_ballot(bool bit, Site site) {
  return meet_or(std::uint32_t{bit} << lane(), site);
}
inline std::uint32_t meet_shuffle(std::uint32_t value, unsigned from, Site site) {
  const auto got = static_cast<std::uint32_t>(
      cuda_on_host::shuffle({~0U, "shfl", site}, value, static_cast<int>(from)));
  next_stretch();
  return got;
}
inline std::uint32_t meet_shuffle_idx(std::uint32_t value, std::uint32_t from, std::uint32_t,
                                      Site site) {
  return meet_shuffle(value, from % 32, site);
}
inline std::uint32_t meet_shuffle_down(std::uint32_t value, std::uint32_t by, std::uint32_t last,
                                       Site site) {
  return meet_shuffle(value, lane() + by <= last % 32 ? lane() + by : lane(), site);
}

template <class T>
T ptx_shl(T value, std::uint32_t by) {
  return by >= 8 * sizeof(T) ? T{0} : static_cast<T>(value << by);
}
template <class T>
T ptx_shr(T value, std::uint32_t by) {
  if (by >= 8 * sizeof(T)) return value < 0 ? static_cast<T>(-1) : T{0};
  return static_cast<T>(value >> by);
}
inline std::uint32_t ptx_shf_l(std::uint32_t low, std::uint32_t high, std::uint32_t by) {
  return static_cast<std::uint32_t>((std::uint64_t{high} << 32U | low) << by % 32 >> 32U);
}
inline std::uint32_t ptx_shf_r(std::uint32_t low, std::uint32_t high, std::uint32_t by) {
  return static_cast<std::uint32_t>((std::uint64_t{high} << 32U | low) >> by % 32);
}
template <class T>
T ptx_min(T a, T b) {
  return std::min(a, b);
}
template <class T>
T ptx_max(T a, T b) {
  return std::max(a, b);
}
template <class T>
T ptx_mul_hi(T a, T b) {
  static_assert(sizeof(T) == 4);
  using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b) >> 32U);
}
template <class T>
T ptx_bfi(T what, T into, std::uint32_t at, std::uint32_t bits) {
  const T ones = bits >= 8 * sizeof(T) ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << bits) - 1);
  const T mask = ptx_shl<T>(ones, at);
  return static_cast<T>((into & ~mask) | (ptx_shl<T>(what, at) & mask));
}
template <class T>
std::uint32_t ptx_bfind(T bits) {
  using U = std::make_unsigned_t<T>;
  return static_cast<std::uint32_t>(std::bit_width(static_cast<U>(bits))) - 1U;
}
template <class T>
std::uint32_t ptx_bfind_shift(T bits) {
  const std::uint32_t at = ptx_bfind(bits);
  return at == ~0U ? at : static_cast<std::uint32_t>(8 * sizeof(T)) - 1U - at;
}
template <class T>
std::uint32_t ptx_clz(T bits) {
  return static_cast<std::uint32_t>(std::countl_zero(bits));
}
template <class T>
std::uint32_t ptx_popc(T bits) {
  return static_cast<std::uint32_t>(std::popcount(bits));
}
template <class T>
T ptx_brev(T bits) {
  T turned = 0;
  for (unsigned n = 0; n < 8 * sizeof(T); ++n, bits >>= 1U)
    turned = static_cast<T>(turned << 1U | (bits & 1U));
  return turned;
}
template <class T>
std::uint32_t ptx_prmt(std::uint32_t a, std::uint32_t b, std::uint32_t which) {
  const std::uint64_t bytes = std::uint64_t{b} << 32U | a;
  std::uint32_t all = 0;
  for (unsigned n = 0; n < 4; ++n) {
    const std::uint32_t pick = which >> 4 * n & 15U;
    auto byte = static_cast<std::uint32_t>(bytes >> 8 * (pick & 7U) & 255U);
    if ((pick & 8U) != 0) byte = (byte & 128U) != 0 ? 255U : 0U;
    all |= byte << 8 * n;
  }
  return all;
}

}  // namespace weft::gpu_count
