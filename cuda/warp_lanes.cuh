#pragma once

#include <cstdint>

#include "cuda/facilities.cuh"
#include "fast/run_ahead.hpp"
#include "model/lanes/neighbours.hpp"

namespace weft::cuda {

/// Lane primitives on a GPU: a warp is a strip (rules: model/lanes/policy.hpp). Thread t has the
/// lanes t and t + 32. Masks are the same in all threads, so that they go the same way.
struct WarpLanes {
  using Mask = model::Mask;
  static constexpr int kThreads = static_cast<int>(kWarp);
  static_assert(model::kLanes == 2 * kThreads);

  /// A word per lane: each thread has those of its own.
  struct Words {
    std::uint32_t low = 0, high = 0;
    WEFT_DEVICE std::uint32_t& operator[](int i) { return i < kThreads ? low : high; }
    WEFT_DEVICE std::uint32_t operator[](int i) const { return i < kThreads ? low : high; }
  };

  using Shape = model::Block;
  using Hooks = fast::RunAhead<model::PlainHooks>;
  static constexpr bool kOneThread = false;
  static constexpr bool kRowWakes = false;
  static constexpr bool kLanesAlike = false;
  static constexpr bool kExecutorPerInstruction = false;
  static constexpr bool kFarMemory = true;

  /// Between the barriers thread 0 alone runs: what lanes read before is read, what it writes is
  /// there after.
  template <class F>
  WEFT_DEVICE static auto once(F f) {
    using Result = decltype(f());
    warp_sync();
    if constexpr (std::is_void_v<Result>) {
      if (thread() == 0) f();
      warp_sync();
    } else {
      Result result{};
      if (thread() == 0) result = f();
      warp_sync();
      return broadcast(result);
    }
  }

  template <class F>
  WEFT_DEVICE static void for_each(Mask mask, F f) {
    for (; mask != 0; mask &= mask - 1) {
      const int i = model::lowest(mask);
      warp_sync();
      if (thread() == i % kThreads) f(i);
    }
    warp_sync();
  }

  template <class F>
  WEFT_DEVICE static Mask sift(Mask mask, F f) {
    Words found;
    for (; mask != 0; mask &= mask - 1) {
      const int i = model::lowest(mask);
      warp_sync();
      if (thread() == i % kThreads) found[i] = f(i);
    }
    warp_sync();
    return lanes_with(found);
  }

  template <class F>
  WEFT_DEVICE static void at_once(Mask mask, F f) {
    // Registers are scarce, and f is often large.
    WEFT_NO_UNROLL
    for (int i = thread(); i < model::kLanes; i += kThreads)
      if (model::has(mask, i)) f(i);
  }

  template <class P>
  WEFT_DEVICE static Mask where(Mask mask, P p) {
    Words found;
    at_once(mask, [&](int i) { found[i] = p(i); });
    return lanes_with(found);
  }

  /// Each thread keeps its own lanes' flags.
  template <int N>
  struct Flags {
    Words own;
    WEFT_DEVICE Mask of(int k) const { return lanes_with({own.low >> k & 1U, own.high >> k & 1U}); }
  };

  template <int N, class F>
  WEFT_DEVICE static Flags<N> flags(Mask mask, F f) {
    Words own;
    at_once(mask, [&](int i) { own[i] = f(i); });
    return {own};
  }

  template <int N, class F>
  WEFT_DEVICE static Flags<N> flags_in_turn(Mask mask, Mask in_turn, F f) {
    Words own;
    // The others all at once, before; f stands here once, because it is large.
    for (Mask now = mask & ~in_turn, rest = mask & in_turn; (now | rest) != 0;) {
      at_once(now, [&](int i) { own[i] = f(i); });
      warp_sync();
      now = rest & (0U - rest);
      rest &= rest - 1;
    }
    return {own};
  }

  template <int N, class F>
  WEFT_DEVICE static void bits(std::uint32_t set, F f) {
    WEFT_UNROLL
    for (int k = 0; k < N; ++k)
      if ((set >> k & 1U) != 0) f(k);
  }

  WEFT_DEVICE static void meet() { warp_sync(); }

  WEFT_DEVICE static std::uint32_t pick(const std::uint32_t* a, int from) {
    return shuffle(a[thread() + from / kThreads * kThreads], from % kThreads);
  }

  template <class F>
  WEFT_DEVICE static void map(Mask mask, std::uint32_t* d, const std::uint32_t* a,
                              const std::uint32_t* b, F f) {
    at_once(mask, [&](int i) { d[i] = f(d[i], a[i], b[i]); });
  }

  WEFT_DEVICE static void copy(Mask mask, std::uint32_t* d, const std::uint32_t* a) {
    at_once(mask, [&](int i) { d[i] = a[i]; });
  }

  WEFT_DEVICE static void fill(Mask mask, std::uint32_t* d, std::uint32_t value) {
    at_once(mask, [&](int i) { d[i] = value; });
  }

  template <Port side, class Shape>
  WEFT_DEVICE static void copy_from(Mask mask, std::uint32_t* d, const std::uint32_t* own,
                                    const std::uint32_t* beyond) {
    using Side = model::To<side, Shape>;
    at_once(mask, [&](int i) {
      d[i] = model::has(Side::kEdge, i) ? beyond[i + Side::kBeyond] : own[i + Side::kInside];
    });
  }

  /// Other warps hide what memory takes.
  WEFT_DEVICE static void prefetch(const std::uint32_t*) {}

  WEFT_DEVICE static void publish(std::uint64_t& at, std::uint64_t value) {
    store_relaxed(&at, value);
  }

  template <class T>
  WEFT_DEVICE static Mask equal(Mask mask, const T* a, T value) {
    return where(mask, [&](int i) { return a[i] == value; });
  }

  /// By the thread that runs a function of `once`.
  WEFT_DEVICE static Mask equal_here(Mask mask, const std::uint8_t* a, std::uint8_t value) {
    Mask found = 0;
    for (; mask != 0; mask &= mask - 1)
      if (a[model::lowest(mask)] == value) found |= model::lane_bit(model::lowest(mask));
    return found;
  }

  WEFT_DEVICE static Mask due(Mask mask, const std::uint64_t* cycle, std::uint64_t now) {
    return where(mask, [&](int i) { return cycle[i] <= now; });
  }

  WEFT_DEVICE static std::uint64_t least(Mask mask, const std::uint64_t* cycle) {
    std::uint64_t own = ~std::uint64_t{0};
    at_once(mask, [&](int i) { own = cycle[i] < own ? cycle[i] : own; });
    return warp_min(own);
  }

  WEFT_DEVICE static void count_up(Mask mask, std::uint32_t* count) {
    at_once(mask, [&](int i) { ++count[i]; });
  }

  WEFT_DEVICE static Mask count_on(Mask mask, std::uint32_t* counter, const std::uint32_t* limit,
                                   const std::uint32_t* most) {
    return where(model::kAllLanes, [&](int i) {
      if (model::has(mask, i)) counter[i] = counter[i] == limit[i] ? 0 : counter[i] + 1;
      return counter[i] <= most[i];
    });
  }

 private:
  /// The lanes whose word is not 0; the whole warp must call.
  WEFT_DEVICE static Mask lanes_with(const Words& words) {
    const Mask low = ballot(words.low != 0), high = ballot(words.high != 0);
    return low | high << kWarp;
  }
};

}  // namespace weft::cuda
