#include "spec/arithmetic.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace weft::spec {
namespace {

float real(std::uint32_t word) { return std::bit_cast<float>(word); }

/// A result that is no number is always the same NaN.
std::uint32_t word(float value) {
  return std::isnan(value) ? 0x7fc00000U : std::bit_cast<std::uint32_t>(value);
}

/// FP16: sign, five bits of exponent, ten of fraction. Sums and products of two are exact as
/// double; a product plus a third is exact wherever the rounding to FP16 could tell.
double half(std::uint32_t word) {
  const int exponent = static_cast<int>(word >> 10U & 31U),
            fraction = static_cast<int>(word & 1023U);
  double value =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31)
    value = fraction == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  return (word & 0x8000U) != 0 ? -value : value;
}

/// To nearest, ties to even.
std::uint32_t rounded(double value) {
  if (std::isnan(value)) return 0x7e00U;
  const std::uint32_t sign = std::signbit(value) ? 0x8000U : 0;
  const double magnitude = std::fabs(value);
  if (magnitude >= 65520) return sign | 0x7c00U;
  const int exponent = magnitude < std::ldexp(1, -14) ? -14 : std::ilogb(magnitude);
  const auto units =
      static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  if (units < 1024) return sign | units;  // subnormal
  return sign | ((static_cast<std::uint32_t>(exponent + 14) << 10U) + units);
}

/// Toward 0, and within these integers; 0 of a NaN.
std::int64_t whole(double value, std::int64_t least, std::int64_t most) {
  if (std::isnan(value)) return 0;
  const double cut = std::trunc(value);
  if (cut <= static_cast<double>(least)) return least;
  return cut >= static_cast<double>(most) ? most : static_cast<std::int64_t>(cut);
}

std::uint32_t low(std::uint32_t word) { return word & 0xffffU; }
std::int16_t signed_half(std::uint32_t word) { return static_cast<std::int16_t>(low(word)); }

}  // namespace

