#pragma once

#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "model/lanes/lanes.hpp"

/// From masks to small numbers of lanes.
namespace weft::model {

struct LaneBytes {
  alignas(64) std::uint8_t at[kLanes];
};

/// Of eight masks: bit k of a lane's byte is its bit of mask k.
static WEFT_INLINE LaneBytes bytes_of(const Mask* digit) {
  LaneBytes bytes;
#if defined(__AVX512BW__)
  __m512i all = _mm512_setzero_si512();
  for (int k = 0; k < 8; ++k)
    all = _mm512_or_si512(all, _mm512_maskz_set1_epi8(digit[k], static_cast<char>(1U << k)));
  _mm512_store_si512(bytes.at, all);
#elif defined(__AVX2__)
  const __m256i own_byte =
      _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  const __m256i own_bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
  for (int half = 0; half < 2; ++half) {
    __m256i all = _mm256_setzero_si256();
    for (int k = 0; k < 8; ++k) {
      const auto mask = static_cast<int>(digit[k] >> (32 * half));
      const __m256i bits = _mm256_shuffle_epi8(_mm256_set1_epi32(mask), own_byte);
      const __m256i lanes = _mm256_cmpeq_epi8(_mm256_and_si256(bits, own_bit), own_bit);
      const __m256i one = _mm256_set1_epi8(static_cast<char>(1U << k));
      all = _mm256_or_si256(all, _mm256_and_si256(lanes, one));
    }
    _mm256_store_si256(reinterpret_cast<__m256i*>(bytes.at + 32 * half), all);
  }
#else
  for (int first = 0; first < kLanes; first += 8) {
    std::uint64_t eight = 0;  // lanes, the first in the lowest byte
    for (int k = 0; k < 8; ++k) {
      const std::uint64_t bits = digit[k] >> first & 0xffU;
      const std::uint64_t apart = (bits * 0x0101010101010101U) & 0x8040201008040201U;
      eight |= ((apart + 0x7f7f7f7f7f7f7f7fU) >> 7U & 0x0101010101010101U) << k;
    }
    for (int i = 0; i < 8; ++i) bytes.at[first + i] = static_cast<std::uint8_t>(eight >> 8 * i);
  }
#endif
  return bytes;
}

}  // namespace weft::model
