#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "isa/host_device.hpp"
#include "isa/word_vectors.hpp"

/// The computation of one lane: result = f(d, a, b), all as 32-bit patterns. Named in
/// instructions.def. Templates take vectors of words, too, where there are such (word_vectors.hpp).
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
WEFT_HD Word rsub(Word, Word a, Word b) { return b - a; }
WEFT_HD Word mul(Word, Word a, Word b) { return a * b; }
WEFT_HD Word band(Word, Word a, Word b) { return a & b; }
WEFT_HD Word bor(Word, Word a, Word b) { return a | b; }
WEFT_HD Word bxor(Word, Word a, Word b) { return a ^ b; }
WEFT_HD Word shl(Word, Word a, Word b) { return a << (b & 31U); }
WEFT_HD Word shr(Word, Word a, Word b) { return a >> (b & 31U); }
WEFT_HD Word sar(Word, Word a, Word b) { return static_cast<Word>(as_int(a) >> (b & 31U)); }

WEFT_HD Word maxi(Word, Word a, Word b) { return as_int(a) < as_int(b) ? b : a; }
WEFT_HD Word maxu(Word, Word a, Word b) { return a < b ? b : a; }
WEFT_HD Word mini(Word, Word a, Word b) { return as_int(b) < as_int(a) ? b : a; }
WEFT_HD Word minu(Word, Word a, Word b) { return b < a ? b : a; }

/// A NaN result is always the same one: which operand's NaN a processor keeps is not to be seen.
WEFT_HD Word result(float f) { return f == f ? as_word(f) : 0x7fc00000U; }

/// a b + c, rounded once.
WEFT_HD float fused(float a, float b, float c) { return std::fma(a, b, c); }

template <class W>
WEFT_HD W fadds(W, W a, W b) {
  return result(as_float(a) + as_float(b));
}
template <class W>
WEFT_HD W fsubs(W, W a, W b) {
  return result(as_float(a) - as_float(b));
}
template <class W>
WEFT_HD W fmuls(W, W a, W b) {
  return result(as_float(a) * as_float(b));
}
template <class W>
WEFT_HD W fmacs(W d, W a, W b) {
  return result(fused(as_float(a), as_float(b), as_float(d)));
}
WEFT_HD Word fnegs(Word, Word a, Word) { return a ^ 0x80000000U; }
WEFT_HD Word fabss(Word, Word a, Word) { return a & 0x7fffffffU; }
/// Of +0 and -0 the first; a NaN if either is one.
template <class W>
WEFT_HD W fmaxs(W, W a, W b) {
  const auto x = as_float(a), y = as_float(b);
  return x == x && y == y ? (x < y ? b : a) : W{} + 0x7fc00000U;
}
template <class W>
WEFT_HD W fmins(W, W a, W b) {
  const auto x = as_float(a), y = as_float(b);
  return x == x && y == y ? (y < x ? b : a) : W{} + 0x7fc00000U;
}
template <class W>
WEFT_HD W frsubs(W, W a, W b) {
  return result(as_float(b) - as_float(a));
}
WEFT_HD Word flts(Word, Word a, Word b) { return as_float(a) < as_float(b); }
WEFT_HD Word fles(Word, Word a, Word b) { return as_float(a) <= as_float(b); }
WEFT_HD Word feqs(Word, Word a, Word b) { return as_float(a) == as_float(b); }

WEFT_HD Word fi2s(Word, Word a, Word) { return as_word(static_cast<float>(as_int(a))); }
WEFT_HD Word fu2s(Word, Word a, Word) { return as_word(static_cast<float>(a)); }
/// Toward 0; beyond the range the nearest integer, 0 of a NaN.
WEFT_HD Word fs2i(Word, Word a, Word) {
  const float x = as_float(a);
  const bool fits = x > -0x1p31F && x < 0x1p31F;
  const Word beyond = x >= 0x1p31F ? 0x7fffffffU : x <= -0x1p31F ? 0x80000000U : 0;
  return fits ? static_cast<Word>(static_cast<std::int32_t>(fits ? x : 0.0F)) : beyond;
}
WEFT_HD Word fs2u(Word, Word a, Word) {
  const float x = as_float(a);
  const bool fits = x >= 0.0F && x < 0x1p32F;
  return fits ? static_cast<Word>(fits ? x : 0.0F) : x >= 0x1p32F ? 0xffffffffU : 0;
}

// 16-bit values live in the low half of a word; the high half is ignored, and 0 in results.
template <class W>
WEFT_HD W half(W w) {
  return w & 0xffffU;
}
WEFT_HD Word first16(Word, Word a, Word) { return half(a); }
WEFT_HD Word second16(Word, Word, Word b) { return half(b); }
WEFT_HD Word add16(Word, Word a, Word b) { return half(a + b); }
WEFT_HD Word sub16(Word, Word a, Word b) { return half(a - b); }
WEFT_HD Word rsub16(Word, Word a, Word b) { return half(b - a); }
WEFT_HD Word and16(Word, Word a, Word b) { return half(a & b); }
WEFT_HD Word or16(Word, Word a, Word b) { return half(a | b); }
WEFT_HD Word xor16(Word, Word a, Word b) { return half(a ^ b); }
WEFT_HD Word sll16(Word, Word a, Word b) { return half(a << (b & 15U)); }
WEFT_HD Word slr16(Word, Word a, Word b) { return half(a) >> (b & 15U); }
WEFT_HD Word sar16(Word, Word a, Word b) {
  return half(static_cast<Word>(as_int(a << 16U) >> (16U + (b & 15U))));
}