std::uint32_t compute(Op op, std::uint32_t d, std::uint32_t a, std::uint32_t b) {
  switch (op) {
    case Op::mov:
    case Op::vmov32:
      return a;
    case Op::li:
    case Op::vmov32r:
      return b;
    case Op::add:
    case Op::addi:
    case Op::vadd32:
    case Op::vadd32r:
      return a + b;
    case Op::sub:
    case Op::vsub32:
    case Op::vsub32r:
      return a - b;
    case Op::vrsub32r:
      return b - a;
    case Op::mul:
    case Op::muli:
      return a * b;
    case Op::band:
    case Op::bandi:
    case Op::vand32:
    case Op::vand32r:
      return a & b;
    case Op::bor:
    case Op::bori:
    case Op::vor32:
    case Op::vor32r:
      return a | b;
    case Op::bxor:
    case Op::bxori:
    case Op::vxor32:
    case Op::vxor32r:
      return a ^ b;
    case Op::shl:
    case Op::shli:
    case Op::vsll32r:
      return a << b % 32;
    case Op::shr:
    case Op::shri:
    case Op::vslr32r:
      return a >> b % 32;
    case Op::sar:
    case Op::sari:
    case Op::vsar32r:
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(a) >> b % 32);

    case Op::vmax32:
    case Op::vmax32r:
      return static_cast<std::uint32_t>(
          std::max(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)));
    case Op::vmaxu32:
    case Op::vmaxu32r:
      return std::max(a, b);
    case Op::vmin32:
    case Op::vmin32r:
      return static_cast<std::uint32_t>(
          std::min(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)));
    case Op::vminu32:
    case Op::vminu32r:
      return std::min(a, b);

    case Op::fadds:
    case Op::vfadds:
    case Op::vfaddsr:
      return word(real(a) + real(b));
    case Op::fsubs:
    case Op::vfsubs:
    case Op::vfsubsr:
      return word(real(a) - real(b));
    case Op::fmuls:
    case Op::vfmuls:
    case Op::vfmulsr:
      return word(real(a) * real(b));
    case Op::fmacs:
    case Op::vfmacs:
    case Op::vfmacsr:
      return word(std::fma(real(a), real(b), real(d)));
    case Op::fnegs:
    case Op::vfnegs:
      return a ^ 0x80000000U;
    case Op::fabss:
    case Op::vfabss:
      return a % 0x80000000U;
    case Op::vfrsubsr:
      return word(real(b) - real(a));
    case Op::flts:
      return real(a) < real(b) ? 1 : 0;
    case Op::fles:
      return real(a) <= real(b) ? 1 : 0;
    case Op::feqs:
      return real(a) == real(b) ? 1 : 0;
    case Op::fi2s:
      return word(static_cast<float>(static_cast<std::int32_t>(a)));
    case Op::fu2s:
      return word(static_cast<float>(a));
    case Op::fs2i:
      return static_cast<std::uint32_t>(whole(real(a), std::numeric_limits<std::int32_t>::min(),
                                              std::numeric_limits<std::int32_t>::max()));
    case Op::fs2u:
      return static_cast<std::uint32_t>(
          whole(real(a), 0, std::numeric_limits<std::uint32_t>::max()));
    case Op::vfs2xp16:
      return low(static_cast<std::uint32_t>(whole(real(a), -32768, 32767)));
    case Op::vfh2xp16:
      return low(static_cast<std::uint32_t>(whole(half(a), -32768, 32767)));
    case Op::vxp162fs:
      return word(static_cast<std::int16_t>(low(a)));
    case Op::vxp162fh:
      return rounded(static_cast<std::int16_t>(low(a)));
    case Op::fmins:
    case Op::vfmins:
    case Op::vfminsr:
      if (std::isnan(real(a)) || std::isnan(real(b))) return word(std::nanf(""));
      return real(b) < real(a) ? b : a;
    case Op::fmaxs:
    case Op::vfmaxs:
    case Op::vfmaxsr:
      if (std::isnan(real(a)) || std::isnan(real(b))) return word(std::nanf(""));
      return real(a) < real(b) ? b : a;

    case Op::faddh:
    case Op::vfaddh:
    case Op::vfaddhr:
      return rounded(half(a) + half(b));
    case Op::fsubh:
    case Op::vfsubh:
    case Op::vfsubhr:
      return rounded(half(a) - half(b));
    case Op::fmulh:
    case Op::vfmulh:
    case Op::vfmulhr:
      return rounded(half(a) * half(b));
    case Op::fmach:
    case Op::vfmach:
    case Op::vfmachr:
      return rounded(half(a) * half(b) + half(d));
    case Op::fnegh:
    case Op::vfnegh:
      return low(a) ^ 0x8000U;
    case Op::fabsh:
    case Op::vfabsh:
      return a % 0x8000U;
    case Op::vfrsubhr:
      return rounded(half(b) - half(a));
    case Op::flth:
      return half(a) < half(b) ? 1 : 0;
    case Op::fleh:
      return half(a) <= half(b) ? 1 : 0;
    case Op::feqh:
      return half(a) == half(b) ? 1 : 0;
    case Op::fminh:
    case Op::vfminh:
    case Op::vfminhr:
      if (std::isnan(half(a)) || std::isnan(half(b))) return rounded(std::nan(""));
      return low(half(b) < half(a) ? b : a);
    case Op::fmaxh:
    case Op::vfmaxh:
    case Op::vfmaxhr:
      if (std::isnan(half(a)) || std::isnan(half(b))) return rounded(std::nan(""));
      return low(half(a) < half(b) ? b : a);

    case Op::fh2s:
    case Op::vfh2s:
      return word(static_cast<float>(half(a)));
    case Op::fs2h:
    case Op::vfs2h:
      return rounded(static_cast<double>(real(a)));
    case Op::vfaddhs:
      return word(real(a) + static_cast<float>(half(b)));
    case Op::vfmachs:
      return word(real(d) + static_cast<float>(half(a) * half(b)));

    case Op::vadd16:
    case Op::vadd16r:
      return low(a + b);
    case Op::vsub16:
    case Op::vsub16r:
      return low(a - b);
    case Op::vrsub16r:
      return low(b - a);
    case Op::vmax16:
    case Op::vmax16r:
      return low(static_cast<std::uint32_t>(std::max(signed_half(a), signed_half(b))));
    case Op::vmaxu16:
    case Op::vmaxu16r:
      return std::max(low(a), low(b));
    case Op::vmin16:
    case Op::vmin16r:
      return low(static_cast<std::uint32_t>(std::min(signed_half(a), signed_half(b))));
    case Op::vminu16:
    case Op::vminu16r:
      return std::min(low(a), low(b));
    case Op::vand16:
    case Op::vand16r:
      return low(a & b);
    case Op::vor16:
    case Op::vor16r:
      return low(a | b);
    case Op::vxor16:
    case Op::vxor16r:
      return low(a ^ b);
    case Op::vmov16:
      return low(a);
    case Op::vmov16r:
      return low(b);
    case Op::vsll16r:
      return low(low(a) << b % 16);
    case Op::vslr16r:
      return low(a) >> b % 16;
    case Op::vsar16r:
      return low(static_cast<std::uint32_t>(signed_half(a) >> b % 16));
    default:
      throw std::logic_error("this instruction computes nothing");
  }
}

bool taken(Op op, std::uint32_t d, std::uint32_t a) {
  const auto left = static_cast<std::int32_t>(d), right = static_cast<std::int32_t>(a);
  switch (op) {
    case Op::beq:
      return left == right;
    case Op::bne:
      return left != right;
    case Op::blt:
      return left < right;
    case Op::bge:
      return left >= right;
    case Op::bltu:
      return d < a;
    case Op::bgeu:
      return d >= a;
    default:
      throw std::logic_error("this instruction is no branch");
  }
}

}  // namespace weft::spec
