#pragma once

#include <cstdint>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "isa/alu.hpp"

namespace weft::model {

/// One bit per PE of a strip, lane 0 (west) lowest.
using Mask = std::uint32_t;
inline constexpr int kLanes = 32;
inline constexpr Mask kAllLanes = ~Mask{0};

WEFT_HD Mask lane_bit(int lane) { return Mask{1} << lane; }
WEFT_HD bool has(Mask mask, int lane) { return (mask >> lane & 1U) != 0; }
WEFT_HD int lowest(Mask mask) { return __builtin_ctz(mask); }
WEFT_HD int count(Mask mask) { return __builtin_popcount(mask); }

/// Bit p of the result is bit (p xor turn) of `bits`, turn from 0 to 31. The bits in this order are
/// a priority that changes every cycle and treats any two of them alike.
WEFT_HD std::uint32_t in_turn(std::uint32_t bits, unsigned turn) {
  const auto swap = [&](unsigned distance, std::uint32_t low) {
    if ((turn & distance) != 0) bits = (bits >> distance & low) | (bits & low) << distance;
  };
  swap(1, 0x55555555U);
  swap(2, 0x33333333U);
  swap(4, 0x0f0f0f0fU);
  swap(8, 0x00ff00ffU);
  swap(16, 0x0000ffffU);
  return bits;
}

/// A lane vector in memory: one word per PE of a strip.
struct alignas(64) Vector {
  std::uint32_t at[kLanes];
};

/// Lane primitives on a CPU: loops of 32 that the compiler turns into vector instructions. All work
/// in place on lane vectors in memory, and touch only the lanes of their mask.
struct HostLanes {
  /// f(lane) for each lane of the mask, lowest first.
  template <class F>
  WEFT_HD static void for_each(Mask mask, F f) {
    for (; mask != 0; mask &= mask - 1) f(lowest(mask));
  }

  /// d = f(d, a, b).
  template <class F>
  WEFT_HD static void map(Mask mask, std::uint32_t* d, const std::uint32_t* a,
                          const std::uint32_t* b, F f) {
    if (mask == kAllLanes) {
#pragma GCC ivdep
      for (int i = 0; i < kLanes; ++i) d[i] = f(d[i], a[i], b[i]);
    } else if ((mask & (mask - 1)) == 0) {
      const int i = lowest(mask);
      d[i] = f(d[i], a[i], b[i]);
    } else {
#pragma GCC ivdep
      for (int i = 0; i < kLanes; ++i) {
        const std::uint32_t value = f(d[i], a[i], b[i]);
        d[i] = has(mask, i) ? value : d[i];
      }
    }
  }

  WEFT_HD static void copy(Mask mask, std::uint32_t* d, const std::uint32_t* a) {
#if defined(__AVX512F__)
    _mm512_mask_storeu_epi32(d, low(mask), _mm512_maskz_loadu_epi32(low(mask), a));
    _mm512_mask_storeu_epi32(d + 16, high(mask), _mm512_maskz_loadu_epi32(high(mask), a + 16));
#else
    if ((mask & (mask - 1)) == 0) {
      if (mask != 0) d[lowest(mask)] = a[lowest(mask)];
      return;
    }
    for (int i = 0; i < kLanes; ++i) d[i] = has(mask, i) ? a[i] : d[i];
#endif
  }

  WEFT_HD static void fill(Mask mask, std::uint32_t* d, std::uint32_t value) {
#if defined(__AVX512F__)
    const __m512i all = _mm512_set1_epi32(static_cast<int>(value));
    _mm512_mask_storeu_epi32(d, low(mask), all);
    _mm512_mask_storeu_epi32(d + 16, high(mask), all);
#else
    if ((mask & (mask - 1)) == 0) {
      if (mask != 0) d[lowest(mask)] = value;
      return;
    }
    for (int i = 0; i < kLanes; ++i) d[i] = has(mask, i) ? value : d[i];
#endif
  }

  /// d[i] = a[i - 1]; lane 0 takes lane 31 of the strip to the west.
  WEFT_HD static void copy_from_west(Mask mask, std::uint32_t* d, const std::uint32_t* a,
                                     const std::uint32_t* west) {
    if (has(mask, 0)) d[0] = west[kLanes - 1];
#if defined(__AVX512F__)
    const Mask rest = mask & ~lane_bit(0);
    _mm512_mask_storeu_epi32(d, low(rest), _mm512_maskz_loadu_epi32(low(rest), a - 1));
    _mm512_mask_storeu_epi32(d + 16, high(rest), _mm512_maskz_loadu_epi32(high(rest), a + 15));
#else
    for (int i = 1; i < kLanes; ++i) d[i] = has(mask, i) ? a[i - 1] : d[i];
#endif
  }

  /// d[i] = a[i + 1]; lane 31 takes lane 0 of the strip to the east.
  WEFT_HD static void copy_from_east(Mask mask, std::uint32_t* d, const std::uint32_t* a,
                                     const std::uint32_t* east) {
    if (has(mask, kLanes - 1)) d[kLanes - 1] = east[0];
#if defined(__AVX512F__)
    const Mask rest = mask & ~lane_bit(kLanes - 1);
    _mm512_mask_storeu_epi32(d, low(rest), _mm512_maskz_loadu_epi32(low(rest), a + 1));
    _mm512_mask_storeu_epi32(d + 16, high(rest), _mm512_maskz_loadu_epi32(high(rest), a + 17));
#else
    for (int i = 0; i + 1 < kLanes; ++i) d[i] = has(mask, i) ? a[i + 1] : d[i];
#endif
  }

  /// Stores what another strip's owner will read after the next phase edge; all writers of a phase
  /// store the same value.
  WEFT_HD static void publish(std::uint64_t& at, std::uint64_t value) {
    __atomic_store_n(&at, value, __ATOMIC_RELAXED);
  }

  /// The lanes in which a[i] = value.
  WEFT_HD static Mask equal(const std::uint32_t* a, std::uint32_t value) {
#if defined(__AVX512F__)
    const __m512i all = _mm512_set1_epi32(static_cast<int>(value));
    return static_cast<Mask>(_mm512_cmpeq_epi32_mask(_mm512_loadu_si512(a), all)) |
           static_cast<Mask>(_mm512_cmpeq_epi32_mask(_mm512_loadu_si512(a + 16), all)) << 16U;
#else
    return where([=](int i) { return a[i] == value; });
#endif
  }

  WEFT_HD static Mask equal(const std::uint8_t* a, std::uint8_t value) {
    Mask mask = 0;
    for (int i = 0; i < kLanes; ++i) mask |= static_cast<Mask>(a[i] == value) << i;
    return mask;
  }

  /// The lanes in which p(i).
  template <class P>
  WEFT_HD static Mask where(P p) {
    Mask mask = 0;
    for (int i = 0; i < kLanes; ++i) mask |= static_cast<Mask>(p(i)) << i;
    return mask;
  }

 private:
#if defined(__AVX512F__)
  WEFT_HD static __mmask16 low(Mask mask) { return static_cast<__mmask16>(mask); }
  WEFT_HD static __mmask16 high(Mask mask) { return static_cast<__mmask16>(mask >> 16U); }
#endif
};

}  // namespace weft::model
