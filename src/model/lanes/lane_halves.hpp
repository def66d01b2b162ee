#pragma once

#include "model/lanes/lane_vectors.hpp"

/// 16 bits of each lane: vector instructions by hand, or else plain loops.
namespace weft::model {

#if defined(__AVX2__)
WEFT_INLINE __m256i sixteen(const std::uint16_t* a) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a));
}

/// All ones in the halves of words of a mask's lanes, from lane i to i + 15.
WEFT_INLINE __m256i chosen_sixteen(Mask mask, int i) {
  const __m256i own = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096,
                                        8192, 16384, static_cast<short>(0x8000));
  const __m256i bits = _mm256_set1_epi16(static_cast<short>(mask >> i));
  return _mm256_cmpeq_epi16(_mm256_and_si256(bits, own), own);
}

/// A bit for each of 32 halves of words that are all ones (others are 0): 16 and 16 of them.
WEFT_INLINE Mask bits_of(__m256i first, __m256i second) {
  const __m256i mixed = _mm256_packs_epi16(first, second);
  const int bits = _mm256_movemask_epi8(_mm256_permute4x64_epi64(mixed, 0xd8));
  return static_cast<Mask>(static_cast<std::uint32_t>(bits));
}
#endif

WEFT_INLINE void fill(Mask mask, std::uint16_t* d, std::uint16_t value) {
#if defined(__AVX2__)
  const __m256i all = _mm256_set1_epi16(static_cast<short>(value));
  for (int i = 0; i < kLanes; i += 16)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(d + i),
                        _mm256_blendv_epi8(sixteen(d + i), all, chosen_sixteen(mask, i)));
#else
  for (int i = 0; i < kLanes; ++i) d[i] = has(mask, i) ? value : d[i];
#endif
}

/// The lanes of the mask in which a[i] = value.
WEFT_INLINE Mask equal(Mask mask, const std::uint16_t* a, std::uint16_t value) {
#if defined(__AVX2__)
  const __m256i all = _mm256_set1_epi16(static_cast<short>(value));
  const auto same = [=](int i) { return _mm256_cmpeq_epi16(sixteen(a + i), all); };
  return (bits_of(same(0), same(16)) | bits_of(same(32), same(48)) << 32U) & mask;
#else
  return where(mask, [=](int i) { return a[i] == value; });
#endif
}

#if defined(__AVX2__)
/// `last(i)`: of lanes i to i + 15.
template <class Last>
WEFT_INLINE Mask count_up_to_last(Mask mask, std::uint16_t* count, Last last) {
  const auto counted = [&](int i) {
    const __m256i more = _mm256_sub_epi16(sixteen(count + i), chosen_sixteen(mask, i));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(count + i), more);
    return _mm256_cmpeq_epi16(more, last(i));
  };
  const Mask low = bits_of(counted(0), counted(16));
  return (low | bits_of(counted(32), counted(48)) << 32U) & mask;
}
#endif

/// One more in the lanes of the mask. Returns those that then have `end`.
static WEFT_INLINE Mask count_up_to(Mask mask, std::uint16_t* count, std::uint16_t end) {
#if defined(__AVX2__)
  const __m256i last = _mm256_set1_epi16(static_cast<short>(end));
  return count_up_to_last(mask, count, [=](int) { return last; });
#else
  for (int i = 0; i < kLanes; ++i)
    count[i] = static_cast<std::uint16_t>(count[i] + (has(mask, i) ? 1 : 0));
  return where(mask, [=](int i) { return count[i] == end; });
#endif
}

/// The same, with an end for each lane.
static WEFT_INLINE Mask count_up_to(Mask mask, std::uint16_t* count, const std::uint16_t* end) {
#if defined(__AVX2__)
  return count_up_to_last(mask, count, [=](int i) { return sixteen(end + i); });
#else
  for (int i = 0; i < kLanes; ++i)
    count[i] = static_cast<std::uint16_t>(count[i] + (has(mask, i) ? 1 : 0));
  return where(mask, [=](int i) { return count[i] == end[i]; });
#endif
}

}  // namespace weft::model
