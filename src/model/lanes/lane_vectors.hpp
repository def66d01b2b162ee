#pragma once

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "model/lanes/loops.hpp"
#include "model/lanes/neighbours.hpp"

/// Lane vectors in memory: vector instructions by hand, or else plain loops. All work in place, and
/// change only the lanes of their mask.
namespace weft::model {

#if defined(__AVX512F__)
/// Sixteen words, of lanes i to i + 15, into those that the mask has.
WEFT_INLINE void put(std::uint32_t* d, __m512i value, Mask mask, int i) {
  _mm512_mask_storeu_epi32(d, part(mask, i), value);
}
#elif defined(__AVX2__)
WEFT_INLINE __m256i eight(const std::uint32_t* a) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a));
}

/// All ones in the lanes of a mask that the compiler knows, from lane i on.
WEFT_INLINE __m256i fixed(Mask mask, int i) {
  const auto all = [&](int lane) { return has(mask, i + lane) ? -1 : 0; };
  return _mm256_setr_epi32(all(0), all(1), all(2), all(3), all(4), all(5), all(6), all(7));
}

/// A mask as vectors of eight words, whose top bits are those of its lanes.
class Chosen {
 public:
  WEFT_INLINE explicit Chosen(Mask mask)
      : half_{_mm256_set1_epi32(static_cast<int>(mask)),
              _mm256_set1_epi32(static_cast<int>(mask >> 32U))} {}
  /// Of lanes i to i + 7.
  WEFT_INLINE __m256i at(int i) const {
    const int top = 31 - i % 32;
    const __m256i to_top =
        _mm256_setr_epi32(top, top - 1, top - 2, top - 3, top - 4, top - 5, top - 6, top - 7);
    return _mm256_sllv_epi32(half_[i / 32], to_top);
  }

 private:
  __m256i half_[2];
};

/// Eight words into those whose lanes are `chosen`.
WEFT_INLINE void put(std::uint32_t* d, __m256i value, __m256i lanes) {
  const __m256 mixed = _mm256_blendv_ps(_mm256_castsi256_ps(eight(d)), _mm256_castsi256_ps(value),
                                        _mm256_castsi256_ps(lanes));
  _mm256_storeu_ps(reinterpret_cast<float*>(d), mixed);
}

/// d = words(i), those of lanes i to i + 7.
template <class F>
static WEFT_INLINE void put_eights(Mask mask, std::uint32_t* d, F words) {
  if (mask == kAllLanes) {
#pragma GCC unroll 8
    for (int i = 0; i < kLanes; i += 8)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(d + i), words(i));
    return;
  }
  const Chosen chosen(mask);
#pragma GCC unroll 8
  for (int i = 0; i < kLanes; i += 8) put(d + i, words(i), chosen.at(i));
}

WEFT_INLINE __m256i four(const std::uint64_t* a) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a));
}

/// The lanes i to i + 3 of a mask, as the top bits of four cycles.
WEFT_INLINE __m256i chosen_four(Mask mask, int i) {
  return _mm256_sllv_epi64(_mm256_set1_epi64x(static_cast<long long>(mask >> i)),
                           _mm256_setr_epi64x(63, 62, 61, 60));
}

/// Four cycles, of lanes i to i + 3, into those that the mask has.
WEFT_INLINE void put(std::uint64_t* d, __m256i value, Mask mask, int i) {
  const __m256d mixed = _mm256_blendv_pd(_mm256_castsi256_pd(four(d)), _mm256_castsi256_pd(value),
                                         _mm256_castsi256_pd(chosen_four(mask, i)));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(d), _mm256_castpd_si256(mixed));
}

/// A bit for each of eight words that are all ones (others are 0).
WEFT_INLINE Mask bits_of(__m256i words) {
  return static_cast<Mask>(_mm256_movemask_ps(_mm256_castsi256_ps(words)));
}

/// The same of all lanes: `words(i)` are those of lanes i to i + 7.
template <class F>
static WEFT_INLINE Mask bits_of_all(F words) {
  const __m256i to_order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);  // packs keep to halves
  const auto half = [&](int i) {
    const __m256i bytes = _mm256_packs_epi16(_mm256_packs_epi32(words(i), words(i + 8)),
                                             _mm256_packs_epi32(words(i + 16), words(i + 24)));
    const int bits = _mm256_movemask_epi8(_mm256_permutevar8x32_epi32(bytes, to_order));
    return static_cast<Mask>(static_cast<std::uint32_t>(bits));
  };
  return half(0) | half(32) << 32U;
}
#endif

