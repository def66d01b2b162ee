#pragma once

#include <cstdint>

#include "cuda/facilities.cuh"
#include "model/lanes.hpp"

namespace weft::cuda {

/// Lane primitives on a GPU: a warp is a strip, a thread a lane (rules: model/lanes.hpp). Masks are
/// the same in all threads, so that they go the same way.
struct WarpLanes {
  using Mask = model::Mask;

  /// A word per lane: each thread has its own.
  struct Words {
    std::uint32_t word = 0;
    WEFT_DEVICE std::uint32_t& operator[](int) { return word; }
    WEFT_DEVICE std::uint32_t operator[](int) const { return word; }
  };

  static constexpr bool kExecutorPerInstruction = false;
  static constexpr bool kRowWakes = false;
  static constexpr bool kFarMemory = true;

  /// Between the barriers lane 0 alone runs: what lanes read before is read, what it writes is
  /// there after.
  template <class F>
  WEFT_DEVICE static auto once(F f) {
    using Result = decltype(f());
    warp_sync();
    if constexpr (std::is_void_v<Result>) {
      if (lane() == 0) f();
      warp_sync();
    } else {
      Result result{};
      if (lane() == 0) result = f();
      warp_sync();
      return broadcast(result);
    }
  }

  template <class F>
  WEFT_DEVICE static void for_each(Mask mask, F f) {
    for (; mask != 0; mask &= mask - 1) {
      warp_sync();
      if (lane() == model::lowest(mask)) f(lane());
    }
    warp_sync();
  }

  template <class F>
  WEFT_DEVICE static Mask sift(Mask mask, F f) {
    bool found = false;
    for (; mask != 0; mask &= mask - 1) {
      warp_sync();
      if (lane() == model::lowest(mask)) found = f(lane());
    }
    warp_sync();
    return ballot(found);
  }

  template <class F>
  WEFT_DEVICE static void at_once(Mask mask, F f) {
    if (model::has(mask, lane())) f(lane());
  }

  template <class P>
  WEFT_DEVICE static Mask where(Mask mask, P p) {
    return ballot(model::has(mask, lane()) && p(lane()));
  }

  /// Each thread keeps its own flags.
  template <int N>
  struct Flags {
    std::uint32_t own;
    WEFT_DEVICE Mask of(int k) const { return ballot((own >> k & 1U) != 0); }
  };

  template <int N, class F>
  WEFT_DEVICE static Flags<N> flags(Mask mask, F f) {
    return {model::has(mask, lane()) ? f(lane()) : 0U};
  }

  template <int N, class F>
  WEFT_DEVICE static Flags<N> flags_in_turn(Mask mask, Mask in_turn, F f) {
    std::uint32_t bits = 0;
    // The others all at once, before; f stands here once, because it is large.
    for (Mask now = mask & ~in_turn, rest = mask & in_turn; (now | rest) != 0;) {
      if (model::has(now, lane())) bits = f(lane());
      warp_sync();
      now = rest & (0U - rest);
      rest &= rest - 1;
    }
    return {bits};
  }

  template <int N, class F>
  WEFT_DEVICE static void bits(std::uint32_t set, F f) {
    WEFT_UNROLL
    for (int k = 0; k < N; ++k)
      if ((set >> k & 1U) != 0) f(k);
  }

  WEFT_DEVICE static void meet() { warp_sync(); }

  WEFT_DEVICE static std::uint32_t pick(const std::uint32_t* a, int from) {
    return shuffle(a[lane()], from);
  }

  template <class F>
  WEFT_DEVICE static void map(Mask mask, std::uint32_t* d, const std::uint32_t* a,
                              const std::uint32_t* b, F f) {
    const int i = lane();
    if (model::has(mask, i)) d[i] = f(d[i], a[i], b[i]);
  }

  WEFT_DEVICE static void copy(Mask mask, std::uint32_t* d, const std::uint32_t* a) {
    if (model::has(mask, lane())) d[lane()] = a[lane()];
  }

  WEFT_DEVICE static void fill(Mask mask, std::uint32_t* d, std::uint32_t value) {
    if (model::has(mask, lane())) d[lane()] = value;
  }

  WEFT_DEVICE static void copy_from_west(Mask mask, std::uint32_t* d, const std::uint32_t* a,
                                         const std::uint32_t* west) {
    const int i = lane();
    if (model::has(mask, i)) d[i] = i > 0 ? a[i - 1] : west[model::kLanes - 1];
  }

  WEFT_DEVICE static void copy_from_east(Mask mask, std::uint32_t* d, const std::uint32_t* a,
                                         const std::uint32_t* east) {
    const int i = lane();
    if (model::has(mask, i)) d[i] = i + 1 < model::kLanes ? a[i + 1] : east[0];
  }

  /// Other warps hide what memory takes.
  WEFT_DEVICE static void prefetch(const std::uint32_t*) {}

  WEFT_DEVICE static void publish(std::uint64_t& at, std::uint64_t value) {
    store_relaxed(&at, value);
  }

  template <class T>
  WEFT_DEVICE static Mask equal(const T* a, T value) {
    return ballot(a[lane()] == value);
  }

  WEFT_DEVICE static Mask due(const std::uint64_t* cycle, std::uint64_t now) {
    return ballot(cycle[lane()] <= now);
  }

  WEFT_DEVICE static std::uint64_t least(Mask mask, const std::uint64_t* cycle) {
    return warp_min(model::has(mask, lane()) ? cycle[lane()] : ~std::uint64_t{0});
  }

  WEFT_DEVICE static Mask count_on(Mask mask, std::uint32_t* counter, const std::uint32_t* limit,
                                   const std::uint32_t* most) {
    const int i = lane();
    if (model::has(mask, i)) counter[i] = counter[i] == limit[i] ? 0 : counter[i] + 1;
    return ballot(counter[i] <= most[i]);
  }
};

}  // namespace weft::cuda
