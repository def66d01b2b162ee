#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "isa/word_vectors.hpp"
#include "model/lanes/lanes.hpp"

/// Functions called for lanes, in loops, which the compiler turns into vector instructions where it
/// can.
namespace weft::model {

/// f(n) for each bit n of a mask, lowest first: mostly for its lanes.
template <class F>
WEFT_INLINE void for_each(Mask bits, F f) {
  for (; bits != 0; bits &= bits - 1) f(lowest(bits));
}

/// The lanes of the mask in which p(lane), asked one after the other, lowest first.
template <class P>
WEFT_INLINE Mask where(Mask mask, P p) {
  Mask found = 0;
  for (; mask != 0; mask &= mask - 1) found |= static_cast<Mask>(p(lowest(mask))) << lowest(mask);
  return found;
}

/// N flags of each lane.
template <int N>
struct Flags {
  Mask by_flag[N] = {};
  /// The lanes that have flag k.
  WEFT_INLINE Mask of(int k) const { return by_flag[k]; }
};

/// As for_each, where f(lane) returns the lane's flags, flag k as bit k.
template <int N, class F>
WEFT_INLINE Flags<N> flags(Mask mask, F f) {
  Flags<N> flags;
  for (; mask != 0; mask &= mask - 1)
    for (std::uint32_t bits = f(lowest(mask)); bits != 0; bits &= bits - 1)
      flags.by_flag[lowest(bits)] |= lane_bit(lowest(mask));
  return flags;
}

/// Lanes that a loop does together where masks are not whole: one AVX-512 register.
inline constexpr int kPart = 16;

WEFT_INLINE std::uint16_t part(Mask mask, int first) {
  return static_cast<std::uint16_t>(mask >> first);
}

/// f(i) for each i, a multiple of N, of which one of the lanes i to i + N - 1 is in the mask: the
/// others' words are left alone, as they are mostly in no near cache.
template <int N, class F>
WEFT_INLINE void for_parts(Mask mask, F f) {
  if (mask == kAllLanes) {
    for (int i = 0; i < kLanes; i += N) f(i);
    return;
  }
  constexpr Mask kOne = (Mask{1} << N) - 1;
  while (mask != 0) {
    const int i = lowest(mask) & ~(N - 1);
    f(i);
    mask &= ~(kOne << i);
  }
}

template <class F>
WEFT_INLINE void map_part(std::uint16_t mask, std::uint32_t* d, const std::uint32_t* a,
                          const std::uint32_t* b, F f) {
  if (mask == 0xffffU) {
#pragma GCC ivdep
    for (int i = 0; i < kPart; ++i) d[i] = f(d[i], a[i], b[i]);
  } else if (mask != 0) {
#pragma GCC ivdep
    for (int i = 0; i < kPart; ++i) {
      const std::uint32_t value = f(d[i], a[i], b[i]);
      d[i] = (mask >> i & 1U) != 0 ? value : d[i];
    }
  }
}

#if defined(WEFT_WORD_VECTORS)
template <class F>
concept TakesVectors = std::is_invocable_v<F, isa::Words, isa::Words, isa::Words>;

WEFT_INLINE isa::Words vector_at(const std::uint32_t* words) {
  isa::Words vector;
  std::memcpy(&vector, words, sizeof vector);
  return vector;
}

WEFT_INLINE void put_vector(std::uint32_t* words, isa::Words vector) {
  std::memcpy(words, &vector, sizeof vector);
}

/// The lanes i, i + 1, ... of a mask: all ones in those that it has.
WEFT_INLINE auto chosen_from(Mask mask, int i) {
  isa::Words bits;
  for (int k = 0; k < isa::kVectorWords; ++k) bits[k] = 1U << k;
  return (bits & static_cast<std::uint32_t>(mask >> i)) != 0;
}

/// As map below, by vectors.
template <TakesVectors F>
WEFT_INLINE void map_vectors(Mask mask, std::uint32_t* d, const std::uint32_t* a,
                             const std::uint32_t* b, F f) {
  for_parts<isa::kVectorWords>(mask, [&](int i) {
    const isa::Words old = vector_at(d + i);
    const isa::Words value = f(old, vector_at(a + i), vector_at(b + i));
    put_vector(d + i, mask == kAllLanes ? value : chosen_from(mask, i) ? value : old);
  });
}
#endif

/// d = f(d, a, b).
template <class F>
WEFT_INLINE void map(Mask mask, std::uint32_t* d, const std::uint32_t* a, const std::uint32_t* b,
                     F f) {
  if ((mask & (mask - 1)) == 0) {
    const int i = lowest(mask);
    d[i] = f(d[i], a[i], b[i]);
    return;
  }
#if defined(WEFT_WORD_VECTORS)
  if constexpr (TakesVectors<F>) return map_vectors(mask, d, a, b, f);
#endif
  if (mask == kAllLanes) {
#pragma GCC ivdep
    for (int i = 0; i < kLanes; ++i) d[i] = f(d[i], a[i], b[i]);
  } else {
    for (int i = 0; i < kLanes; i += kPart) map_part(part(mask, i), d + i, a + i, b + i, f);
  }
}

/// n times d = f(d, a, b), each operand a stride (in lane vectors) further on.
template <class F>
WEFT_INLINE void sweep(Mask mask, std::uint32_t n, std::uint32_t* d, std::int32_t d_stride,
                       const std::uint32_t* a, std::int32_t a_stride, const std::uint32_t* b,
                       std::int32_t b_stride, F f) {
  const std::ptrdiff_t d_step = std::ptrdiff_t{d_stride} * kLanes,
                       a_step = std::ptrdiff_t{a_stride} * kLanes,
                       b_step = std::ptrdiff_t{b_stride} * kLanes;
  if ((mask & (mask - 1)) == 0) {
    const int lane = lowest(mask);
    d += lane, a += lane, b += lane;
    for (; n != 0; --n, d += d_step, a += a_step, b += b_step) *d = f(*d, *a, *b);
    return;
  }
  for (; n != 0; --n, d += d_step, a += a_step, b += b_step) map(mask, d, a, b, f);
}

}  // namespace weft::model