/// d = a.
WEFT_INLINE void copy(Mask mask, std::uint32_t* d, const std::uint32_t* a) {
  if (mask == kAllLanes) {
#pragma GCC ivdep
    for (int i = 0; i < kLanes; ++i) d[i] = a[i];
    return;
  }
#if defined(__AVX512F__)
  for (int i = 0; i < kLanes; i += kPart)
    if (part(mask, i) != 0) put(d + i, _mm512_maskz_loadu_epi32(part(mask, i), a + i), mask, i);
#elif defined(__AVX2__)
  put_eights(mask, d, [&](int i) { return eight(a + i); });
#else
  if ((mask & (mask - 1)) == 0) {
    if (mask != 0) d[lowest(mask)] = a[lowest(mask)];
    return;
  }
  for (int i = 0; i < kLanes; ++i) d[i] = has(mask, i) ? a[i] : d[i];
#endif
}

/// d = f(lane), which is asked of all lanes: a loop without a mask becomes vector instructions.
template <class F>
WEFT_INLINE void assign(Mask mask, std::uint32_t* d, F f) {
  Vector value;
  for (int i = 0; i < kLanes; ++i) value.at[i] = f(i);
  copy(mask, d, value.at);
}

/// As assign; few lanes are asked one by one.
template <class F>
WEFT_INLINE void put_in(Mask mask, std::uint32_t* d, F f) {
  if (!few(mask)) return assign(mask, d, f);
  for_each(mask, [&](int lane) { d[lane] = f(lane); });
}

WEFT_INLINE void fill(Mask mask, std::uint32_t* d, std::uint32_t value) {
#if defined(__AVX512F__)
  const __m512i all = _mm512_set1_epi32(static_cast<int>(value));
  for (int i = 0; i < kLanes; i += kPart)
    if (part(mask, i) != 0) put(d + i, all, mask, i);
#elif defined(__AVX2__)
  put_eights(mask, d, [&](int) { return _mm256_set1_epi32(static_cast<int>(value)); });
#else
  if ((mask & (mask - 1)) == 0) {
    if (mask != 0) d[lowest(mask)] = value;
    return;
  }
  for (int i = 0; i < kLanes; ++i) d[i] = has(mask, i) ? value : d[i];
#endif
}

/// d = a + by.
static WEFT_INLINE void put_later(Mask mask, std::uint64_t* d, const std::uint64_t* a,
                                  std::uint64_t by) {
#if defined(__AVX512F__)
  const __m512i all = _mm512_set1_epi64(static_cast<long long>(by));
  for_parts<8>(mask, [&](int i) {
    const __m512i sum = _mm512_add_epi64(_mm512_loadu_si512(a + i), all);
    _mm512_mask_storeu_epi64(d + i, static_cast<__mmask8>(mask >> i), sum);
  });
#elif defined(__AVX2__)
  const __m256i all = _mm256_set1_epi64x(static_cast<long long>(by));
  for_parts<4>(mask, [&](int i) { put(d + i, _mm256_add_epi64(four(a + i), all), mask, i); });
#else
  for (int i = 0; i < kLanes; ++i) d[i] = has(mask, i) ? a[i] + by : d[i];
#endif
}

static WEFT_INLINE void fill(Mask mask, std::uint64_t* d, std::uint64_t value) {
#if defined(__AVX512F__)
  const __m512i all = _mm512_set1_epi64(static_cast<long long>(value));
  for (int i = 0; i < kLanes; i += 8)
    _mm512_mask_storeu_epi64(d + i, static_cast<__mmask8>(mask >> i), all);
#elif defined(__AVX2__)
  const __m256i all = _mm256_set1_epi64x(static_cast<long long>(value));
  for_parts<4>(mask, [&](int i) { put(d + i, all, mask, i); });
#else
  for (int i = 0; i < kLanes; ++i) d[i] = has(mask, i) ? value : d[i];
#endif
}

