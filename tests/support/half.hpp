#pragma once

#include <cmath>
#include <cstdint>

namespace weft::test {

/// An FP16 number's value; the high half of the word is ignored.
inline long double value(std::uint32_t word) {
  const int exponent = static_cast<int>(word >> 10U & 31U);
  const long double fraction = static_cast<long double>(word & 1023U);
  const long double sign = (word & 0x8000U) != 0 ? -1.0L : 1.0L;
  if (exponent == 31) return fraction == 0 ? sign * HUGE_VALL : std::nanl("");
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

/// The nearest FP16 number, ties to even; every NaN is 0x7e00.
inline std::uint32_t half(long double x) {
  if (std::isnan(x)) return 0x7e00U;
  const std::uint32_t sign = std::signbit(x) ? 0x8000U : 0U;
  const long double magnitude = std::fabs(x);
  if (magnitude >= 65520.0L) return sign | 0x7c00U;
  const int exponent = magnitude < 0x1p-14L ? -14 : std::ilogb(magnitude);
  const auto units =
      static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  // A carry into the next binade is the right encoding of it.
  return sign | ((static_cast<std::uint32_t>(exponent + 14) << 10U) + units);
}

}  // namespace weft::test