WEFT_HD std::int32_t signed16(Word a) { return as_int(a << 16U) >> 16U; }
WEFT_HD Word maxi16(Word, Word a, Word b) { return half(signed16(a) < signed16(b) ? b : a); }
WEFT_HD Word maxu16(Word, Word a, Word b) { return half(half(a) < half(b) ? b : a); }
WEFT_HD Word mini16(Word, Word a, Word b) { return half(signed16(b) < signed16(a) ? b : a); }
WEFT_HD Word minu16(Word, Word a, Word b) { return half(half(b) < half(a) ? b : a); }

/// FP16 to FP32, exact; subnormals by a multiplication with 2^112.
WEFT_HD float from_half(Word h) {
  const Word magnitude = (h & 0x7fffU) << 13U;
  const Word finite = as_word(as_float(magnitude) * as_float(0x77800000U));
  const Word bits = (h & 0x7c00U) == 0x7c00U ? magnitude | 0x7f800000U : finite;
  return as_float(bits | (h & 0x8000U) << 16U);
}

/// FP32 to FP16, to nearest even; overflow gives infinity, NaN the one NaN.
WEFT_HD Word to_half(float f) {
  const Word sign = as_word(f) >> 16U & 0x8000U;
  const Word a = as_word(f) & 0x7fffffffU;
  // Below 2^-14 the unit is 2^-24: that of 0.5 in FP32, so an addition rounds.
  const Word subnormal = as_word(as_float(a) + 0.5F) - 0x3f000000U;
  const Word normal = (a + 0xfffU + (a >> 13U & 1U) - 0x38000000U) >> 13U;
  const Word finite = a < 0x38800000U ? subnormal : normal;
  const Word bits = a >= 0x477ff000U ? 0x7c00U : finite;
  return a > 0x7f800000U ? 0x7e00U : bits | sign;
}

// FP32 has more than twice the bits of FP16 and two: rounding twice is rounding once.
template <class W>
WEFT_HD W faddh(W, W a, W b) {
  return to_half(from_half(a) + from_half(b));
}
template <class W>
WEFT_HD W fsubh(W, W a, W b) {
  return to_half(from_half(a) - from_half(b));
}
template <class W>
WEFT_HD W fmulh(W, W a, W b) {
  return to_half(from_half(a) * from_half(b));
}
WEFT_HD Word fnegh(Word, Word a, Word) { return half(a ^ 0x8000U); }
WEFT_HD Word fabsh(Word, Word a, Word) { return a & 0x7fffU; }
template <class W>
WEFT_HD W fmaxh(W, W a, W b) {
  const auto x = from_half(a), y = from_half(b);
  return x == x && y == y ? half(x < y ? b : a) : W{} + 0x7e00U;
}
template <class W>
WEFT_HD W fminh(W, W a, W b) {
  const auto x = from_half(a), y = from_half(b);
  return x == x && y == y ? half(y < x ? b : a) : W{} + 0x7e00U;
}
template <class W>
WEFT_HD W frsubh(W, W a, W b) {
  return to_half(from_half(b) - from_half(a));
}
WEFT_HD Word flth(Word, Word a, Word b) { return from_half(a) < from_half(b); }
WEFT_HD Word fleh(Word, Word a, Word b) { return from_half(a) <= from_half(b); }
WEFT_HD Word feqh(Word, Word a, Word b) { return from_half(a) == from_half(b); }

/// The product is exact in FP32. The sum is rounded to odd (its error is known exactly), so that
/// rounding to FP16 sees on which side of a tie it lies.
template <class W>
WEFT_HD W fmach(W d, W a, W b) {
  const auto p = from_half(a) * from_half(b), c = from_half(d);
  const auto s = p + c;
  const auto part = s - p;
  const auto error = (p - (s - part)) + (c - part);
  const W bits = as_word(s);
  const auto finite = (bits & 0x7f800000U) != 0x7f800000U;
  const auto adjust = finite && error != 0.0F && (bits & 1U) == 0;
  const auto outward = (error > 0.0F) == (s > 0.0F);
  return to_half(as_float(adjust ? (outward ? bits + 1 : bits - 1) : bits));
}

template <class W>
WEFT_HD W fh2s(W, W a, W) {
  return result(from_half(a));
}
template <class W>
WEFT_HD W fs2h(W, W a, W) {
  return to_half(as_float(a));
}
WEFT_HD Word xp162fs(Word, Word a, Word) { return as_word(static_cast<float>(signed16(a))); }
WEFT_HD Word xp162fh(Word, Word a, Word) { return to_half(static_cast<float>(signed16(a))); }
WEFT_HD Word fs2xp16(Word d, Word a, Word b) {
  const std::int32_t whole = as_int(fs2i(d, a, b));
  return half(static_cast<Word>(whole < -32768 ? -32768 : whole > 32767 ? 32767 : whole));
}
WEFT_HD Word fh2xp16(Word d, Word a, Word b) { return fs2xp16(d, as_word(from_half(a)), b); }
template <class W>
WEFT_HD W faddhs(W, W a, W b) {
  return result(as_float(a) + from_half(b));
}
template <class W>
WEFT_HD W fmachs(W d, W a, W b) {
  return result(as_float(d) + from_half(a) * from_half(b));
}

// Branch conditions: true goes to the target.
WEFT_HD bool equal(Word d, Word a, Word = 0) { return d == a; }
WEFT_HD bool not_equal(Word d, Word a, Word = 0) { return d != a; }
WEFT_HD bool less(Word d, Word a, Word = 0) { return as_int(d) < as_int(a); }
WEFT_HD bool not_less(Word d, Word a, Word = 0) { return as_int(d) >= as_int(a); }
WEFT_HD bool below(Word d, Word a, Word = 0) { return d < a; }
WEFT_HD bool not_below(Word d, Word a, Word = 0) { return d >= a; }

}  // namespace weft::isa