/// d is at least the value.
WEFT_INLINE void raise(Mask mask, std::uint64_t* d, std::uint64_t value) {
#if defined(__AVX512F__)
  const __m512i all = _mm512_set1_epi64(static_cast<long long>(value));
  for (int i = 0; i < kLanes; i += 8) {
    const __m512i eight = _mm512_loadu_si512(d + i);
    const auto part = static_cast<__mmask8>(mask >> i);
    _mm512_storeu_si512(d + i, _mm512_mask_max_epu64(eight, part, eight, all));
  }
#else
  for_each(mask, [&](int lane) { d[lane] = d[lane] < value ? value : d[lane]; });
#endif
}

/// Each lane takes the word of its neighbour on that side: in `own`, or, on the edge, in that of
/// the strip beyond.
template <Port side, class Shape>
static WEFT_INLINE void copy_from(Mask mask, std::uint32_t* d, const std::uint32_t* own,
                                  const std::uint32_t* beyond) {
  using Side = To<side, Shape>;
#if defined(__AVX512F__)
#pragma GCC unroll 4
  for (int i = 0; i < kLanes; i += kPart) {
    if (part(mask, i) == 0) continue;
    const __m512i inside = _mm512_maskz_loadu_epi32(part(~Side::kEdge, i), own + i + Side::kInside);
    put(d + i, _mm512_mask_loadu_epi32(inside, part(Side::kEdge, i), beyond + i + Side::kBeyond),
        mask, i);
  }
#elif defined(__AVX2__)
  put_eights(mask, d, [&](int i) {
    const __m256i inside = _mm256_maskload_epi32(
        reinterpret_cast<const int*>(own + i + Side::kInside), fixed(~Side::kEdge, i));
    const __m256i outside = _mm256_maskload_epi32(
        reinterpret_cast<const int*>(beyond + i + Side::kBeyond), fixed(Side::kEdge, i));
    return _mm256_or_si256(inside, outside);
  });
#else
  copy(mask & ~Side::kEdge, d, own + Side::kInside);
  const Mask edge = mask & Side::kEdge;
  if (edge != 0) copy(edge, d, beyond + Side::kBeyond);
#endif
}

/// The word will be needed soon.
WEFT_INLINE void prefetch(const std::uint32_t* word) { __builtin_prefetch(word); }

/// The lanes of the mask in which a[i] = value.
static WEFT_INLINE Mask equal(Mask mask, const std::uint32_t* a, std::uint32_t value) {
#if defined(__AVX512F__)
  const __m512i all = _mm512_set1_epi32(static_cast<int>(value));
  Mask found = 0;
  for_parts<16>(mask, [&](int i) {
    const __m512i words = _mm512_loadu_si512(a + i);
    found |= static_cast<Mask>(_mm512_mask_cmpeq_epi32_mask(part(mask, i), words, all)) << i;
  });
  return found;
#elif defined(__AVX2__)
  const __m256i all = _mm256_set1_epi32(static_cast<int>(value));
  const auto equal = [&](int i) { return _mm256_cmpeq_epi32(eight(a + i), all); };
  if (!few(mask)) return bits_of_all(equal) & mask;
  Mask found = 0;
  for_parts<8>(mask, [&](int i) { found |= bits_of(equal(i)) << i; });
  return found & mask;
#else
  return where(mask, [=](int i) { return a[i] == value; });
#endif
}

/// The lanes of the mask in which p(lane); many are asked all at once, with others.
template <class P>
static WEFT_INLINE Mask which(Mask mask, P p) {
  if (few(mask)) return where(mask, p);
  Vector yes;
  for (int i = 0; i < kLanes; ++i) yes.at[i] = p(i) ? 1 : 0;
  return equal(mask, yes.at, 1);
}

WEFT_INLINE Mask equal(Mask mask, const std::uint8_t* a, std::uint8_t value) {
#if defined(__AVX2__)
  const __m256i all = _mm256_set1_epi8(static_cast<char>(value));
  Mask found = 0;
  for (int i = 0; i < kLanes; i += 32) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + i));
    const int equal = _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, all));
    found |= static_cast<Mask>(static_cast<std::uint32_t>(equal)) << i;
  }
  return found & mask;
#else
  return where(mask, [=](int i) { return a[i] == value; });
#endif
}

