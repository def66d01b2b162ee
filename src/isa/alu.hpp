#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#if defined(__CUDACC__)
#define WEFT_HD __host__ __device__ __forceinline__
#else
#define WEFT_HD inline __attribute__((always_inline))
#endif

/// What one lane computes: result = f(d, a, b), all as 32-bit patterns. Named in instructions.def.
namespace weft::isa {

using Word = std::uint32_t;

WEFT_HD float as_float(Word w) {
  float f;
  std::memcpy(&f, &w, sizeof f);
  return f;
}

WEFT_HD Word as_word(float f) {
  Word w;
  std::memcpy(&w, &f, sizeof w);
  return w;
}

WEFT_HD std::int32_t as_int(Word w) { return static_cast<std::int32_t>(w); }

WEFT_HD Word first(Word, Word a, Word) { return a; }
WEFT_HD Word second(Word, Word, Word b) { return b; }

WEFT_HD Word add(Word, Word a, Word b) { return a + b; }
WEFT_HD Word sub(Word, Word a, Word b) { return a - b; }
WEFT_HD Word mul(Word, Word a, Word b) { return a * b; }
WEFT_HD Word band(Word, Word a, Word b) { return a & b; }
WEFT_HD Word bor(Word, Word a, Word b) { return a | b; }
WEFT_HD Word bxor(Word, Word a, Word b) { return a ^ b; }
WEFT_HD Word shl(Word, Word a, Word b) { return a << (b & 31U); }
WEFT_HD Word shr(Word, Word a, Word b) { return a >> (b & 31U); }
WEFT_HD Word sar(Word, Word a, Word b) { return static_cast<Word>(as_int(a) >> (b & 31U)); }

WEFT_HD Word fadds(Word, Word a, Word b) { return as_word(as_float(a) + as_float(b)); }
WEFT_HD Word fsubs(Word, Word a, Word b) { return as_word(as_float(a) - as_float(b)); }
WEFT_HD Word fmuls(Word, Word a, Word b) { return as_word(as_float(a) * as_float(b)); }
WEFT_HD Word fmacs(Word d, Word a, Word b) {
  return as_word(std::fma(as_float(a), as_float(b), as_float(d)));
}
WEFT_HD Word fnegs(Word, Word a, Word) { return a ^ 0x80000000U; }

// Branch conditions: true goes to the target.
WEFT_HD bool equal(Word d, Word a, Word = 0) { return d == a; }
WEFT_HD bool not_equal(Word d, Word a, Word = 0) { return d != a; }
WEFT_HD bool less(Word d, Word a, Word = 0) { return as_int(d) < as_int(a); }
WEFT_HD bool not_less(Word d, Word a, Word = 0) { return as_int(d) >= as_int(a); }

}  // namespace weft::isa
