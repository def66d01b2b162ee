#pragma once

#include "model/lanes/lane_vectors.hpp"

/// Sums of lane vectors, in place: vector instructions by hand, or else plain loops.
namespace weft::model {

/// One more in the lanes of the mask.
WEFT_INLINE void count_up(Mask mask, std::uint32_t* count) {
#if defined(__AVX512F__)
  const __m512i one = _mm512_set1_epi32(1);
  for (int i = 0; i < kLanes; i += kPart)
    if (part(mask, i) != 0)
      put(count + i, _mm512_add_epi32(_mm512_loadu_si512(count + i), one), mask, i);
#elif defined(__AVX2__)
  const Chosen chosen(mask);
#pragma GCC unroll 8
  for (int i = 0; i < kLanes; i += 8) {
    const __m256i all_ones = _mm256_srai_epi32(chosen.at(i), 31);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(count + i),
                        _mm256_sub_epi32(eight(count + i), all_ones));
  }
#else
  for (int i = 0; i < kLanes; ++i) count[i] += static_cast<std::uint32_t>(mask >> i & 1U);
#endif
}

/// So many further in the lanes of the mask, from limit to 0, to which they come once at most.
/// Returns the lanes, of all, that are at most at `most` then.
WEFT_INLINE Mask count_on(Mask mask, std::uint32_t* counter, const std::uint32_t* limit,
                          const std::uint32_t* most, std::uint32_t by = 1) {
#if defined(__AVX512F__)
  Mask within = 0;
  for (int i = 0; i < kLanes; i += kPart) {
    const __m512i old = _mm512_loadu_si512(counter + i);
    const __m512i left = _mm512_sub_epi32(_mm512_loadu_si512(limit + i), old);
    const __m512i steps = _mm512_set1_epi32(static_cast<int>(by));
    const __m512i over = _mm512_sub_epi32(_mm512_set1_epi32(static_cast<int>(by - 1)), left);
    const __m512i next = _mm512_mask_mov_epi32(_mm512_add_epi32(old, steps),
                                               _mm512_cmplt_epu32_mask(left, steps), over);
    const __m512i now = _mm512_mask_mov_epi32(old, part(mask, i), next);
    _mm512_storeu_si512(counter + i, now);
    const __mmask16 in = _mm512_cmple_epu32_mask(now, _mm512_loadu_si512(most + i));
    within |= static_cast<Mask>(in) << i;
  }
  return within;
#elif defined(__AVX2__)
  Mask within = 0;
  const Chosen chosen(mask);
#pragma GCC unroll 8
  for (int i = 0; i < kLanes; i += 8) {
    const __m256i old = eight(counter + i);
    const __m256i left = _mm256_sub_epi32(eight(limit + i), old);
    const __m256i most_left = _mm256_set1_epi32(static_cast<int>(by - 1));
    const __m256i wraps = _mm256_cmpeq_epi32(_mm256_min_epu32(left, most_left), left);
    const __m256i up = _mm256_add_epi32(old, _mm256_set1_epi32(static_cast<int>(by)));
    put(counter + i, _mm256_blendv_epi8(up, _mm256_sub_epi32(most_left, left), wraps),
        chosen.at(i));
    const __m256i now = eight(counter + i);
    within |= bits_of(_mm256_cmpeq_epi32(_mm256_min_epu32(now, eight(most + i)), now)) << i;
  }
  return within;
#else
  map(mask, counter, limit, limit, [=](std::uint32_t d, std::uint32_t l, std::uint32_t) {
    return l - d < by ? by - 1 - (l - d) : d + by;
  });
  return where(kAllLanes, [=](int i) { return counter[i] <= most[i]; });
#endif
}

}  // namespace weft::model