/// The lanes of the mask whose cycle has come.
static WEFT_INLINE Mask due(Mask mask, const std::uint64_t* cycle, std::uint64_t now) {
#if defined(__AVX512F__)
  const __m512i all = _mm512_set1_epi64(static_cast<long long>(now));
  Mask found = 0;
  for_parts<8>(mask, [&](int i) {
    const __m512i eight = _mm512_loadu_si512(cycle + i);
    found |= static_cast<Mask>(_mm512_cmple_epu64_mask(eight, all)) << i;
  });
  return found & mask;
#elif defined(__AVX2__)
  // Compared as signed numbers: both with the top bit turned.
  const __m256i top = _mm256_set1_epi64x(INT64_MIN);
  const __m256i all = _mm256_xor_si256(_mm256_set1_epi64x(static_cast<long long>(now)), top);
  Mask later = 0;
  for_parts<4>(mask, [&](int i) {
    const __m256i above = _mm256_cmpgt_epi64(_mm256_xor_si256(four(cycle + i), top), all);
    later |= static_cast<Mask>(_mm256_movemask_pd(_mm256_castsi256_pd(above))) << i;
  });
  return mask & ~later;
#else
  return where(mask, [=](int i) { return cycle[i] <= now; });
#endif
}

/// The least (cycle xor turn) of the mask's lanes; the largest number if there is none.
static WEFT_INLINE std::uint64_t least(Mask mask, const std::uint64_t* cycle,
                                       std::uint64_t turn = 0) {
  std::uint64_t least = ~std::uint64_t{0};
  const auto take = [&](std::uint64_t next) { least = next < least ? next : least; };
#if defined(__AVX512F__)
  const __m512i turned = _mm512_set1_epi64(static_cast<long long>(turn));
  __m512i all = _mm512_set1_epi64(-1);
  for_parts<8>(mask, [&](int i) {
    all = _mm512_mask_min_epu64(all, static_cast<__mmask8>(mask >> i), all,
                                _mm512_xor_si512(_mm512_loadu_si512(cycle + i), turned));
  });
  // _mm512_reduce_min_epu64 would do, but g++ 12 warns of something uninitialized in it.
  const __m256i four = _mm256_min_epu64(_mm512_maskz_extracti64x4_epi64(0xff, all, 0),
                                        _mm512_maskz_extracti64x4_epi64(0xff, all, 1));
  const __m128i two =
      _mm_min_epu64(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
  take(static_cast<std::uint64_t>(_mm_cvtsi128_si64(two)));
  take(static_cast<std::uint64_t>(_mm_extract_epi64(two, 1)));
#elif defined(__AVX2__)
  // Compared as signed numbers: both with the top bit turned.
  constexpr std::uint64_t kTop = std::uint64_t{1} << 63U;
  const __m256i turned = _mm256_set1_epi64x(static_cast<long long>(turn ^ kTop));
  __m256i all = _mm256_set1_epi64x(INT64_MAX);
  for_parts<4>(mask, [&](int i) {
    const __m256i next = _mm256_xor_si256(four(cycle + i), turned);
    const __m256i less = _mm256_and_si256(_mm256_cmpgt_epi64(all, next), chosen_four(mask, i));
    all = _mm256_castpd_si256(_mm256_blendv_pd(_mm256_castsi256_pd(all), _mm256_castsi256_pd(next),
                                               _mm256_castsi256_pd(less)));
  });
  alignas(32) std::int64_t each[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(each), all);
  for (const std::int64_t one : each) take(static_cast<std::uint64_t>(one) ^ kTop);
#else
  for_each(mask, [&](int lane) { take(cycle[lane] ^ turn); });
#endif
  return least;
}

/// The greatest cycle of the mask's lanes; 0 if there is none.
WEFT_INLINE std::uint64_t most(Mask mask, const std::uint64_t* cycle) {
  return ~least(mask, cycle, ~std::uint64_t{0});
}

/// The least word of the mask's lanes; the largest number if there is none.
WEFT_INLINE std::uint32_t least(Mask mask, const std::uint32_t* word) {
  std::uint32_t least = ~0U;
  if (few(mask)) {
    for_each(mask, [&](int lane) { least = word[lane] < least ? word[lane] : least; });
    return least;
  }
  Vector other;
  for (int i = 0; i < kLanes; ++i) other.at[i] = ~0U;
  copy(mask, other.at, word);
  for (int i = 0; i < kLanes; ++i) least = other.at[i] < least ? other.at[i] : least;
  return least;
}

}  // namespace weft::model
