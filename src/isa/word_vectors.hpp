#pragma once

#include <cstdint>

/// Words of several lanes in one vector register, where the processor has integers in it (AVX2),
/// rounds a product and a sum once (FMA) and converts FP16 (F16C). The functions of alu.hpp that
/// are templates take them as they take a word.
#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__) && !defined(__CUDACC__)
#define WEFT_WORD_VECTORS 1

#include <immintrin.h>

#include <bit>

namespace weft::isa {

#if defined(__AVX512F__)
inline constexpr int kVectorWords = 16;
// Without a mask g++ 12 warns of something uninitialized in these functions.
inline constexpr std::uint16_t kEach = 0xffff;
#else
inline constexpr int kVectorWords = 8;
#endif
using Words = std::uint32_t __attribute__((vector_size(4 * kVectorWords)));
using Floats = float __attribute__((vector_size(4 * kVectorWords)));

inline __attribute__((always_inline)) Floats as_float(Words w) { return std::bit_cast<Floats>(w); }
inline __attribute__((always_inline)) Words as_word(Floats f) { return std::bit_cast<Words>(f); }

/// As result(float) of alu.hpp.
inline __attribute__((always_inline)) Words result(Floats f) {
  return f == f ? as_word(f) : Words{} + 0x7fc00000U;
}

/// As fused(float, float, float).
inline __attribute__((always_inline)) Floats fused(Floats a, Floats b, Floats c) {
#if defined(__AVX512F__)
  return _mm512_maskz_fmadd_ps(kEach, a, b, c);
#else
  return _mm256_fmadd_ps(a, b, c);
#endif
}

/// As from_half(Word), but that a NaN is a quiet one.
inline __attribute__((always_inline)) Floats from_half(Words h) {
#if defined(__AVX512F__)
  const __m256i halves = _mm512_maskz_cvtepi32_epi16(kEach, std::bit_cast<__m512i>(h));
  return _mm512_maskz_cvtph_ps(kEach, halves);
#else
  // The low halves, side by side.
  const __m256i low = std::bit_cast<__m256i>(h & 0xffffU);
  const __m128i halves =
      _mm_packus_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
  return _mm256_cvtph_ps(halves);
#endif
}

/// As to_half(float).
inline __attribute__((always_inline)) Words to_half(Floats f) {
#if defined(__AVX512F__)
  const __m256i halves = _mm512_maskz_cvtps_ph(kEach, f, _MM_FROUND_TO_NEAREST_INT);
  const __m512i bits = _mm512_maskz_cvtepu16_epi32(kEach, halves);
#else
  const __m256i bits = _mm256_cvtepu16_epi32(_mm256_cvtps_ph(f, _MM_FROUND_TO_NEAREST_INT));
#endif
  return f == f ? std::bit_cast<Words>(bits) : Words{} + 0x7e00U;
}

}  // namespace weft::isa
#endif
